import ScreenPrograms

/// A line of the tree.
struct TreeRow: Hashable, Sendable {
    enum Fold: Hashable, Sendable {
        case none
        case open
        case closed
    }

    var item: TreeItem
    var depth = 1
    var fold = Fold.none
    var title: String
    /// Counts and classes, at the right end.
    var detail = ""
    /// Whether something about it is damaged, as its notes say.
    var isDamaged = false
    var isMarked = false
}

extension TreeRow {
    /// Returns the lines: sentences are wrapped, everything else has one line.
    func cell(width: Int, theme: Theme) -> RowCell {
        let measure = TextMeasure(theme.unicode)
        if case .note = item {
            let lines = measure.wrapped(title, width: max(8, width - depth - 1), maxLines: 8)
            return RowCell(lines.map { [Run(blanks(depth) + $0, isDamaged ? theme.wrong : theme.secondary)] })
        }
        let (start, title) = (blanks(depth - 1) + sign(theme), title.asName)
        let mark = isDamaged ? "damaged" : detail
        let name = min(measure.width(of: title, limit: width), width / 2)
        let detail = measure.truncated(mark, to: max(0, width - measure.width(of: start) - name - 1))
        let room = max(1, width - measure.width(of: start) - measure.width(of: detail) - (detail.isEmpty ? 0 : 1))
        return RowCell([
            [
                Run(start, isMarked ? Style(theme.accent, on: .terminal, .bold) : theme.secondary),
                Run(
                    measure.padded(measure.truncatedInMiddle(title, to: room), to: room) + (detail.isEmpty ? "" : " "),
                    style(theme)),
                Run(detail, isDamaged ? theme.wrong : theme.secondary),
            ]
        ])
    }

    private func style(_ theme: Theme) -> Style {
        if case .fact = item { return theme.secondary }
        return isMarked ? theme.header : .plain
    }

    private func sign(_ theme: Theme) -> String {
        let ascii = theme.unicode == .ascii
        if isMarked { return ascii ? "*" + fold(ascii) : "●" + fold(ascii) }
        return fold(ascii) + " "
    }

    private func fold(_ ascii: Bool) -> String {
        switch fold {
        case .none: " "
        case .open: ascii ? "v" : "▾"
        case .closed: ascii ? ">" : "▸"
        }
    }

    private func blanks(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}
