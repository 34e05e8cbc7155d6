import ListChanges
import Testing

@testable import TableModel

/// A table without room on the screen.
@Suite struct UnseenTableTests {
    @Test func anUnseenTableShowsTheRowsAfterItsFirstChangeSet() {
        var table = Table()
        let (before, after) = (Rows("a b c"), Rows("b c d e"))
        #expect(table.apply(before.changes(to: after), source: after, at: 0) == nil)
        let last = Rows("c d e")
        #expect(table.apply(after.changes(to: last), source: last, at: 0) == nil)
        #expect(lines(&table, last) == [" c", " d", " e"])
    }

    @Test func aRowCanBeSelectedAndStaysSo() {
        var table = Table(options: TableOptions(hasScrollBar: false))
        let (before, after) = (Rows("a b c"), Rows("x a b c"))
        table.reload(source: before, at: 0)
        table.select(RowPath(section: 0, row: 1), source: before, at: 0)
        #expect(table.selection?.key == "b")
        #expect(table.apply(before.changes(to: after), source: after, at: 0) == nil)
        #expect(table.selection?.key == "b")
        #expect(lines(&table, after) == [" x", " a", "▌b"])
    }

    private func lines(_ table: inout Table, _ rows: Rows) -> [String] {
        table.resize(width: 5, height: 3, source: rows, at: 1)
        var grid = Grid(width: 5, height: 3)
        table.draw(into: &grid, in: grid.bounds, at: 100)
        return grid.lines
    }
}
