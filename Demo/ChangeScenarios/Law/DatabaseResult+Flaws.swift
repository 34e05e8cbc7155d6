import YapDatabase

extension DatabaseResult {
    /// Checks the result against the law alone: states that differ from the rows, change-sets that do not lead from one
    /// state to the next, and rows that were set but not reported.
    package func flaws(of scenario: DatabaseScenario) -> [Flaw] {
        var model = ModelRows(scenario.list)
        model.perform(scenario.initial)
        _ = model.takeNamed()
        var flaws = initial.flaws(model, scenario.mappings)
        var before = initial
        for (number, (step, result)) in zip(scenario.steps, steps).enumerated() {
            var found = result.before?.flaws(model, scenario.mappings) ?? []
            step.commits.forEach { model.perform($0) }
            found += result.after.flaws(model, scenario.mappings)
            found += result.flaws(from: result.before ?? before, named: model.takeNamed())
            flaws += found.map { Flaw(kind: $0.kind, step: number, text: $0.text) }
            before = result.after
        }
        return flaws
    }
}

extension ListState {
    fileprivate func flaws(_ model: ModelRows, _ setup: MappingsSetup) -> [Flaw] {
        let groups = model.groups
        if let chosen = setup.groups.choose(from: groups.keys), chosen != mappings.allGroups {
            return [Flaw(kind: .state, text: "the list has the groups \(mappings.allGroups) instead of \(chosen)")]
        }
        for group in mappings.allGroups where mappings.fullCount(inGroup: group) != groups[group]?.count ?? 0 {
            let count = mappings.fullCount(inGroup: group)
            return [
                Flaw(kind: .state, text: "the list counts \(count) rows in \(group) instead of \(groups[group] ?? [])")
            ]
        }
        let expected = ListSnapshot(mappings) { groups[$0]![$1] }
        return shown == expected ? [] : [Flaw(kind: .state, text: "the list shows \(shown) instead of \(expected)")]
    }
}

extension DatabaseResult.Step {
    /// Checks the step that began at a state.
    ///
    /// - Parameter named: the rows that were set or touched.
    package func flaws(from before: ListState, named: Set<RowKey>) -> [Flaw] {
        if outcome == .reload { return [Flaw(kind: .reload, text: "it reloads, although the groups stay in order")] }
        if outcome == .changes(ChangeSet()) { return [Flaw(kind: .empty, text: "it has changes that are none")] }
        if let flaw = outcome.changeSet.flaw(from: before.shown, to: after.shown) { return [flaw] }
        let (old, new) = (before.shown.paths, after.shown.paths)
        let reported = Set(outcome.changeSet.rowChanges.compactMap(\.before))
        let missing = named.filter { key in new[key] != nil && old[key].map { !reported.contains($0) } ?? false }
        return missing.map { "it does not report \($0.scenarioName)" }.sorted().map {
            Flaw(kind: .unreported, text: $0)
        }
    }
}

extension ChangeSet {
    /// Returns how the changes break the law: applied to the rows before they must give the rows after.
    package func flaw(from before: ListSnapshot, to after: ListSnapshot) -> Flaw? {
        do {
            let difference = try applying(to: before) { after[$0] }.firstDifference(from: after)
            return difference.map { Flaw(kind: .rows, text: $0) }
        } catch {
            return Flaw(kind: .misfit, text: "\(error)")
        }
    }
}
