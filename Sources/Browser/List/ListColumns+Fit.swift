import ScreenPrograms

extension ListColumns {
    /// A column with its width in columns of the screen.
    struct Fitted: Hashable, Sendable {
        var column: ListColumn
        var width: Int
    }

    private static let gap = 2
    static let leastWidth = 4

    /// Returns the columns that fit into a width. Columns have the widths that the user chose, the others at most two
    /// fifths of the list. The remaining width goes to those that need more, the first ones before the others, and then
    /// to the last. Columns that would be too narrow are left out.
    func fitted(width: Int) -> [Fitted] {
        var fitted: [Fitted] = []
        var rest = width
        let most = max(Self.leastWidth, width * 2 / 5)
        for column in shown {
            let wanted = chosenWidths[column] ?? min(most, max(1, widths[column] ?? Self.leastWidth))
            guard rest >= min(wanted, Self.leastWidth) else { break }
            let given = min(wanted, rest)
            fitted.append(Fitted(column: column, width: given))
            rest -= given + Self.gap
        }
        rest += Self.gap
        for index in fitted.indices where rest > 0 && chosenWidths[fitted[index].column] == nil {
            let more = min(rest, max(0, widths[fitted[index].column, default: 0] - fitted[index].width))
            fitted[index].width += more
            rest -= more
        }
        if let last = fitted.indices.last, rest > 0 { fitted[last].width += rest }
        return fitted
    }

    /// Returns the column at a place of a line; nil between columns.
    func column(atX x: Int, width: Int) -> ListColumn? {
        var start = 0
        for column in fitted(width: width) {
            if x >= start, x < start + column.width { return column.column }
            start += column.width + Self.gap
        }
        return nil
    }

    /// Returns the line above the rows.
    func header(width: Int, theme: Theme) -> Line {
        let measure = TextMeasure(theme.unicode)
        let texts = fitted(width: width).map {
            measure.padded($0.column.title, to: $0.width, isNumber($0) ? .right : .left)
        }
        return Line(text: texts.joined(separator: String(repeating: " ", count: Self.gap)), theme.secondary)
    }

    /// Returns a row's line. Its name is in the terminal's own colour.
    func line(_ row: RowTexts, width: Int, theme: Theme, pattern: SearchPattern?) -> Line {
        let measure = TextMeasure(theme.unicode)
        var line: Line = []
        let fitted = fitted(width: width)
        let note = note(on: row)
        for (index, fitted) in fitted.enumerated() {
            if index > 0, let note {
                let used = line.reduce(0) { $0 + measure.width(of: $1.text) } + Self.gap
                return line + [
                    Run(String(repeating: " ", count: Self.gap)),
                    Run(measure.truncated(note, to: width - used), theme.secondary),
                ]
            }
            if index > 0 { line.append(Run(String(repeating: " ", count: Self.gap))) }
            let alignment: Alignment = isNumber(fitted) ? .right : .left
            let whole = row.text(of: fitted.column)
            let isName = [.key, .collection].contains(fitted.column)
            let shown = isName ? measure.truncatedInMiddle(whole, to: fitted.width) : whole
            let text = measure.padded(shown, to: fitted.width, alignment)
            let style = index == 0 ? Style.plain : fitted.column.isSecondary ? theme.secondary : .plain
            line += pattern?.runs(text, style, match: theme.match) ?? [Run(text, style)]
        }
        return line
    }

    /// Returns the text in place of fields that a row does not have: a summary of the value, or why there is none.
    private func note(on row: RowTexts) -> String? {
        let others = shown.dropFirst()
        let isEmpty = others.allSatisfy { row.text(of: $0).isEmpty }
        return isEmpty && !row.value.isEmpty ? row.value : nil
    }

    /// Whether a column's text is aligned right. The last column is as wide as the remaining width, so its numbers stay
    /// left.
    private func isNumber(_ fitted: Fitted) -> Bool {
        numbers.contains(fitted.column) && fitted.column != shown.last
    }
}

extension ListColumn {
    fileprivate var isSecondary: Bool {
        switch self {
        case .size, .rowid, .collection: true
        default: false
        }
    }
}
