/// A line with a scenario and, optionally, its expected answer.
struct ShrinkLine {
    package let scenario: Scenario
    package let expected: ExpectedAnswer?
    /// The original line.
    private let given: JSON?

    package init(bytes: [UInt8]) throws(ScenarioError) {
        scenario = try Scenario(line: bytes)
        // A line that is not JSON is not a scenario either.
        given = try? JSONReader.read(bytes)
        expected = given.flatMap { ExpectedAnswer(line: $0) }
    }

    /// A scenario that was made smaller.
    struct Shrunk {
        /// A scenario, or a scenario and what is expected of it: in either case a line for a replay.
        package let line: JSON
        package let flaw: Flaw
        let attempts: Int
    }

    /// Returns the smallest version of the scenario that fails in the same way; nil if nothing fails.
    ///
    /// If only the expected answer differs, the expected answer of another scenario is unknown. So only the steps after
    /// the difference are removed, and what has no effect on our answer.
    func shrunk(
        by judge: Judge, progress: @escaping (_ attempts: Int, _ length: Int) -> Void = { _, _ in }
    ) -> Shrunk? {
        if let flaw = judge.flaw(scenario) {
            var shrinker = Shrinker(scenario, progress: progress) { judge.flaw($0)?.kind == flaw.kind }
            let smallest = shrinker.shrunk()
            return Shrunk(
                line: shorter(smallest.shortJSON), flaw: judge.flaw(smallest) ?? flaw, attempts: shrinker.attempts)
        }
        guard let expected, let flaw = judge.difference(scenario, expected) else { return nil }
        let needed = scenario.prefix(flaw.step.map { $0 + 1 } ?? 0)
        let answer = try? judge.answer(needed)
        var shrinker = Shrinker(needed, progress: progress) { (try? judge.answer($0)) == answer }
        return Shrunk(line: shorter(expected.line(for: shrinker.shrunk())), flaw: flaw, attempts: shrinker.attempts)
    }

    /// Returns a result, unless the original line is shorter.
    private func shorter(_ line: JSON) -> JSON {
        given.map { $0.bytes.count < line.bytes.count ? $0 : line } ?? line
    }
}

extension Scenario {
    /// Returns the first steps of a scenario; a log has no steps.
    fileprivate func prefix(_ count: Int) -> Scenario {
        guard case .database(var scenario) = self else { return self }
        scenario.steps = Array(scenario.steps.prefix(count))
        return .database(scenario)
    }
}
