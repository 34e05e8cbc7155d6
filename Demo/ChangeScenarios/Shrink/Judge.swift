/// What decides whether a scenario fails.
struct Judge {
    /// The first thing that goes wrong; nil if nothing does.
    package let flaw: (Scenario) -> Flaw?
    /// Our answer.
    package let answer: (Scenario) throws -> JSON
}

extension Judge {
    /// The law, and a replay on a database.
    package init(in folder: ScratchFolder) {
        self.init(flaw: { $0.flaw(in: folder) }, answer: { try $0.answer(in: folder) })
    }

    /// The first thing in which our answer is not the expected one.
    package func difference(_ scenario: Scenario, _ expected: ExpectedAnswer) -> Flaw? {
        (try? answer(scenario)).flatMap { expected.flaws(of: $0).first }
    }
}
