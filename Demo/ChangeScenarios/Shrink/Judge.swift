/// Decides whether a scenario fails.
struct Judge {
    /// Returns the first flaw; nil if there is none.
    package let flaw: (Scenario) -> Flaw?
    /// Returns our answer.
    package let answer: (Scenario) throws -> JSON
}

extension Judge {
    /// Creates a judge that checks the law in a replay on a database.
    package init(in folder: ScratchFolder) {
        self.init(flaw: { $0.flaw(in: folder) }, answer: { try $0.answer(in: folder) })
    }

    /// Returns the first difference between our answer and the expected one.
    package func difference(_ scenario: Scenario, _ expected: ExpectedAnswer) -> Flaw? {
        (try? answer(scenario)).flatMap { expected.flaws(of: $0).first }
    }
}
