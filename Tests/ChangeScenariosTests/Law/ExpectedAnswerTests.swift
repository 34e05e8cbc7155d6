import Testing

@testable import ChangeScenarios

@Suite struct ExpectedAnswerTests {
    @Test func changesAreSetsAndAResultMaySayMore() throws {
        let expected = #"{"type":"insert","key":null,"changes":["object"],"newIndexPath":[0,1]}"#
        let other = #"{"type":"delete","key":"k","changes":["object"],"indexPath":[0,0]}"#
        let dependency = #"{"type":"update","key":null,"changes":["dependency"],"indexPath":[0,0]}"#
        let ours = #"{"type":"insert","key":"k1","newIndexPath":[0,1],"changes":["object"],"more":1}"#
        let answer = try #require(try answer(#"{"rowChanges":[\#(expected),\#(other),\#(dependency)]}"#))
        #expect(answer.flaws(of: try JSON(text: #"{"rowChanges":[\#(other),\#(ours)]}"#)) == [])
        #expect(
            answer.flaws(of: try JSON(text: #"{"rowChanges":[\#(ours)]}"#)).map(\.text) == [
                "the change \(other) is missing"
            ])
        #expect(answer.flaws(of: try JSON(text: #"{"rowChanges":[\#(ours),\#(ours),\#(other)]}"#)).count == 1)
    }

    @Test func stepsFromTheFirstUntrustedOneOnAreNotCompared() throws {
        let steps = #"{"initial":{"counts":{"A":1}},"steps":[{"counts":{"A":1}},{"counts":{"A":2}}]}"#
        let result = try JSON(text: #"{"initial":{"counts":{"A":1}},"steps":[{"counts":{"A":1}},{"counts":{"A":3}}]}"#)
        #expect(try answer(steps)?.flaws(of: result).map(\.step) == [1])
        #expect(try answer(steps, problems: #"[[1,"row count"]]"#)?.flaws(of: result) == [])
    }

    @Test func whoExpectsNothingIsContent() throws {
        #expect(ExpectedAnswer(line: try JSON(text: #"{"scenario":{}}"#)) == nil)
        #expect(try answer(#"{"error":"the original did not end"}"#) == nil)
    }

    private func answer(_ expected: String, problems: String = "[]") throws -> ExpectedAnswer? {
        ExpectedAnswer(line: try JSON(text: #"{"expected":\#(expected),"originalProblems":\#(problems)}"#))
    }
}
