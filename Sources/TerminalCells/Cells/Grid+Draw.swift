extension Grid {
    /// Draws one line of text with its left end at `x`, `y` and returns the column after it.
    ///
    /// What is outside `clip` (or the grid) is not drawn; a wide character of which only half would be visible becomes
    /// a blank. Unsafe characters of the text are replaced. Cost: the columns drawn, whatever the length of the text.
    ///
    /// - Parameters:
    ///   - line: the runs of the line.
    ///   - x: the column, counted from 0.
    ///   - y: the line, counted from 0.
    ///   - clip: what is outside is not drawn; nil for the whole grid.
    ///   - level: which characters the terminal can show.
    @discardableResult
    public mutating func draw(
        _ line: Line, x: Int, y: Int, in clip: Rect? = nil, level: UnicodeLevel = .safe
    ) -> Int {
        let area = clip.map { $0.intersection(bounds) } ?? bounds
        guard y >= area.y, y < area.maxY else { return x }
        var column = x
        for run in line {
            var glyphs = Glyphs(run.text, level: level, column: column - x, limit: area.maxX - column)
            let start = column
            let style = run.linkedStyle
            while column < area.maxX, let glyph = glyphs.next() {
                put(glyph, style, x: column, y: y, in: area)
                column += glyph.width
            }
            if let link = run.link { add(LineLink(start..<column, link), x: 0, y: y, in: area) }
            if column >= area.maxX { break }
        }
        return Swift.min(column, area.maxX)
    }

    /// Draws a text in one style. See `draw(_:x:y:in:level:)`.
    /// - Parameters:
    ///   - text: the text.
    ///   - style: the colours and attributes.
    ///   - x: the column, counted from 0.
    ///   - y: the line, counted from 0.
    ///   - clip: what is outside is not drawn; nil for the whole grid.
    ///   - level: which characters the terminal can show.
    @discardableResult
    public mutating func draw(
        _ text: String, _ style: Style = .plain, x: Int, y: Int, in clip: Rect? = nil, level: UnicodeLevel = .safe
    ) -> Int {
        draw([Run(text, style)], x: x, y: y, in: clip, level: level)
    }

    /// Fills a rectangle with one cell, which must not be wide.
    /// - Parameters:
    ///   - rect: the rectangle.
    ///   - cell: what each column holds.
    public mutating func fill(_ rect: Rect, with cell: Cell = .blank) {
        let area = rect.intersection(bounds)
        guard area.width > 0 else { return }
        for y in area.y..<area.maxY {
            blankCutCharacters(from: area.x, to: area.maxX, y: y)
            update(area.x + y * width..<area.maxX + y * width, repeating: cell)
        }
    }

    /// Draws a thin vertical line in the rectangle's first column.
    /// - Parameters:
    ///   - rect: the rectangle.
    ///   - style: the colours and attributes.
    ///   - level: which characters the terminal can show.
    public mutating func verticalRule(_ rect: Rect, _ style: Style = .plain, level: UnicodeLevel = .safe) {
        let column = Rect(x: rect.x, y: rect.y, width: Swift.min(1, rect.width), height: rect.height)
        fill(column, with: Cell(level == .ascii ? "|" : "│", style))
    }

    /// Draws a thin horizontal line in the rectangle's first line.
    /// - Parameters:
    ///   - rect: the rectangle.
    ///   - style: the colours and attributes.
    ///   - level: which characters the terminal can show.
    public mutating func horizontalRule(_ rect: Rect, _ style: Style = .plain, level: UnicodeLevel = .safe) {
        let line = Rect(x: rect.x, y: rect.y, width: rect.width, height: Swift.min(1, rect.height))
        fill(line, with: Cell(level == .ascii ? "-" : "─", style))
    }

    private mutating func put(_ glyph: Glyph, _ style: Style, x: Int, y: Int, in area: Rect) {
        guard glyph.width == 2 else {
            if x >= area.x { replace(x: x, y: y, with: Cell(glyph.character, style)) }
            return
        }
        if x >= area.x, x + 1 < area.maxX {
            replace(x: x, y: y, with: Cell(glyph.character, style))
            replace(x: x + 1, y: y, with: Cell(nil, style))
            self[x, y].character = glyph.character
        } else if x >= area.x {
            replace(x: x, y: y, with: Cell(" ", style))
        } else if x + 1 >= area.x {
            replace(x: x + 1, y: y, with: Cell(" ", style))
        }
    }

    /// Replaces a cell and blanks the other half of a wide character that it cuts in two.
    mutating func replace(x: Int, y: Int, with cell: Cell) {
        if self[x, y].isCovered, x > 0, !self[x - 1, y].isCovered { self[x - 1, y].text = .blank }
        if x + 1 < width, self[x + 1, y].isCovered { self[x + 1, y].text = .blank }
        self[x, y] = cell
    }
}

extension Grid {
    /// Copies a line of cells that was drawn elsewhere, its first one to `x`, `y`; what lies outside `clip` is left out.
    package mutating func copy(_ line: [Cell], x: Int, y: Int, in clip: Rect) {
        _ = copied(line, x: x, y: y, in: clip)
    }

    /// Copies a line in the same way, in other styles.
    ///
    /// - Parameter change: What becomes of each style; nil leaves a blank. The same style always becomes the same, so it is asked once
    ///   for a stretch of cells in one style.
    package mutating func copy(_ line: [Cell], x: Int, y: Int, in clip: Rect, _ change: (Style) -> Style?) {
        if let columns = copied(line, x: x, y: y, in: clip) { restyle(columns, change) }
    }

    /// - Returns: the cells that were overwritten, if any.
    private mutating func copied(_ line: [Cell], x: Int, y: Int, in clip: Rect) -> Range<Int>? {
        let area = clip.intersection(bounds)
        guard y >= area.y, y < area.maxY else { return nil }
        let start = Swift.max(x, area.x)
        let end = Swift.min(x + line.count, area.maxX)
        guard start < end else { return nil }
        blankCutCharacters(from: start, to: end, y: y)
        let range = start + y * width..<end + y * width
        update(range, with: line[start - x..<end - x])
        if self[start, y].isCovered { self[start, y].text = .blank }
        if end - x < line.count, line[end - x].isCovered { self[end - 1, y].text = .blank }
        return range
    }

    /// Blanks the halves of wide characters that stick out of a stretch which is about to be written over.
    private mutating func blankCutCharacters(from start: Int, to end: Int, y: Int) {
        if start > 0, self[start, y].isCovered { self[start - 1, y].text = .blank }
        if end < width, self[end, y].isCovered { self[end, y].text = .blank }
    }
}
