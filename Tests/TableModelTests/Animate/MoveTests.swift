import ListChanges
import Testing

@testable import TableModel

@Suite struct MoveTests {
    @Test func aRowTravelsAboveTheOthers() {
        var screen = Screen(Rows("a b c d e"))
        screen.change(to: Rows("a c d e b"))
        #expect(screen.lines() == [" a", " b", " c", " d", " e"])
        #expect(screen.lines(after: 120)[2...3].contains(" b"))
        #expect(screen.lines(after: 240) == [" a", " c", " d", " e", " b"])
    }

    @Test func aMovedRowIsTintedUntilAfterItLands() {
        var screen = Screen(Rows("a b c d e"))
        screen.change(to: Rows("a c d e b"))
        #expect(screen.frame(after: 240)[5, 4].style.background != .terminal)
        #expect(screen.frame(after: 740)[5, 4].style == .plain)
        #expect(screen.frame(after: 240)[5, 1].style == .plain)
    }

    @Test func aMovedRowComesInFromBelowTheScreen() {
        var screen = Screen(Rows("a b c d e f g"), height: 3)
        screen.change(to: Rows("a g b c d e f"))
        #expect(screen.lines() == [" a", " b", " c"])
        #expect(screen.lines(after: 250) == [" a", " g", " b"])
        let travel = [60, 100, 140, 200].map { screen.lines(after: Double($0)).firstIndex(of: " g") }
        #expect(travel == [nil, 2, 2, 1])
    }

    @Test func aMovedRowLeavesOverTheTop() {
        var screen = Screen(Rows("a b c d e f g"), height: 3)
        screen.perform(.scroll(lines: 3))
        #expect(screen.lines() == [" d", " e", " f"])
        screen.change(to: Rows("e a b c d f g"))
        #expect(screen.lines() == [" d", " e", " f"])
        #expect(screen.lines(after: 120) == [" e", " f", " g"])
        #expect(screen.lines(after: 300) == [" d", " f", " g"])
    }

    @Test func anUpdateRidesOnAMove() {
        var screen = Screen(Rows("a b c"))
        var after = Rows("b c a")
        after.sections[0].rows[2].text = "A!"
        screen.change(to: after)
        #expect(screen.lines()[0] == " A!", "the content changes at once, while it travels")
        #expect(screen.lines(after: 300) == [" b", " c", " A!", "", ""])
    }

    @Test func betweenSectionsItTravelsAsWell() {
        var screen = Screen(
            Rows([.init("A", [.init("a"), .init("b")]), .init("B", [.init("c")])]), height: 6,
            TableOptions(follows: .start, hasScrollBar: false))
        screen.change(to: Rows([.init("A", [.init("a")]), .init("B", [.init("c"), .init("b")])]))
        #expect(screen.lines() == [" A      1", " a", " b", " B      2", " c", ""])
        #expect(screen.lines(after: 250) == [" A      1", " a", " B      2", " c", " b", ""])
    }

    @Test func aMoveToTheSamePlaceIsATintAlone() {
        var screen = Screen(Rows("a b c"))
        let path = RowPath(section: 0, row: 1)
        let change = RowChange(
            type: .move, flags: .object, key: RowKey(collection: "", key: "b"), before: path, after: path,
            originalGroup: "", finalGroup: "")
        let misfit = screen.table.apply(ChangeSet(rowChanges: [change]), source: screen.rows, at: screen.time)
        #expect(misfit == nil)
        #expect(screen.lines(after: 100) == [" a", " b", " c", "", ""])
        #expect(screen.frame(after: 100)[5, 1].style.background != .terminal)
    }
}
