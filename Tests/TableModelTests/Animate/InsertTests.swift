import Testing

@testable import TableModel

@Suite struct InsertTests {
    @Test func theSpaceOpensAndThenTheTextAppears() {
        var screen = Screen(Rows("a b c"))
        screen.change(to: Rows("a x b c"))
        #expect(screen.lines() == [" a", " b", " c", "", ""])
        #expect(screen.lines(after: 60) == [" a", "", " b", " c", ""])
        #expect(screen.lines(after: 150) == [" a", " x", " b", " c", ""])
        #expect(screen.lines(after: 300) == [" a", " x", " b", " c", ""])
    }

    @Test func theTextFadesInFromHalfWay() {
        var screen = Screen(Rows("a b c"))
        screen.change(to: Rows("a x b c"))
        #expect(screen.frame(after: 79)[1, 1].character == " ")
        let faint = screen.frame(after: 120)[1, 1].style.foreground
        let strong = screen.frame(after: 180)[1, 1].style.foreground
        #expect(faint.luminance < strong.luminance)
        #expect(screen.frame(after: 200)[1, 1].style == .plain)
    }

    @Test func severalRowsOpenOneSpace() {
        var screen = Screen(Rows("a b c"), TableOptions(follows: .start, hasScrollBar: false))
        screen.change(to: Rows("a x y z b c"))
        #expect(screen.lines(after: 30) == [" a", "", " b", " c", ""])
        #expect(screen.lines(after: 170) == [" a", " x", " y", " z", " b"])
    }

    @Test func atTheEndTheOthersScrollUp() {
        var screen = Screen(Rows("a b c d e f"), TableOptions(opensAt: .end, hasScrollBar: false))
        #expect(screen.lines() == [" b", " c", " d", " e", " f"])
        screen.change(to: Rows("a b c d e f g"))
        #expect(screen.lines(after: 60) == [" c", " d", " e", " f", ""])
        #expect(screen.lines(after: 250) == [" c", " d", " e", " f", " g"])
        #expect(screen.table.scrollState == .atEnd)
    }

    @Test func aNewRowCanBeReadAtOnceIfThatIsWanted() {
        let options = TableOptions(opensAt: .end, hasScrollBar: false, showsNewRowsAtOnce: true)
        var screen = Screen(Rows("a b c d e f"), options)
        screen.change(to: Rows("a b c d e f g"))
        #expect(screen.lines() == [" b", " c", " d", " e", " g"])
        #expect(screen.lines(after: 250) == [" c", " d", " e", " f", " g"])
    }

    @Test func aboveTheScreenNothingMoves() {
        var screen = Screen(Rows("a b c d e f g h i j"), height: 3)
        screen.perform(.scroll(lines: 4))
        screen.change(to: Rows("x y a b c d e f g h i j"))
        #expect(screen.lines(after: 50) == [" e", " f", " g"])
        #expect(screen.table.nextFrame(after: screen.time) == nil)
    }

    @Test func aTallRowOpensLineByLine() {
        var screen = Screen(Rows("a b"))
        var after = Rows("a x b")
        after.sections[0].rows[1].height = 3
        screen.change(to: after)
        let tops = [0.0, 20, 50, 160].map { screen.lines(after: $0).firstIndex(of: " b") }
        #expect(tops == [1, 2, 3, 4])
    }
}
