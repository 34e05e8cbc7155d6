/// Columns of plain text, side by side.
struct TextColumns {
    private var columns: [[String]] = []
    private static let gap = "   "

    /// Adds a column with its title.
    mutating func add(_ title: String, _ lines: [String]) { columns.append([title] + lines) }

    /// The lines of all columns, each column as wide as its longest line, without trailing blanks.
    var lines: [String] {
        let widths = columns.map { $0.map(\.count).max() ?? 0 }
        return (0..<(columns.map(\.count).max() ?? 0)).map { number in
            zip(columns, widths).map { column, width in
                (number < column.count ? column[number] : "").padded(to: width)
            }.joined(separator: Self.gap).withoutTrailingBlanks
        }
    }
}

extension String {
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    var withoutTrailingBlanks: String { String(reversed().drop { $0 == " " }.reversed()) }

    /// Returns the text in lines of at most `width` characters, unless a word is longer.
    func wrapped(at width: Int) -> [String] {
        var lines: [String] = []
        for word in split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] += " \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }

    /// Returns the text in such lines, each indented.
    func wrapped(at width: Int, indent: String) -> [String] {
        wrapped(at: width - indent.count).map { indent + $0 }
    }
}
