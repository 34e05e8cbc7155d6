import SQLiteBridge

/// The rows of a table as lines of an export.
struct ExportedRow {
    private let table: ExportedItem.Table
    private let columns: [[UInt8]]
    private let decoder = RowDecoder()
    /// Whether it is the table of the rows, whose values mean something.
    private let hasMeaning: Bool

    init(_ table: ExportedItem.Table, hasMeaning: Bool) {
        self.table = table
        self.hasMeaning = hasMeaning
        columns = table.columns.map { name in
            var json: [UInt8] = []
            json.appendJSON(name)
            return json + [UInt8(ascii: ":")]
        }
    }

    /// Writes a row with its line break, in pieces where it has large values.
    func write(_ statement: SQLiteStatement, _ write: ([UInt8]) throws -> Void) throws {
        var json = JSONObject()
        json.add("table", table.name)
        if table.hasRowid { json.add("rowid", Int(statement.int64(at: 0))) }
        var line = json.closed()
        line.removeLast()
        line += Array(#","values":{"#.utf8)
        for (index, name) in columns.enumerated() {
            if index > 0 { line.append(UInt8(ascii: ",")) }
            line += name
            let column = index + firstColumn
            guard ExportedValue.isLarge(statement, at: column) else {
                ExportedValue.append(statement, at: column, to: &line)
                continue
            }
            try write(TerminalSafe.json(line))
            line = []
            try ExportedValue.write(statement, at: column, write)
        }
        line += Array("}".utf8)
        if hasMeaning { addMeaning(statement, &line) }
        try write(TerminalSafe.json(line + Array("}".utf8)) + [UInt8(ascii: "\n")])
    }

    private var firstColumn: Int { table.hasRowid ? 1 : 0 }

    private func addMeaning(_ statement: SQLiteStatement, _ line: inout [UInt8]) {
        for (column, name) in [("data", "object"), ("metadata", "metadata")] {
            guard let index = table.columns.firstIndex(of: column) else { continue }
            let value = StoredValue(statement, at: index + firstColumn, limit: FileSnapshot.valueBytes)
            if value.content == .null { continue }
            line += Array(",\"\(name)\":".utf8)
            decoder.decode(value).appendJSON(to: &line)
        }
    }
}
