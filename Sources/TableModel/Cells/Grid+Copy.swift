extension Grid {
    /// Copies a line of cells, starting at `x`, `y` and cut to `clip`.
    ///
    /// - Parameter change: Maps each style, nil to keep them. It must map equal styles equally: it is called once for a
    ///   stretch of cells in one style.
    mutating func copy(_ line: [Cell], x: Int, y: Int, in clip: Rect, _ change: ((Style) -> Style?)? = nil) {
        let area = clip.intersection(bounds)
        guard y >= area.y, y < area.maxY else { return }
        let start = Swift.max(x, area.x)
        let end = Swift.min(x + line.count, area.maxX)
        guard start < end else { return }
        blankCutCharacters(from: start, to: end, y: y)
        update(start + y * width..<end + y * width, with: line[start - x..<end - x], change)
        if self[start, y].isCovered { self[start, y].text = .blank }
        if end - x < line.count, line[end - x].isCovered { self[end - 1, y].text = .blank }
    }

    /// Blanks the halves of wide characters that extend beyond a stretch about to be overwritten.
    private mutating func blankCutCharacters(from start: Int, to end: Int, y: Int) {
        if start > 0, self[start, y].isCovered { self[start - 1, y].text = .blank }
        if end < width, self[end, y].isCovered { self[end, y].text = .blank }
    }
}
