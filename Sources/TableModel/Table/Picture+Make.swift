extension Picture {
    /// The most lines of a row, more than any screen has. A taller row is cut.
    static let mostLines = 1000

    init(_ cell: RowCell, width: Int, theme: Theme) {
        let lines = cell.lines.isEmpty ? [[]] : cell.lines.prefix(Self.mostLines)
        self.init(lines: lines.map { $0.cells(width: width, level: theme.unicode) }, decorations: cell.decorations)
    }

    init(_ header: SectionHeader, width: Int, theme: Theme) {
        let measure = TextMeasure(theme.unicode)
        let title = measure.truncated(header.title, to: width).uppercased()
        let detail = measure.truncated(header.detail, to: max(0, width - 1))
        let room = width - 1 - measure.width(of: detail) - (detail.isEmpty ? 0 : 1)
        let text = measure.padded(title, to: max(0, room))
        let line: Line =
            detail.isEmpty
            ? [Run(text, theme.header)] : [Run(text + " ", theme.header), Run(detail, theme.secondary)]
        self.init(lines: [line.cells(width: width, level: theme.unicode)], decorations: 1)
    }
}
