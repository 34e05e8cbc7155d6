extension FileListing {
    /// Returns the whole listing in a format, with line breaks.
    /// - Parameter isForTerminal: whether the output is a terminal; then control characters are escaped in every
    ///   format.
    package func text(_ format: PrintFormat, isForTerminal: Bool = false) -> [UInt8] {
        switch format {
        case .json: return json + [UInt8(ascii: "\n")]
        case .csv:
            let names = ["kind", "name", "group", "count", "detail"]
            return CSV.line(names) + table.flatMap { CSV.line($0, isForTerminal: isForTerminal) }
        case .plain: return plain
        }
    }

    private var plain: [UInt8] {
        let rows = table.map { $0.map(TerminalSafe.line) }
        let widths = (0..<4).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.flatMap { row -> [UInt8] in
            var line = ""
            for (column, field) in row.enumerated() {
                let padding = column < 4 ? String(repeating: " ", count: widths[column] - field.count) : ""
                line += column == 3 ? padding + field + "  " : field + padding + (column < 4 ? "  " : "")
            }
            while line.last == " " { line.removeLast() }
            return Array((line + "\n").utf8)
        }
    }
}
