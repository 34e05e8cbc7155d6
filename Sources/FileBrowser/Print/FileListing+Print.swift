extension FileListing {
    /// The whole list in a format, with line breaks.
    package func text(_ format: PrintFormat) -> [UInt8] {
        switch format {
        case .json: return json + [UInt8(ascii: "\n")]
        case .csv: return CSV.line(["kind", "name", "group", "count", "detail"]) + table.flatMap(CSV.line)
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
