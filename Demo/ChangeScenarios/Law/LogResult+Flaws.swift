import YapDatabase

extension LogResult {
    /// Returns how the change-set of the scenario's log breaks the law; nil if it does not.
    ///
    /// - Throws: if there are too many rows to list.
    package func flaw(of scenario: LogScenario) throws(ScenarioError) -> Flaw? {
        if outcome == .reload { return nil }
        guard scenario.counts.values.allSatisfy({ $0 <= LogRows.limit }) else {
            throw ScenarioError("has more rows than the law is checked with, \(LogRows.limit) a group")
        }
        let rows = LogRows(scenario.counts, scenario.log)
        return outcome.changeSet.flaw(
            from: ListSnapshot(before) { rows.before[$0]![$1] }, to: ListSnapshot(mappings) { rows.after[$0]![$1] })
    }
}
