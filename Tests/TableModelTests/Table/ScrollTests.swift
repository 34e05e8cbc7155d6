import ListChanges
import Testing

@testable import TableModel

@Suite struct ScrollTests {
    private let ten = Rows("a b c d e f g h i j")

    @Test func atTheEndAnAppendedRowScrollsTheOthers() {
        var screen = Screen(ten, height: 3, TableOptions(opensAt: .end, hasScrollBar: false))
        #expect(screen.lines() == [" h", " i", " j"])
        screen.change(to: Rows("a b c d e f g h i j k"))
        screen.wait()
        #expect(screen.lines() == [" i", " j", " k"])
        #expect(screen.table.newBelow == 0)
    }

    @Test func scrolledBackTheTopRowKeepsItsLineAndNewRowsAreCounted() {
        var screen = Screen(ten, width: 20, height: 3, TableOptions(opensAt: .end, hasScrollBar: false))
        screen.perform(.scroll(lines: -4))
        screen.change(to: Rows("a b c d e f g h i j k l"))
        screen.wait()
        #expect(screen.lines() == [" d", " e", " f    ↓ 2 new below"])
        #expect(screen.table.newBelow == 2)
        screen.change(to: Rows("a b c d e f g h i j k"))
        #expect(screen.table.newBelow == 2, "it is unknown which of the five below were new")
        screen.perform(.selectLast)
        #expect(screen.table.newBelow == 0)
    }

    @Test func thereAreNeverMoreNewRowsThanRowsBelow() {
        var screen = Screen(ten, width: 20, height: 3, TableOptions(opensAt: .end, hasScrollBar: false))
        screen.perform(.scroll(lines: -1))
        screen.change(to: Rows("a b c d e f g h i j k l"))
        screen.perform(.scroll(lines: 2))
        #expect(screen.table.newBelow == 1)
    }

    @Test func aTableThatDoesNotFollowItsEndCountsNothing() {
        var screen = Screen(ten, height: 3, TableOptions(follows: .start, hasScrollBar: false))
        screen.change(to: Rows("a b c d e f g h i j k"))
        #expect(screen.table.newBelow == 0)
    }

    @Test func whenTheTopRowGoesTheNextOneKeepsItsLine() {
        var screen = Screen(ten, height: 3)
        screen.perform(.scroll(lines: 3))
        screen.change(to: Rows("a b c e f g h i j"))
        screen.wait()
        #expect(screen.lines() == [" c", " e", " f"])
    }

    @Test func whenTheTopRowMovesAwayTheNextOneKeepsItsLine() {
        var screen = Screen(ten, height: 3)
        screen.perform(.scroll(lines: 3))
        screen.change(to: Rows("a b c e f g h i d j"))
        screen.wait()
        #expect(screen.lines() == [" c", " e", " f"])
    }

    @Test func whenAllThatIsSeenGoesTheNextRowComesToTheTop() {
        var screen = Screen(ten, height: 3)
        screen.perform(.scroll(lines: 3))
        screen.change(to: Rows("a b c g h i j"))
        screen.wait()
        #expect(screen.lines() == [" g", " h", " i"])
    }

    @Test func olderRowsLoadedAboveMoveNothing() {
        var screen = Screen(Rows("g h i j"), height: 3)
        screen.table.scroll(to: .end, source: screen.rows, at: screen.time)
        screen.perform(.scroll(lines: -1))
        screen.change(to: ten)
        screen.wait()
        #expect(screen.lines() == [" g", " h", " i"])
    }

    @Test func aTableThatFollowsTheStartShowsWhatComesThere() {
        var screen = Screen(Rows("c d e f g"), height: 3, TableOptions(follows: .start, hasScrollBar: false))
        screen.change(to: Rows("b c d e f g"))
        screen.wait()
        #expect(screen.lines() == [" b", " c", " d"])
        #expect(screen.table.scrollState == .atStart)
    }

    @Test func anotherSizeKeepsTheTopRow() {
        var screen = Screen(ten, height: 3)
        screen.perform(.scroll(lines: 4))
        screen.table.resize(width: 10, height: 5, source: screen.rows, at: screen.time)
        #expect(screen.lines() == [" e", " f", " g", " h", " i"])
        screen.table.resize(width: 20, height: 2, source: screen.rows, at: screen.time)
        #expect(screen.lines() == [" e", " f"])
    }

    @Test func aTallRowAtTheTopKeepsTheLinesThatWereSeen() {
        var tall = ten
        tall.sections[0].rows[0].height = 4
        var screen = Screen(tall, height: 3)
        screen.perform(.scroll(lines: 2))
        #expect(screen.lines() == ["   a+2", "   a+3", " b"])
        #expect(screen.table.scrollState == .anchored(RowKey(collection: "", key: "a"), line: -2))
        var after = tall
        after.sections[0].rows.insert(.init("x"), at: 0)
        screen.change(to: after)
        #expect(screen.lines() == ["   a+2", "   a+3", " b"])
    }

    @Test func aStateReadIsAStateRestored() {
        var screen = Screen(ten, height: 3)
        screen.perform(.scroll(lines: 4))
        let state = screen.table.scrollState
        screen.perform(.selectLast)
        screen.table.restore(state, source: screen.rows, at: screen.time)
        #expect(screen.lines()[0] == " e")
    }

    @Test func whileSomethingMovesTheStateIsAnimating() {
        var screen = Screen(Rows("a b c"))
        screen.change(to: Rows("a b c d"))
        #expect(screen.table.scrollState(at: screen.time) == .animating)
        screen.wait()
        #expect(screen.table.scrollState(at: screen.time) == .atEnd)
    }

    @Test func tenMillionRowsAreScrolledByLookingAtAFewOfThem() {
        final class Counter: @unchecked Sendable {
            // Used only by the test that created it.
            var cells = 0
        }
        struct Endless: TableSource {
            let asked: Counter
            let numberOfSections = 1
            func numberOfRows(in section: Int) -> Int { 10_000_000 }
            func key(at path: RowPath) -> RowKey { RowKey(collection: "", key: "\(path.row)") }
            func path(of key: RowKey) -> RowPath? { nil }
            func cell(at path: RowPath, width: Int) -> RowCell {
                asked.cells += 1
                return RowCell([Line(text: "row \(path.row)")])
            }
        }
        let counter = Counter()
        let source = Endless(asked: counter)
        var table = Table()
        table.resize(width: 20, height: 10, source: source, at: 0)
        table.perform(.dragScrollBar(y: 5), source: source, at: 0)
        table.perform(.selectNumber(9_000_000), source: source, at: 0)
        table.perform(.pageDown(1), source: source, at: 0)
        table.perform(.scroll(lines: 1_000_000), source: source, at: 0)
        table.perform(.selectLast, source: source, at: 0)
        var grid = Grid(width: 20, height: 10)
        table.draw(into: &grid, in: grid.bounds, at: 9)
        #expect(grid.lines[9] == "▌row 9999999       ▐")
        #expect(counter.cells < 150, "asked for \(counter.cells) cells")
    }
}
