import Foundation
import Testing

@Suite struct ShrinkCommandTests {
    private static let sound = #"{"mappings":{"groups":["A"]},"counts":{"A":2},"log":[]}"#
    private static let failing = """
        {"id":"x","mappings":{"groups":["A","B"]},"counts":{"A":2,"B":3},"log":[\
        {"op":"insertRow","group":"B","index":0,"key":"k"},{"op":"deleteRow","group":"A","index":7,"key":"k1"}]}
        """
    private static let smallest = """
        {"id":"x","mappings":{"groups":["A"]},"counts":{},\
        "log":[{"op":"deleteRow","group":"A","index":0,"key":"k1"}]}
        """

    @Test func whatFailsIsPrintedSmallAndReplaysToTheSameError() throws {
        let shrink = try run("--shrink", Self.sound + "\n" + Self.failing + "\nnonsense\n")
        #expect(shrink.code == 0)
        #expect(shrink.lines == [Self.smallest])
        #expect(
            shrink.errors == """
                yap: Line 2: log[0].index should be an index of group "A", which has 0 rows then, not 0. \
                From 176 to 110 bytes in 11 attempts.
                yap: Line 3 cannot be shrunk: the scenario should be JSON: column 2: "null" should be here.

                """)
        let replay = try run("--replay", Self.smallest)
        #expect(replay.lines.first?.contains("should be an index of group") == true && replay.code == 1)
    }

    @Test func whereNothingFailsItSaysSo() throws {
        let shrink = try run("--shrink", Self.sound + "\n" + Self.sound)
        #expect(shrink.code == 1 && shrink.lines == [])
        #expect(shrink.errors.contains("Nothing fails: 2 scenarios keep the law"))
    }

    @Test func aFileThatIsNotThereIsAnError() throws {
        let shrink = try YapRun(["lab", "--shrink", "/nowhere/at.all"])
        #expect(shrink.code == 1)
        #expect(shrink.errors.contains("/nowhere/at.all cannot be read: No such file or directory."))
    }

    private func run(_ option: String, _ input: String) throws -> YapRun {
        try YapRun(["lab", option, "-"], input: input)
    }
}
