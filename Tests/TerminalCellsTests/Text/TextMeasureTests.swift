import Testing

@testable import TerminalCells

@Suite struct TextMeasureTests {
    private let measure = TextMeasure()

    @Test func aTextThatFitsIsLeftAlone() {
        #expect(measure.truncated("hello", to: 5) == "hello")
        #expect(measure.truncated("", to: 5) == "")
    }

    @Test func aTextThatDoesNotFitEndsInAnEllipsis() {
        #expect(measure.truncated("hello", to: 4) == "hel…")
        #expect(measure.truncated("hello", to: 1) == "…")
        #expect(measure.truncated("hello", to: 0) == "")
        #expect(TextMeasure(.ascii).truncated("hello", to: 4) == "hel~")
    }

    @Test func aWideCharacterIsNeverCutInTwo() {
        #expect(measure.truncated("漢字漢字", to: 5) == "漢字…")
        #expect(measure.truncated("漢字漢字", to: 6) == "漢字…")
        #expect(measure.padded("漢字漢字", to: 6) == "漢字… ")
    }

    @Test func paddingFillsTheColumnFromEitherSide() {
        #expect(measure.padded("ab", to: 5) == "ab   ")
        #expect(measure.padded("ab", to: 5, .right) == "   ab")
        #expect(measure.padded("ab", to: 5, .center) == " ab  ")
        #expect(measure.padded("漢", to: 5, .right) == "   漢")
    }

    @Test func twoColumnsKeepTheRightOneWhole() {
        #expect(measure.columns("Frank", "yesterday", width: 18) == "Frank    yesterday")
        #expect(measure.columns("Frank N. Furter", "yesterday", width: 18) == "Frank N… yesterday")
        #expect(measure.columns("Frank", "", width: 8) == "Frank   ")
        #expect(measure.columns("Frank", "yesterday", width: 4) == "yes…")
    }

    @Test func wordsAreWrappedWhole() {
        #expect(measure.wrapped("You done coding yet??", width: 10) == ["You done", "coding", "yet??"])
        #expect(measure.wrapped("", width: 10) == [""])
        #expect(measure.wrapped("one\n\ntwo\n", width: 10) == ["one", "", "two"])
        #expect(measure.wrapped("a\r\nb", width: 10) == ["a", "b"])
    }

    @Test func aWordLongerThanALineIsBroken() {
        #expect(measure.wrapped("abcdefghij kl", width: 4) == ["abcd", "efgh", "ij", "kl"])
        #expect(measure.wrapped("a abcdefghij", width: 4) == ["a", "abcd", "efgh", "ij"])
    }

    @Test func wideCharactersBreakAnywhere() {
        #expect(measure.wrapped("漢字漢字", width: 5) == ["漢字", "漢字"])
        #expect(measure.wrapped("ab漢字cd", width: 5) == ["ab漢", "字cd"])
    }

    @Test func aHyphenMayEndALine() {
        #expect(measure.wrapped("one-way street", width: 6) == ["one-", "way", "street"])
    }

    @Test func moreLinesThanAllowedEndInAnEllipsis() {
        #expect(measure.wrapped("a b c d e", width: 1, maxLines: 3) == ["a", "b", "…"])
        #expect(measure.wrapped("aa bb cc", width: 4, maxLines: 2) == ["aa", "bb…"])
        #expect(measure.wrapped("one\ntwo", width: 9, maxLines: 1) == ["one…"])
        #expect(measure.wrapped("one", width: 9, maxLines: 1) == ["one"])
    }

    @Test func aMegabyteIsCutBeforeItIsMeasured() {
        let line = String(repeating: "lorem ipsum ", count: 100_000)
        let marks = "a" + String(repeating: "\u{301}", count: 1_000_000)
        #expect(measure.truncated(line, to: 20) == "lorem ipsum lorem i…")
        #expect(measure.wrapped(line, width: 11, maxLines: 2) == ["lorem ipsum", "lorem ipsu…"])
        #expect(measure.wrapped(marks, width: 11, maxLines: 2).count == 1)
        #expect(measure.width(of: line, limit: 100) == 100)
        var grid = Grid(width: 10, height: 1)
        grid.draw(line, x: 0, y: 0)
        #expect(grid.lines == ["lorem ipsu"])
    }

    @Test func noWrappedLineIsWiderThanItMayBe() {
        var random = SplitMix64(seed: 7)
        let words = ["a", "word", "漢字", "👍🏿", "longer-word", " ", "  ", "\t", "e\u{301}", "\u{1B}[1m", "\n"]
        for _ in 0..<3000 {
            let text = (0..<random.below(12)).map { _ in
                words[random.below(words.count)] + (random.percent(50) ? " " : "")
            }
            .joined()
            let width = 2 + random.below(12)
            for line in measure.wrapped(text, width: width) {
                #expect(measure.width(of: line) <= width, "\(text.debugDescription) in \(width)")
            }
            let all = measure.wrapped(text, width: width).joined().filter { $0 != " " }
            #expect(all == measure.safe(text.filter { $0 != "\n" }).filter { $0 != " " }, "\(text.debugDescription)")
        }
    }
}
