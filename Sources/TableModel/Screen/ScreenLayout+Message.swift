extension ScreenLayout {
    /// Draws a message: in the hint line if it fits there, otherwise wrapped over as many lines above it as it needs.
    ///
    /// - Parameters:
    ///   - bottom: the line below a wrapped message; nil for the end of the hint line. The line being typed must stay
    ///     visible.
    ///   - remedy: how to see the whole message on a screen that is too small, as in `! shows all`.
    public func drawMessage(
        _ text: String, _ style: Style, above bottom: Int? = nil, remedy: String, into grid: inout Grid, theme: Theme
    ) {
        let (measure, width) = (TextMeasure(theme.unicode), max(1, hint.width - 2))
        var end = bottom ?? hint.maxY
        var lines = measure.wrapped(text, width: width, maxLines: max(0, end - title.maxY) + 1)
        if lines.count == 1 { return draw(lines[0], style, at: hint, into: &grid, theme) }
        if lines.count > end - title.maxY {
            draw(remedy, theme.secondary, at: hint, into: &grid, theme)
            end = min(end, hint.y)
            lines = measure.wrapped(text, width: width, maxLines: max(0, end - title.maxY))
        }
        for (index, line) in lines.enumerated() {
            let place = Rect(x: hint.x, y: end - lines.count + index, width: hint.width, height: 1)
            draw(line, style, at: place, into: &grid, theme)
        }
    }

    private func draw(_ text: String, _ style: Style, at line: Rect, into grid: inout Grid, _ theme: Theme) {
        grid.fill(line)
        grid.draw(" " + text, style, x: line.x, y: line.y, in: line, level: theme.unicode)
    }
}

extension Overlay {
    /// Creates an overlay with a whole text, wrapped to a comfortable width.
    /// - Parameters:
    ///   - title: the text in the upper edge.
    ///   - text: the text.
    ///   - size: columns and lines of the screen.
    ///   - theme: the colours and symbols.
    public init(_ title: String, text: String, in size: (width: Int, height: Int), theme: Theme) {
        let width = min(72, max(8, size.width - 4))
        self.init(title, TextMeasure(theme.unicode).wrapped(text, width: width).map { Line(text: $0) })
    }
}

extension Grid {
    /// Returns the screen shown while a file cannot be opened yet.
    /// - Parameters:
    ///   - name: the name of the file.
    ///   - size: columns and lines of the screen.
    ///   - theme: the colours and symbols.
    public static func opening(_ name: String, size: (width: Int, height: Int), theme: Theme) -> Grid {
        var grid = Grid(width: size.width, height: size.height)
        ScreenLayout(width: size.width, height: size.height, panes: []).drawMessage(
            "Opening \(name), which another program may be holding. Ctrl-C gives up.", theme.secondary,
            remedy: "Ctrl-C gives up", into: &grid, theme: theme)
        return grid
    }
}
