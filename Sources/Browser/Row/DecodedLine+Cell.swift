import ScreenPrograms
import ObjectDecoding

extension DecodedLine {
    /// The most lines of a long text in a row.
    private static let maxLines = 6

    /// Returns name and value; a long text continues below.
    func cell(width: Int, theme: Theme) -> RowCell {
        let measure = TextMeasure(theme.unicode)
        // The top level has no fold sign, so its fields begin near the edge.
        let indent = String(repeating: " ", count: min(max(0, depth - 1) * 2, width / 2))
        let sign = depth == 0 ? "" : sign(theme) + " "
        let name = name.map { measure.padded($0, to: min(nameWidth, max(4, width / 3))) + "  " } ?? ""
        let start: Line = [Run(indent + sign, theme.secondary), Run(name, theme.secondary)]
        let used = measure.width(of: start.text)
        let room = max(8, width - used)
        // Lines of a dump have no name.
        let text = self.name == nil ? text : value.imageWords ?? text
        let texts =
            kind == .string || kind == .error
            ? measure.wrapped(text, width: room, maxLines: Self.maxLines) : [measure.truncated(text, to: room)]
        let blanks = String(repeating: " ", count: used)
        return RowCell(texts.enumerated().map { ($0 == 0 ? start : [Run(blanks)]) + [Run($1, style(theme))] })
    }

    private func style(_ theme: Theme) -> Style {
        switch kind {
        case .error: theme.wrong
        case .data, .omitted, .hex, .end, .word: theme.secondary
        case .reference, .link: Style(theme.accent)
        case .container: theme.header
        case .string, .number, .date, .bytes: .plain
        }
    }

    private func sign(_ theme: Theme) -> String {
        let ascii = theme.unicode == .ascii
        return switch fold {
        case .none: " "
        case .open: ascii ? "v" : "▾"
        case .closed: ascii ? ">" : "▸"
        }
    }
}
