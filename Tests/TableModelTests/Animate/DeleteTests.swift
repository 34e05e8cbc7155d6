import Testing

@testable import TableModel

@Suite struct DeleteTests {
    @Test func theTextFadesAndThenTheSpaceCloses() {
        var screen = Screen(Rows("a b c"))
        screen.change(to: Rows("a c"))
        #expect(screen.lines(after: 50) == [" a", " b", " c", "", ""])
        #expect(screen.lines(after: 110) == [" a", "", " c", "", ""])
        #expect(screen.lines(after: 240) == [" a", " c", "", "", ""])
    }

    @Test func theTextGetsFainter() {
        var screen = Screen(Rows("a b c"))
        screen.change(to: Rows("a c"))
        let early = screen.frame(after: 20)[1, 1].style.foreground
        let late = screen.frame(after: 80)[1, 1].style.foreground
        #expect(early.luminance > late.luminance)
    }

    @Test func rowsFromBelowMoveIn() {
        var screen = Screen(Rows("a b c d e"), height: 3)
        screen.change(to: Rows("a d e"))
        #expect(screen.lines() == [" a", " b", " c"])
        #expect(screen.lines(after: 110) == [" a", "", ""])
        #expect(screen.lines(after: 300) == [" a", " d", " e"])
    }

    @Test func aRowReplacedByAnotherStaysInItsPlace() {
        var screen = Screen(Rows("a b c"))
        screen.change(to: Rows("a x c"))
        #expect(screen.lines(after: 50) == [" a", " b", " c", "", ""])
        #expect(screen.lines(after: 250) == [" a", " x", " c", "", ""])
    }

    @Test func theLastRowLeavesTheEmptyText() {
        var screen = Screen(Rows("a"), width: 16)
        screen.change(to: Rows([], hasHeaders: false))
        #expect(screen.lines(after: 50) == [" a", "", "", "", ""])
        #expect(screen.lines(after: 120) == ["", "  Nothing here", "", "", ""])
    }
}
