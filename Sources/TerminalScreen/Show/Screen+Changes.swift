import CNcurses
import Foundation
import TerminalCells

extension Screen {
    /// Writes the cells that differ from the shown ones into ncurses' window. Returns whether there are any.
    func encodeChanges(to grid: Grid) -> Bool {
        encoder.beginFrame()
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

    /// Returns the columns from the first changed cell to the last, widened to whole characters.
    ///
    /// Compares bytes, because a cell holds its text inline. If different bytes mean the same, ncurses finds nothing to
    /// write.
    private func changedColumns(
        from old: UnsafeBufferPointer<Grid.Cell>, to new: UnsafeBufferPointer<Grid.Cell>
    ) -> Range<Int>? {
        guard let oldCells = old.baseAddress, let newCells = new.baseAddress else { return nil }
        let size = MemoryLayout<Grid.Cell>.stride
        if memcmp(oldCells, newCells, new.count * size) == 0 { return nil }
        var first = 0
        while memcmp(oldCells + first, newCells + first, size) == 0 { first += 1 }
        var last = new.count - 1
        while memcmp(oldCells + last, newCells + last, size) == 0 { last -= 1 }
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
        // This function neither moves the cursor nor wraps, so the last cell of the last line needs no special
        // treatment.
        wadd_wchnstr(window, encodedLine, Int32(encodedLine.count))
    }
}
