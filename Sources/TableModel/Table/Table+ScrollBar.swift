import ListChanges

extension Table {
    /// The lines that the scroll bar's thumb covers; nil if everything is visible. O(log n).
    var thumb: Range<Int>? {
        let (shown, all) = (Double(shownLines), listLines)
        guard let top = topLine, all > shown else { return nil }
        let length = min(height, max(1, (Double(height) * shown / all).nearestInt))
        let line = (Double(height - length) * top / (all - shown)).nearestInt
        let start = min(max(0, line), height - length)
        return start..<start + length
    }

    func drawScrollBar(into grid: inout Grid, in rect: Rect) {
        guard let thumb, rect.width > 0 else { return }
        let cell = Grid.Cell(options.theme.unicode == .ascii ? "#" : "▐", options.theme.rule)
        let bar = Rect(x: rect.maxX - 1, y: rect.y + thumb.lowerBound, width: 1, height: thumb.count)
        grid.fill(bar.intersection(rect), with: cell)
    }
}
