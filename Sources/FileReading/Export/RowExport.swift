import ByteFormats
import ObjectDecoding
import SQLiteBridge

/// Encodes the rows of a table as lines, on several threads, in their order.
final class RowExport {
    private let shape: LineShape
    private let write: ([UInt8]) throws -> Void
    private let work: OrderedWork<[UInt8]>
    private var batch: [LineShape.Row] = []
    private var batchSize = 0

    /// The most rows, and bytes of values, that a thread processes at once.
    private static let batchLimit = 256
    private static let batchBytes = 1 << 18
    /// A row with a larger value is written in pieces, directly from SQLite's memory.
    private static let largeValue = 1 << 20

    /// - Parameter write: gets lines with their line breaks; of a very long line, pieces.
    init(_ shape: LineShape, write: @escaping ([UInt8]) throws -> Void) {
        self.shape = shape
        self.write = write
        work = OrderedWork(deliver: write)
    }

    /// Encodes the row that the statement has stepped to.
    func add(_ statement: SQLiteStatement) throws {
        let columns = shape.columns.indices.map { $0 + (shape.hasRowid ? 1 : 0) }
        if columns.contains(where: { Self.size(statement, at: $0) >= Self.largeValue }) {
            try end()
            var output = JSONOutput(isTerminalSafe: true, drain: write)
            shape.write(statement, to: &output)
            output.append("\n")
            output.flush()
            if let failure = output.failure { throw failure }
            return
        }
        let row = LineShape.Row(
            rowid: shape.hasRowid ? statement.int64(at: 0) : nil, values: columns.map { StoredValue(statement, at: $0) }
        )
        batch.append(row)
        batchSize += row.values.reduce(0) { $0 + $1.size }
        if batch.count >= Self.batchLimit || batchSize >= Self.batchBytes { try give() }
    }

    /// Writes the rows added so far.
    func end() throws {
        try give()
        try work.finish()
    }

    private static func size(_ statement: SQLiteStatement, at column: Int) -> Int {
        switch statement.type(at: column) {
        case .text, .blob: statement.size(at: column)
        case .null, .integer, .real: 0
        }
    }

    private func give() throws {
        guard !batch.isEmpty else { return }
        let (rows, shape) = (batch, shape)
        batch.removeAll(keepingCapacity: true)
        batchSize = 0
        try work.add {
            var output = JSONOutput(isTerminalSafe: true)
            for row in rows {
                shape.write(row, to: &output)
                output.append("\n")
            }
            return output.bytes
        }
    }
}

/// The form of the lines of one table's rows.
struct LineShape: Sendable {
    /// A copy of a row, independent of SQLite.
    struct Row: Sendable {
        var rowid: Int64?
        var values: [StoredValue]
    }

    let columns: [String]
    let hasRowid: Bool
    /// The JSON before the rowid or the values and before each value, equal in each line.
    private let head: [UInt8]
    private let names: [[UInt8]]
    /// The columns that are also exported decoded, with the member for each.
    private let meanings: [(column: Int, member: StaticString)]

    /// - Parameter hasMeaning: whether it is the table of the rows.
    init(_ table: ExportedItem.Table, hasMeaning: Bool) {
        columns = table.columns
        hasRowid = table.hasRowid
        head = Self.json { output in
            output.append("{\"table\":")
            output.append(string: table.name)
            output.append(table.hasRowid ? ",\"rowid\":" : "")
        }
        names = table.names.enumerated().map { place, name in
            Self.json { output in
                output.append(place == 0 ? ",\"values\":{" : ",")
                output.append(string: name)
                output.append(":")
            }
        }
        meanings = [("data", ",\"object\":"), ("metadata", ",\"metadata\":")].compactMap { name, member in
            hasMeaning ? table.columns.firstIndex(of: name).map { ($0, member) } : nil
        }
    }

    private static func json(_ write: (inout JSONOutput) -> Void) -> [UInt8] {
        var output = JSONOutput(isTerminalSafe: true)
        write(&output)
        return output.bytes
    }

    func write(_ row: Row, to output: inout JSONOutput) {
        write(rowid: row.rowid, to: &output) { column, output in
            switch row.values[column].content {
            case .null: output.append("null")
            case .integer(let integer): output.append(integer)
            case .real(let real): ExportedValue.append(real, to: &output)
            case .text(let bytes): bytes.withUnsafeBytes { ExportedValue.append(text: $0, to: &output) }
            case .blob(let bytes): bytes.withUnsafeBytes { ExportedValue.append(blob: $0, to: &output) }
            }
        }
        for (column, member) in meanings where row.values[column].content != .null {
            output.append(member)
            RowDecoder().write(row.values[column], of: nil, to: &output)
        }
        output.append("}")
    }

    /// Writes the row that the statement has stepped to, without copying it first.
    func write(_ statement: SQLiteStatement, to output: inout JSONOutput) {
        let first = hasRowid ? 1 : 0
        write(rowid: hasRowid ? statement.int64(at: 0) : nil, to: &output) { column, output in
            ExportedValue.append(statement, at: first + column, to: &output)
        }
        for (column, member) in meanings where !statement.isNull(at: first + column) {
            output.append(member)
            switch statement.type(at: first + column) {
            case .text, .blob:
                statement.withBytes(at: first + column) { ObjectDecoder().write($0, to: &output) }
            case .null, .integer, .real:
                RowDecoder().write(StoredValue(statement, at: first + column), of: nil, to: &output)
            }
        }
        output.append("}")
    }

    private func write(
        rowid: Int64?, to output: inout JSONOutput, _ value: (_ column: Int, inout JSONOutput) -> Void
    ) {
        output.append(json: head)
        if let rowid { output.append(rowid) }
        if columns.isEmpty { output.append(",\"values\":{") }
        for column in columns.indices {
            output.append(json: names[column])
            value(column, &output)
        }
        output.append("}")
    }
}
