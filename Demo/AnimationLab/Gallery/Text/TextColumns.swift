/// Columns of plain text, side by side.
struct TextColumns {
    private var columns: [[String]] = []
    private static let gap = "   "

    /// Adds a column with its title.
    mutating func add(_ title: String, _ lines: [String]) { columns.append([title] + lines) }

    /// The lines of all columns, each column as wide as its longest line, without trailing blanks.
    var lines: [String] {
        let widths = columns.map { $0.map(\.count).max() ?? 0 }
        let count = columns.map(\.count).max() ?? 0
        return (0..<count).map { number -> String in
            let parts = zip(columns, widths).map { column, width -> String in
                let line = number < column.count ? column[number] : ""
                return line.padded(to: width)
            }
            return parts.joined(separator: Self.gap).withoutTrailingBlanks
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
