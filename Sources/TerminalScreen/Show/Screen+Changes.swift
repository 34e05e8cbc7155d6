import CNcurses
import Foundation
import TableModel

extension Screen {
    /// Puts the cells that differ from the shown ones into ncurses' window. Says whether there are any.
    func encodeChanges(to grid: Grid) -> Bool {
        guard let shown, shown.width == grid.width, shown.height == grid.height else {
            werase(yap_standard_window())
            eachLine(of: grid) { y, line in encode(0..<line.count, of: line, y: y, grid: grid) }
            return true
        }
        var hasChanges = false
        shown.cells.withUnsafeBufferPointer { before in
            eachLine(of: grid) { y, line in
                let old = UnsafeBufferPointer(rebasing: before[y * grid.width..<(y + 1) * grid.width])
                guard let columns = changedColumns(from: old, to: line) else { return }
                encode(columns, of: line, y: y, grid: grid)
                hasChanges = true
            }
        }
        return hasChanges
    }

    private func eachLine(of grid: Grid, _ body: (Int, UnsafeBufferPointer<Grid.Cell>) -> Void) {
        grid.cells.withUnsafeBufferPointer { cells in
            for y in 0..<min(grid.height, size.height) {
                body(y, UnsafeBufferPointer(rebasing: cells[y * grid.width..<(y + 1) * grid.width]))
            }
        }
    }

    /// From the first changed cell to the last, widened to whole characters.
    private func changedColumns(
        from old: UnsafeBufferPointer<Grid.Cell>, to new: UnsafeBufferPointer<Grid.Cell>
    ) -> Range<Int>? {
        guard let oldBytes = old.baseAddress, let newBytes = new.baseAddress else { return nil }
        // Equal bytes are equal cells, and most lines of most frames are. The reverse does not hold.
        if memcmp(oldBytes, newBytes, new.count * MemoryLayout<Grid.Cell>.stride) == 0 { return nil }
        guard var first = new.indices.first(where: { old[$0] != new[$0] }),
            let last = new.indices.last(where: { old[$0] != new[$0] })
        else { return nil }
        while first > 0, new[first].isCovered { first -= 1 }
        return first..<last + 1
    }

    private func encode(_ columns: Range<Int>, of line: UnsafeBufferPointer<Grid.Cell>, y: Int, grid: Grid) {
        encodedLine.removeAll(keepingCapacity: true)
        encoder.encode(columns, of: line, into: &encodedLine) {
            Set(grid.cells.map(\.style)).union(shown?.cells.map(\.style) ?? [])
        }
        let window = yap_standard_window()
        wmove(window, Int32(y), Int32(columns.lowerBound))
        // This one neither moves the cursor nor wraps, so the last cell of the last line is like any other.
        wadd_wchnstr(window, encodedLine, Int32(encodedLine.count))
    }
}
