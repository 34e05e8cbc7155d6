import LiveTable

extension ListColumns {
    /// A column and the columns of the screen that it takes.
    struct Fitted: Hashable, Sendable {
        var column: ListColumn
        var width: Int
    }

    private static let gap = 2
    private static let leastWidth = 4

    /// What fits into a width: every column as wide as it likes, at most a third of the list, and the last one takes the
    /// rest. Columns that would be too narrow are left out.
    func fitted(width: Int) -> [Fitted] {
        var fitted: [Fitted] = []
        var rest = width
        let most = max(Self.leastWidth, width * 2 / 5)
        for column in shown {
            let wanted = min(most, max(1, widths[column] ?? Self.leastWidth))
            guard rest >= min(wanted, Self.leastWidth) else { break }
            let given = min(wanted, rest)
            fitted.append(Fitted(column: column, width: given))
            rest -= given + Self.gap
        }
        if let last = fitted.indices.last, rest + Self.gap > 0 { fitted[last].width += rest + Self.gap }
        return fitted
    }

    /// The line above the rows.
    func header(width: Int, theme: Theme) -> Line {
        let measure = TextMeasure(theme.unicode)
        let texts = fitted(width: width).map {
            measure.padded($0.column.title, to: $0.width, isNumber($0, width) ? .right : .left)
        }
        return Line(text: texts.joined(separator: String(repeating: " ", count: Self.gap)), theme.secondary)
    }

    /// A row's line: what it is called in the terminal's own colour, the rest as it comes.
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
            let alignment: Alignment = isNumber(fitted, width) ? .right : .left
            let text = measure.padded(row.text(of: fitted.column), to: fitted.width, alignment)
            let style = index == 0 ? Style.plain : fitted.column.isSecondary ? theme.secondary : .plain
            line += pattern?.runs(text, style, match: theme.match) ?? [Run(text, style)]
        }
        return line
    }

    /// What stands in the place of fields that a row does not have: the whole value in short, or why there is none.
    private func note(on row: RowTexts) -> String? {
        let others = shown.dropFirst()
        let isEmpty = others.allSatisfy { row.text(of: $0).isEmpty }
        return isEmpty && !row.value.isEmpty ? row.value : nil
    }

    /// The last column is as wide as what is left, where numbers at the right edge would look lost.
    private func isNumber(_ fitted: Fitted, _ width: Int) -> Bool {
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
