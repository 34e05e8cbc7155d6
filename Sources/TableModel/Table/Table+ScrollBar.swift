import ListChanges

extension Table {
    /// The lines that the scroll bar's thumb covers; nil when everything can be seen.
    ///
    /// A row's place in the bar is its rank among all rows, so the bar costs O(log sections) and needs no heights.
    var thumb: Range<Int>? {
        let total = counts.total + outside.before + outside.after
        guard height > 0, let first = items.first(where: { $0.key != nil }),
            let last = items.last(where: { $0.key != nil }),
            let firstPath = first.place.path, let lastPath = last.place.path, total > 0
        else { return nil }
        let hidden = Double(max(0, -first.y)) / Double(first.height)
        let cut = Double(max(0, last.bottom - height)) / Double(last.height)
        let start = Double(outside.before + counts.rank(of: firstPath)) + hidden
        let end = Double(outside.before + counts.rank(of: lastPath) + 1) - cut
        guard end - start < Double(total) else { return nil }
        let length = max(1, (Double(height) * (end - start) / Double(total)).nearestInt)
        let room = Double(height - length)
        let top = (room * start / (Double(total) - (end - start))).nearestInt
        let line = min(max(0, top), height - length)
        return line..<line + length
    }

    func drawScrollBar(into grid: inout Grid, in rect: Rect) {
        guard let thumb, rect.width > 0 else { return }
        let cell = Grid.Cell(options.theme.unicode == .ascii ? "#" : "▐", options.theme.rule)
        let bar = Rect(x: rect.maxX - 1, y: rect.y + thumb.lowerBound, width: 1, height: thumb.count)
        grid.fill(bar.intersection(rect), with: cell)
    }
}
