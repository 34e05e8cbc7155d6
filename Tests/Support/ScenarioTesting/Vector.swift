import ChangeScenarios

/// A scenario with the original's own answers.
package struct Vector {
    package let scenario: DatabaseScenario
    package let expected: JSON
    /// The number of steps before the first in which the original breaks the law; its later answers are wrong.
    package let trustedSteps: Int
    private let answer: ExpectedAnswer?

    package init(line: [UInt8]) throws {
        guard case .database(let scenario) = try Scenario(line: line) else { throw NotAVector() }
        let json = try JSONReader.read(line)
        guard let expected = json["expected"], case .array(let problems) = json["originalProblems"] else {
            throw NotAVector()
        }
        self.scenario = scenario
        self.expected = expected
        let steps = try problems.map { problem in
            guard case .array(let parts) = problem, let step = parts.first else { throw NotAVector() }
            return try Int(json: step)
        }
        trustedSteps = expected["error"] == nil ? steps.min() ?? Int.max : 0
        answer = ExpectedAnswer(line: json)
    }

    /// Returns the differences between a result and the original's, up to the step in which the original goes wrong.
    package func differences(from result: JSON) -> [String] { answer?.flaws(of: result).map(\.description) ?? [] }

    private struct NotAVector: Error {}
}
