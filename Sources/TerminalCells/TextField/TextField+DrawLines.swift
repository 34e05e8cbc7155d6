extension TextField {
    /// Draws the lines around the cursor.
    func drawLines(into grid: inout Grid, in area: Rect, _ theme: Theme, _ isFocused: Bool) {
        let rows = Rows(characters, width: area.width, level: theme.unicode)
        let top = firstRow(of: rows, height: area.height)
        for row in top..<min(rows.count, top + area.height) {
            let y = area.y + row - top
            for index in rows.range(row) where characters[index] != "\n" && rows.columns[index] < area.width {
                draw(characters[index], column: rows.columns[index], y: y, into: &grid, in: area, theme)
            }
        }
        let edge = area.maxX - 1
        if top > 0 { grid.draw("↑", theme.secondary, x: edge, y: area.y, in: area, level: theme.unicode) }
        if top + area.height < rows.count {
            grid.draw("↓", theme.secondary, x: edge, y: area.maxY - 1, in: area, level: theme.unicode)
        }
        guard isFocused else { return }
        grid.cursor = (
            area.x + min(rows.columns[cursor], area.width - 1), area.y + rows.row(of: cursor) - top
        )
    }

    private func draw(
        _ character: Character, column: Int, y: Int, into grid: inout Grid, in area: Rect, _ theme: Theme
    ) {
        var x = area.x + column
        for glyph in Glyphs(String(character), level: theme.unicode, column: column) {
            grid.draw(String(glyph.character), x: x, y: y, in: area, level: theme.unicode)
            x += glyph.width
        }
    }

    /// The first line that is shown: the text moves by half the height, so that it rests while the cursor moves.
    private func firstRow(of rows: Rows, height: Int) -> Int {
        let row = rows.row(of: cursor)
        guard row >= height else { return 0 }
        let step = max(1, height / 2)
        return min(rows.count - height, ((row - height) / step + 1) * step)
    }

    /// Moves the cursor to the character under a click, in the rectangle in which the field is drawn.
    /// - Parameters:
    ///   - x: the column, counted from 0.
    ///   - y: the line, counted from 0.
    ///   - rect: the rectangle.
    ///   - prompt: what stands before the text.
    ///   - level: which characters the terminal can show.
    public mutating func moveCursor(
        toX x: Int, y: Int, in rect: Rect, prompt: Run = TextField.prompt, level: UnicodeLevel = .safe
    ) {
        let area = rect.splitTop(maxLines).top
            .splitLeft(TextMeasure(level).width(of: prompt.text, limit: rect.width)).rest
        guard !area.isEmpty else { return }
        if maxLines > 1 {
            let rows = Rows(characters, width: area.width, level: level)
            let row = firstRow(of: rows, height: area.height) + max(0, min(area.height - 1, y - area.y))
            cursor = row < rows.count ? rows.index(row: row, column: x - area.x) : characters.count
        } else {
            let rows = Rows(characters, width: .max, level: level)
            cursor = rows.index(row: 0, column: x - area.x + View(self, width: area.width, level: level).offset)
        }
    }
}
