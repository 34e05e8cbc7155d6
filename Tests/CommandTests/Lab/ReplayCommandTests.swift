import Foundation
import Testing

@Suite struct ReplayCommandTests {
    private static let state = #"{"mappings":{"groups":["A"]},"counts":{"A":2},"log":[]}"#
    private static let answer =
        #"{"sectionChanges":[],"rowChanges":[],"ranges":{},"visibleGroups":["A"],"numberOfItems":{"A":2},"outcome":"none"}"#
    private static let database =
        #"{"mappings":{"groups":["A"]},"initial":[{"op":"set","key":"k","group":"A","sort":1,"text":"t"}],"steps":[]}"#

    /// A program that waits for each answer before it sends the next line hangs if an answer is kept back.
    @Test func askingAndReadingInTurnWorks() throws {
        let replay = try YapProcess(["lab", "--replay", "-"])
        for _ in 0..<3 {
            try replay.write(Self.state + "\n")
            #expect(try replay.readLine() == Self.answer)
            try replay.write(Self.database + "\n")
            #expect(try replay.readLine()?.contains(#""rows":["k"]"#) == true)
        }
        try replay.endInput()
        #expect(try replay.readLine() == nil)
        #expect(replay.exitCode() == 0)
    }

    @Test func aLineThatIsNoScenarioHasItsErrorInItsPlace() throws {
        let input = [Self.state, "nonsense", Self.state].joined(separator: "\n")
        let replay = try YapRun(["lab", "--replay", "-"], input: input)
        let error = #"{"error":"the scenario should be JSON: column 2: \"null\" should be here"}"#
        #expect(replay.lines == [Self.answer, error, Self.answer])
        #expect(replay.code == 1)
    }

    @Test func manyLinesOfAFileAreAnsweredInOrder() throws {
        try withTemporaryFolder { folder in
            let file = folder.appending(path: "scenarios.jsonl")
            let lines = (0..<2_000).map { Self.state.replacing("\"A\":2", with: "\"A\":\($0)") }
            try lines.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
            let replay = try YapRun(["lab", "--replay", file.path])
            #expect(replay.lines == (0..<2_000).map { Self.answer.replacing("\"A\":2", with: "\"A\":\($0)") })
            #expect(replay.code == 0)
        }
    }

    @Test(
        arguments: [
            (["lab"], 1, "needs a terminal"), (["lab", "--replay"], 2, "needs a value"),
            (["lab", "/nowhere/at.all"], 1, "/nowhere/at.all cannot be read"),
            (["lab", "x", "y"], 2, "One file at a time."),
            (["lab", "--replay", "/nowhere/at.all"], 1, "/nowhere/at.all cannot be read: No such file or directory."),
        ] as [([String], Int32, String)])
    func aWrongCallSaysWhatToDo(arguments: [String], code: Int32, text: String) throws {
        let replay = try YapRun(arguments)
        #expect(replay.lines == [] && replay.code == code)
        #expect(replay.errors.contains(text))
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func aSignalEndsItAndItsFolderIsGone(signal: Int32) throws {
        let replay = try YapProcess(["lab", "--replay", "-"])
        try replay.write(Self.database + "\n")
        #expect(try replay.readLine() != nil)
        #expect(replay.openFolders().count == 1)
        replay.send(signal)
        #expect(replay.exitCode() == -signal)
        #expect(replay.openFolders() == [])
    }
}
