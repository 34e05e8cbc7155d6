import Testing

@testable import TerminalCells

@Suite struct MessageTextTests {
    private let theme = Theme()

    @Test func marksHaveTheirStyles() {
        #expect(styled("see `a b` and https://example.org/x.") == "see [code `a b`] and [link https://example.org/x].")
        #expect(styled("@Bob: hi @carol") == "[me @Bob]: hi [mention @carol]")
        #expect(styled("> so\nno") == "▏ {so}\nno")
        #expect(styled("```\n@bob `x`\n```\n@carol") == "[code ```]\n[code @bob `x`]\n[code ```]\n[mention @carol]")
    }

    @Test(arguments: [
        ("http://a.b/c(d)", "http://a.b/c(d)"), ("(http://a.b/c)", "http://a.b/c"), ("http://a.b/c...", "http://a.b/c"),
        ("HTTPS://A.B", "HTTPS://A.B"), ("<http://a.b>", "http://a.b"), ("**http://a.b**", "http://a.b"),
        ("http://a.b?x=1&y=2#z!", "http://a.b?x=1&y=2#z"), ("http://a.b\u{202E}cd", "http://a.b"),
        ("http://a.b/wiki/Köln 漢", "http://a.b/wiki/Köln"), ("http://a.b\u{3000}c", "http://a.b"),
    ])
    func aLinkEndsBeforeThePunctuationAroundIt(text: String, link: String) {
        #expect(MessageText(text).links == [link])
    }

    @Test(arguments: ["http://", "xhttp://a.b", "http:/a.b", "`http://a.b`", "http://...", "```\nhttp://a.b"])
    func textThatIsNoLink(text: String) {
        #expect(MessageText(text).links.isEmpty)
    }

    @Test func mentionsAreOfPeopleWhoAreKnown() {
        let names = ["Bob", "Zoë", "j.r.-doe"]
        let text = MessageText("@bob, @ZOË. a@bob @dave @j.r.-doe... @bobby `@bob`", names: names, reader: "Zoë")
        #expect(text.mentions == ["bob", "zoë", "j.r.-doe"] && text.isForReader)
        #expect(!MessageText("mail bob@bob", names: names, reader: "bob").isForReader)
    }

    @Test func namesOfEmojiBecomePictures() {
        #expect(plain(":tada: 10:30:15 :nonsense: :+1::tada:") == ["🎉 10:30:15 :nonsense: 👍🎉"])
        #expect(plain("`:tada:`") == ["`:tada:`"])
        let ascii = Theme(unicode: .ascii)
        #expect(MessageText(":tada:").lines(width: 20, theme: ascii).lines.map(\.text) == [":tada:"])
        #expect(EmojiNames.names(startingWith: "tad") == ["tada"])
        #expect(EmojiNames.all.count > 200)
        for name in EmojiNames.all {
            let picture = EmojiNames.picture(of: name) ?? ""
            #expect(picture.unicodeScalars.count == 1 || name == "rainbow_flag", "\(name)")
            #expect(
                TextMeasure().safe(picture) == picture && !picture.contains("\u{FFFD}"), "\(name) has a known width")
        }
    }

    @Test func aLineBreaksBetweenWordsAcrossStyles() {
        #expect(plain("one `two three` four", width: 9) == ["one `two", "three`", "four"])
        #expect(plain("> a quotation of many words", width: 12) == ["▏ a", "▏ quotation", "▏ of many", "▏ words"])
        #expect(plain("a\n\nb", width: 9) == ["a", "", "b"])
        #expect(plain("", width: 9) == [""])
        #expect(plain("abcdefgh ij", width: 8) == ["abcdefgh", "ij"])
    }

    @Test func aLongMessageIsFolded() {
        let text = MessageText((1...20).map { "\($0)" }.joined(separator: "\n"))
        let folded = text.lines(width: 40, theme: theme, most: 3, hint: "(Enter shows all)")
        #expect(folded.lines.map(\.text) == ["1", "2", "3", "… 17 more lines (Enter shows all)"])
        #expect(folded.hidden == 17)
        #expect(text.lines(width: 40, theme: theme, most: 19).lines.count == 20, "one line is not left out")
        #expect(text.lines(width: 8, theme: theme, most: 3).lines.last?.text == "… 17 mo…")
        let endless = MessageText(String(repeating: "x\n", count: 11_000)).lines(width: 40, theme: theme, most: 3)
        #expect(endless.lines.last?.text == "… more than 9997 more lines" && endless.hidden == 9997)
    }

    @Test func aLinkOverTwoLinesOpensTheWholeAddress() {
        let lines = MessageText("see https://example.org/a/long/path").lines(width: 20, theme: theme).lines
        #expect(lines.map(\.text) == ["see", "https://example.org/", "a/long/path"])
        var grid = Grid(width: 20, height: 3)
        for (y, line) in lines.enumerated() { grid.draw(line, x: 0, y: y) }
        let address = "https://example.org/a/long/path"
        #expect(grid.addresses(ofLine: 0) == nil)
        #expect(grid.addresses(ofLine: 2) == Dictionary(uniqueKeysWithValues: (0..<11).map { ($0, address) }))
        grid.draw("over it", x: 4, y: 2)
        #expect(grid.addresses(ofLine: 2)?.keys.sorted() == [0, 1, 2, 3])
        for (y, line) in lines.enumerated() {
            #expect(line.links(width: 12, level: .safe).map(\.columns) == [[], [0..<12], [0..<11]][y])
        }
    }

    private func plain(_ text: String, width: Int = 60) -> [String] {
        MessageText(text).lines(width: width, theme: theme).lines.map(\.text)
    }

    /// The lines with the names of styles in brackets.
    private func styled(_ text: String) -> String {
        let message = MessageText(text, names: ["carol"], reader: "bob")
        return message.lines(width: 60, theme: theme).lines.map { line in
            line.map { run in
                switch run.style {
                case theme.code: "[code \(run.text)]"
                case theme.link: run.link == run.text ? "[link \(run.text)]" : "[link to \(run.link ?? "nowhere")]"
                case theme.ownMention: "[me \(run.text)]"
                case theme.mention: "[mention \(run.text)]"
                case theme.secondary: "{\(run.text)}"
                default: run.text
                }
            }.joined()
        }.joined(separator: "\n")
    }
}
