/// Columns of plain text beside each other.
struct TextColumns {
    private var columns: [[String]] = []
    private static let gap = "   "

    /// A column with its title.
    mutating func add(_ title: String, _ lines: [String]) { columns.append([title] + lines) }

    /// The lines of all columns, each column as wide as its longest line, without blanks at the ends.
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

    /// The text in lines of at most so many characters, as far as its words allow.
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

    /// The text in such lines, each set in.
    func wrapped(at width: Int, indent: String) -> [String] {
        wrapped(at: width - indent.count).map { indent + $0 }
    }
}
