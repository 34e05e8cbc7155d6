import TerminalCells
import Testing

@testable import TerminalScreen

@Suite struct BackgroundReportTests {
    @Test(arguments: [
        ("11;rgb:ffff/ffff/ffff", Theme.Background.light), ("11;rgb:0000/0000/0000", .dark), ("11;rgb:f/f/e", .light),
        ("11;rgb:00/2b/36", .dark), ("11;rgba:fd/f6/e3/ff", .light), ("11;rgb:8000/0000/ffff", .unknown),
        ("11;rgb:28/28/28", .dark), ("11;rgb:77/77/77", .unknown), ("11;rgb:e4/e4/e4", .light),
    ])
    func aColourIsDarkOrLightOrNeither(answer: String, background: Theme.Background) {
        var parser = InputParser()
        #expect(parser.feed("\u{1B}]\(answer)\u{1B}\\".utf8, at: 0) == [])
        #expect(parser.background == background)
    }

    @Test(arguments: ["10;rgb:ffff/ffff/ffff", "11;rgb:ffff/ffff", "11;rgb:fffff/0/0", "11;rgb:x/y/z", "11;?", ""])
    func anythingElseSaysNothing(answer: String) {
        var parser = InputParser()
        #expect(parser.feed("\u{1B}]\(answer)\u{07}".utf8, at: 0) == [])
        #expect(parser.background == nil)
        #expect(parser.feed("x".utf8, at: 0) == [.key("x")])
    }
}
