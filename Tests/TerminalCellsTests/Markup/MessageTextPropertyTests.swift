import Testing

@testable import TerminalCells

@Suite struct MessageTextPropertyTests {
    private static let pieces = [
        "a", "word ", " ", "  ", "`", "``", "```", "\n", "\r\n", "> ", ">", "@", "@bob", "@bob.", ":", ":tada:", ":+1:",
        "https://a.b/", "http://", "h", "(", ")", ".", "-", "漢字", "👍🏿", "👨‍👩‍👧", "🇩🇪", "e\u{301}", "\u{301}", "\u{200D}",
        "\u{202E}", "\u{1B}[2J", "\u{1B}]8;;x\u{07}", "\t", "\u{9B}", "\u{FFFF}", "❤️",
        "a\u{300}\u{301}\u{302}\u{303}\u{304}",
    ]

    @Test(arguments: UnicodeLevel.allCases)
    func noTextIsWiderThanAskedForAndNoneIsLost(level: UnicodeLevel) {
        var random = SplitMix64(seed: 1818)
        let measure = TextMeasure(level)
        for _ in 0..<600 {
            let text = (0..<random.below(20)).map { _ in Self.pieces[random.below(Self.pieces.count)] }.joined()
            let width = 1 + random.below(30)
            let theme = Theme(unicode: level)
            let message = MessageText(text, names: ["bob"], reader: "bob")
            let lines = message.lines(width: width, theme: theme).lines
            for line in lines {
                #expect(measure.width(of: line.text) <= width, "\(text.debugDescription) in \(width): \(line.text)")
                #expect(measure.safe(line.text) == line.text, "safe: \(text.debugDescription)")
            }
            guard width > 14 else { continue }
            let shown = lines.map { $0.filter { $0.style != theme.rule }.text }.joined().filter { $0 != " " }
            #expect(shown == expected(of: text, level), "\(text.debugDescription) in \(width)")
            let links = Set(message.links)
            #expect(lines.joined().compactMap(\.link).allSatisfy(links.contains))
        }
    }

    /// The text without blanks, quotation marks and names of pictures, made safe.
    private func expected(of text: String, _ level: UnicodeLevel) -> String {
        MessageParagraph.paragraphs(of: text).map { paragraph in
            let shown =
                paragraph.isCode
                ? paragraph.text
                : SpanScanner.spans(of: paragraph.text, names: [], showsEmoji: level != .ascii).map(\.text).joined()
            return TextMeasure(level).safe(shown)
        }.joined().filter { $0 != " " }
    }

    /// Marks without counterparts must not make the work grow with the square of the length. A square of these lengths
    /// would take minutes.
    @Test(arguments: ["`` ` ```", "@@a", ":a", "http://((((", ")))", "> ", "h", "`", "\u{301}", "\u{202E}a"])
    func theWorkGrowsWithTheLength(piece: String) {
        let text = String(repeating: piece, count: 20_000 / piece.utf8.count) + "`"
        let lines = MessageText(text, names: ["bob"]).lines(width: 40, theme: Theme(), most: 10)
        #expect(lines.lines.count <= 11)
        let link = "http://a" + String(repeating: piece, count: 20_000 / piece.utf8.count)
        #expect(MessageText(link).links.count <= 1)
    }
}
