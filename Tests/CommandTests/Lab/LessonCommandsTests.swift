import Foundation
import Testing

/// The commands of the five minutes with change-sets.
@Suite struct LessonCommandsTests {
    private static let steps = (try? LessonCommands().steps) ?? []

    @Test func theLessonHasItsSteps() throws {
        #expect(Self.steps.count >= 7)
        #expect(Self.steps.allSatisfy { $0.command.hasPrefix("./run lab ") })
        #expect(Self.steps.allSatisfy { $0.shown.contains { !$0.isEmpty && $0 != LessonCommands.gap } })
    }

    @Test(arguments: steps.indices) func everyStepShowsWhatTheLessonSays(number: Int) async throws {
        let step = Self.steps[number]
        try withTemporaryFolder { folder in
            let output = try step.output(in: folder)
            let difference = step.difference(from: output)
            #expect(difference == nil, "\(step.command) prints:\n\(output.joined(separator: "\n"))")
        }
    }

    @Test(
        arguments: [
            ("a|b", "a|b", true), ("a", "a|b", false), ("b", "a|b", false), ("[…]|b", "a|b", true),
            ("a|[…]", "a|b|c", true), ("a|[…]|c", "a|b|c", true), ("a|[…]|b", "a|b|c", false),
            ("[…]|b|[…]", "a|b|c", true),
            ("[…]|c|[…]|b", "a|b|c", false), ("[…]|a|b", "a|b|a|b", true), ("a|x", "a|b", false), ("[…]", "a", true),
        ])
    func aStepThatShowsSomethingElseIsSeen(shown: String, output: String, isRight: Bool) {
        let step = LessonCommands.Step(command: "", shown: shown.components(separatedBy: "|"))
        #expect((step.difference(from: output.components(separatedBy: "|")) == nil) == isRight)
    }
}
