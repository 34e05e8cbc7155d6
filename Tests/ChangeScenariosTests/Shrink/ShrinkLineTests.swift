import YapDatabase
import Testing

@testable import ChangeScenarios

@Suite struct ShrinkLineTests {
    @Test func nothingIsDoneToWhatDoesNotFail() throws {
        try withScratchFolder { folder in
            let judge = Judge(in: folder)
            for line in try StoredVectors.lines(of: "plain").prefix(5) + StoredVectors.lines(of: "fixed").prefix(5) {
                #expect(try ShrinkLine(bytes: line).shrunk(by: judge) == nil)
            }
        }
    }

    @Test func theResultIsALineThatFailsInTheSameWay() throws {
        try withScratchFolder { folder in
            let judge = Judge(in: folder, spoiling: slidingRowsForgotten)
            let lines = try StoredVectors.lines(of: "fixed").map { try ShrinkLine(bytes: $0) }
            let line = try #require(lines.first { judge.flaw($0.scenario) != nil })
            let flaw = try #require(judge.flaw(line.scenario))
            let result = try #require(line.shrunk(by: judge))
            #expect(result.flaw.kind == flaw.kind)
            let again = try ShrinkLine(bytes: result.line.bytes)
            #expect(judge.flaw(again.scenario) == result.flaw && again.expected == nil)
            #expect(result.line.bytes.count < 400, "\(result.line)")
        }
    }

    /// The line has no optional member, and a reader adds defaults to it.
    @Test(
        arguments: [
            #"{"mappings":{"groups":["A"]},"counts":{},"log":[{"op":"deleteRow","group":"A","index":0,"key":"k1"}]}"#,
            #"{"id":"x","mappings":{"groups":["A"]},"counts":{"A":1},"log":[{"op":"deleteRow","group":"A","index":1,"key":""}]}"#,
        ])
    func noLineBecomesLonger(text: String) throws {
        try withScratchFolder { folder throws in
            let result = try #require(ShrinkLine(bytes: Array(text.utf8)).shrunk(by: Judge(in: folder)))
            #expect(result.line.bytes.count <= text.utf8.count, "\(result.line)")
            #expect(try ShrinkLine(bytes: result.line.bytes).scenario.flaw(in: folder)?.kind == result.flaw.kind)
        }
    }

    @Test func noStoredScenarioBecomesLonger() throws {
        let fails = Judge(flaw: { _ in Flaw(kind: .error, text: "always") }, answer: { _ in .null })
        for family in ["plain", "fixed", "dynamic", "lateConfig"] {
            for line in try StoredVectors.lines(of: family).prefix(3) {
                let scenario = try Scenario(line: line)
                #expect(try Scenario(json: scenario.shortJSON) == scenario)
                #expect(scenario.shortJSON.bytes.count <= scenario.json.bytes.count)
                let result = try #require(ShrinkLine(bytes: line).shrunk(by: fails))
                #expect(result.line.bytes.count <= line.count)
            }
        }
    }

    @Test func anErrorOfTheReplayStaysThatError() throws {
        try withScratchFolder { folder in
            let judge = Judge(in: folder)
            let line = try ShrinkLine(
                bytes: Array(
                    """
                    {"mappings":{"groups":["A","B"]},"counts":{"A":2,"B":9},"log":[
                    {"op":"deleteRow","group":"B","index":3,"key":"k4"},{"op":"deleteRow","group":"A","index":5,"key":"k1"}]}
                    """.utf8))
            let result = try #require(line.shrunk(by: judge))
            #expect(result.flaw.kind == .error && result.flaw.text.contains("should be an index of group"))
            #expect(try ShrinkLine(bytes: result.line.bytes).scenario.flaw(in: folder) == result.flaw)
        }
    }

    /// The expected answer of another scenario is unknown, so only parts without effect on our answer are removed.
    @Test func whereTheExpectedAnswerDiffersItIsKept() throws {
        let line = """
            {"scenario": {"id": "x", "mappings": {"groups": ["A"], "config": [
                 {"do": "dependencies", "group": "B", "offsets": [1]}]},
               "initial": [{"op": "set", "key": "k1", "group": "A", "sort": 5, "text": "t"},
                 {"op": "set", "key": "z", "group": "Z", "sort": 5, "text": "t"}],
               "steps": [{"commits": [[{"op": "touch", "key": "k1"}]]}, {"commits": [[{"op": "remove", "key": "k1"}]]}]},
             "expected": {"initial": {"sections": [{"group": "A", "rows": ["k1"]}]},
               "steps": [{"sections": [{"group": "A", "rows": ["k1", "k2"]}]}, {"sections": []}]}}
            """
        try withScratchFolder { folder in
            let result = try #require(ShrinkLine(bytes: Array(line.utf8)).shrunk(by: Judge(in: folder)))
            #expect(result.flaw.kind == .difference && result.flaw.step == 0)
            #expect(
                result.line.description == """
                    {"scenario":{"id":"x","mappings":{"groups":["A"]},"initial":[{"op":"set","key":"k1",\
                    "group":"A","sort":0,"text":"t"}],"steps":[{"commits":[[{"op":"touch","key":"k1"}]]}]},\
                    "expected":{"initial":{"sections":[{"group":"A","rows":["k1"]}]},\
                    "steps":[{"sections":[{"group":"A","rows":["k1","k2"]}]}]}}
                    """)
            let again = try ShrinkLine(bytes: result.line.bytes)
            #expect(again.shrunk(by: Judge(in: folder))?.line == result.line)
        }
    }
}
