import Testing

@testable import yap

/// Help fits the terminal.
@Suite struct HelpTextTests {
    private static let text = """
        Usage: yap chat [OPTIONS]

        People run it on the same file, each in a terminal of their own. Who has run it on a file is
        on the roster of all others.

          yap chat --db /tmp/chat.sqlite --as alice

        Options:
          --db FILE     The database; by default one in your data folder.
          -h, --help    Shows what the command does.
        """

    @Test func elsewhereItStaysAsItIs() {
        let help = HelpText(text: Self.text)
        #expect(help.lines(width: nil).joined(separator: "\n") == Self.text)
        #expect(help.lines(width: 120).joined(separator: "\n") == Self.text)
    }

    @Test(arguments: [24, 40, 60, 80]) func linesBreakBetweenWords(width: Int) {
        let lines = HelpText(text: Self.text).lines(width: width)
        let words = Set(Self.text.split { $0 == " " || $0 == "\n" })
        for line in lines {
            #expect(line.count <= width, "\(line)")
            for word in line.split(separator: " ") where width >= 40 { #expect(words.contains(word), "\(word)") }
        }
        #expect(
            lines.joined(separator: " ").split(separator: " ") == Self.text.split { $0 == " " || $0 == "\n" }
                || width < 40)
    }

    @Test func anOptionKeepsItsColumn() {
        let lines = HelpText(text: Self.text).lines(width: 50)
        #expect(lines.contains("  --db FILE     The database; by default one in"))
        #expect(lines.contains("                your data folder."))
    }
}
