/// All cases, in the order in which they are run.
let suite: [Case] =
    changeSetCases + databaseCases + logCases + foreignCommitCases + viewCases + browseCases + liveCases
    + programCases
    + terminalCases

extension [Case] {
    /// The cases that the names call for, each once, in the order of the suite; without names all.
    func cases(named names: [String]) throws -> [Case] {
        for name in names where !contains(where: { $0.isCalled(name) }) {
            throw UsageError("There is no case \"\(name)\". `yap-bench --list` shows those that there are.")
        }
        return filter { one in names.isEmpty || names.contains(where: one.isCalled) }
    }
}
