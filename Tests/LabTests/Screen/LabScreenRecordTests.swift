import Foundation
import LiveTable
import TestSupport
import Testing

@testable import AnimationLab

@MainActor @Suite struct LabScreenRecordTests {
    /// Random keys: the recorded scenario replays to the same change-sets.
    @Test(arguments: Effort.some([UInt64](1...8))) func whatWasDoneOnScreenReplaysTheSameWithoutIt(seed: UInt64) throws
    {
        let keys = "j j k k a i r d K J < > c m t s b h Enter u U Left Right [ ] - + p . v Tab Right Down".split(
            separator: " ")
        try withLab(width: 80, height: 24) { bench in
            var random = SplitMix64(seed: seed)
            for _ in 0..<250 {
                bench.press(String(random.pick(keys)))
                bench.wait(0.02)
                #expect(bench.lab.session.lastMove?.problem == nil)
            }
            bench.lab.session.isCollecting = false
            bench.lab.session.isHolding = false
            let session = bench.lab.session
            let result = try session.scenario.replayedInScratch()
            #expect(result.steps.map(\.outcome) == session.chapterSteps.map(\.advance.outcome))
        }
    }

    @Test func whatIsWrittenCanBeOpened() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "lab-\(UUID().uuidString).jsonl").path
        defer { unlink(path) }
        try withLab([.small]) { bench in
            bench.press("j d w Ctrl-u")
            bench.type(path)
            bench.press("Enter a")
            #expect(bench.list == "A: k2 k5 k3 | B: k4")
            bench.press("o")
            bench.type(path)
            bench.press("Enter")
            #expect(bench.list == "A: k1 k2 k3 | B: k4")
            bench.press("Right")
            #expect(bench.list == "A: k2 k3 | B: k4")
        }
    }

    @Test func aFileThatIsNoneIsRefusedAndWhatIsShownStays() throws {
        try withLab([.small]) { bench in
            bench.press("o")
            bench.type("/nowhere/at.all")
            bench.press("Enter")
            #expect(bench.hint.contains("/nowhere/at.all cannot be read") && bench.list == "A: k1 k2 k3 | B: k4")
        }
    }

    @Test func aScenarioOpensBehindTheStepThatIsNotAsExpected() throws {
        var scenario = DatabaseScenario.small
        scenario.steps = [
            .init(commits: [[.touch(.lab("k1"))]]), .init(commits: [[.remove(.lab("k2"))]]),
            .init(commits: [[.remove(.lab("k3"))]]),
        ]
        let expected = try JSON(
            text: """
                {"expected": {"steps": [null,
                {"rowChanges": [{"type": "delete", "key": "k1", "changes": ["object", "metadata"],
                "indexPath": [0, 0], "originalGroup": "A"}]}]}}
                """)
        let entry = LabEntry(name: "wrong", scenario: scenario, expected: ExpectedAnswer(line: expected))
        try withLab([.small, entry]) { bench in
            #expect(bench.screen.contains("yap lab · wrong 2 of 2"))
            #expect(bench.list == "A: k1 k3 | B: k4" && bench.screen.contains("TIMELINE  ●─●─◉─●  2 of 3"))
            #expect(bench.screen.contains("NOT AS EXPECTED") && bench.screen.contains(" Step 2: the change"))
            bench.press("N")
            #expect(bench.screen.contains("yap lab · small 1 of 2") && !bench.screen.contains("NOT AS EXPECTED"))
        }
    }

    @Test func aLogOpensAsRowsThatMakeIt() throws {
        let line = """
            {"mappings": {"groups": ["A", "B"], "config": []}, "counts": {"A": 3, "B": 1},
            "log": [{"op": "insertRow", "group": "A", "index": 3, "key": "k9"},
            {"op": "deleteRow", "group": "A", "index": 0, "key": "k1"},
            {"op": "insertRow", "group": "B", "index": 1, "key": "k1"},
            {"op": "updateRow", "group": "A", "index": 0, "key": "k2", "changes": ["object"]}]}
            """
        try withLab([LabEntry(line: Array(line.utf8), of: "log")]) { bench in
            bench.press("Right")
            let log = bench.lab.session.lastMove?.step.advance.log.map(\.json.description)
            let json = try JSON(text: line)
            guard case .array(let wanted) = json["log"] else { throw LabRefusal("no log") }
            #expect(log == wanted.map(\.description))
        }
    }
}
