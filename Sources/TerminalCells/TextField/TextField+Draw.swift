extension TextField {
    /// What stands before a text unless a program gives something else.
    public static let prompt = Run("› ")

    /// Draws the field at the top of a rectangle, scrolled so that the cursor is visible, and puts the terminal's cursor
    /// there if the field has the focus. A field of several lines uses the rectangle's height, at most ``maxLines``.
    ///
    /// The text scrolls by half the width or height at a time, so that it rests while the user types. Arrows at the edges
    /// show that there is more.
    ///
    /// - Parameters:
    ///   - grid: what is drawn into.
    ///   - rect: the rectangle.
    ///   - prompt: what stands before the text.
    ///   - theme: the colours and symbols.
    ///   - isFocused: whether the terminal's cursor is put there.
    public func draw(
        into grid: inout Grid, in rect: Rect, prompt: Run = TextField.prompt, theme: Theme, isFocused: Bool
    ) {
        let field = rect.splitTop(maxLines).top
        grid.fill(field)
        let start = grid.draw([prompt], x: field.x, y: field.y, in: field, level: theme.unicode)
        let area = field.splitLeft(start - field.x).rest
        guard !area.isEmpty else { return }
        if isEmpty {
            grid.draw(placeholder, theme.secondary, x: area.x, y: area.y, in: area, level: theme.unicode)
        }
        if maxLines > 1 {
            drawLines(into: &grid, in: area, theme, isFocused)
        } else {
            drawLine(into: &grid, in: area, theme, isFocused)
        }
    }

    private func drawLine(into grid: inout Grid, in area: Rect, _ theme: Theme, _ isFocused: Bool) {
        let view = View(self, width: area.width, level: theme.unicode)
        for glyph in view.glyphs {
            grid.draw(
                String(glyph.character), x: area.x + glyph.column - view.offset, y: area.y, in: area,
                level: theme.unicode)
        }
        drawEdges(view, into: &grid, in: area, theme)
        if isFocused { grid.cursor = (area.x + view.cursor - view.offset, area.y) }
    }

    private func drawEdges(_ view: View, into grid: inout Grid, in area: Rect, _ theme: Theme) {
        if view.offset > 0 { grid.draw("‹", theme.secondary, x: area.x, y: area.y, in: area, level: theme.unicode) }
        if view.width - view.offset > area.width {
            grid.draw("›", theme.secondary, x: area.maxX - 1, y: area.y, in: area, level: theme.unicode)
        }
    }

    /// The visible part of the text.
    struct View {
        var offset = 0
        var cursor = 0
        /// The width of the whole text in columns.
        var width = 0
        var glyphs: [(character: Character, column: Int)] = []

        init(_ field: TextField, width columns: Int, level: UnicodeLevel) {
            var placed: [(character: Character, column: Int)] = []
            for (index, character) in field.characters.enumerated() {
                if index == field.cursor { cursor = width }
                for glyph in Glyphs(String(character), level: level, column: width) {
                    placed.append((glyph.character, width))
                    width += glyph.width
                }
            }
            if field.cursor == field.characters.count { cursor = width }
            let step = max(1, columns / 2)
            if cursor >= columns - 1 { offset = (cursor - columns + 1) / step * step + step }
            let shown = offset..<offset + columns
            glyphs = placed.filter { shown.contains($0.column) }
        }
    }
}
