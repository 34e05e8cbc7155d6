/// All cases, in the order in which they run.
let suite: [Case] =
    changeSetCases + codingCases + databaseCases + logCases + foreignCommitCases + foreignPlainCommitCases + viewCases
    + viewArrangementCases + itemWriteCases + populateCases + processorCases + itemReadCases + besideReadersCases
    + lookupCases + browseCases + liveCases + programCases + filterCases + encryptedCases + relationshipCases
    + terminalCases + chatCases + typedCases + followedCases + inboxCases + relatedCases + memoryCases + largeViewCases
    + serverCases + mutationCases
    + companyCases

extension [Case] {
    /// Returns the cases of these names, each once, in the order of the suite; all but the extra ones without names.
    func cases(named names: [String]) throws -> [Case] {
        for name in names where !contains(where: { $0.isCalled(name) }) {
            throw UsageError("There is no case \"\(name)\". `yap-bench --list` shows those that there are.")
        }
        return filter { one in names.isEmpty ? !one.isExtra : names.contains(where: one.isCalled) }
    }
}
