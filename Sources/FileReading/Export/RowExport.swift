import ByteFormats
import FileEngine
import ObjectDecoding
import SQLiteBridge

/// Encodes the rows of a table as lines, on several threads, in their order.
final class RowExport {
    private let shape: LineShape
    private let write: ([UInt8]) throws -> Void
    private let work: OrderedWork<[UInt8]>
    private var batch = RowBatch()
    /// The bytes of all values so far, and the most that the rows of a file can have together.
    private var total = 0
    private let limit: Int

    /// The most rows, and bytes of values, that a thread processes at once.
    private static let batchLimit = 256
    private static let batchBytes = 1 << 18
    /// A row with a larger value is written in pieces, directly from SQLite's memory.
    private static let largeValue = 1 << 20

    /// Thrown in a crafted file in which many rows claim the same pages.
    static let sharedPages = YapDatabaseError(
        .corrupt, "Its rows claim more bytes than the file has: several of them name the same pages.")

    /// - Parameters:
    ///   - fileBytes: the size of the file.
    ///   - write: gets lines with their line breaks; of a very long line, pieces.
    init(_ shape: LineShape, fileBytes: Int, write: @escaping ([UInt8]) throws -> Void) {
        self.shape = shape
        // Texts of UTF-16 become longer.
        limit = 2 * fileBytes + Self.largeValue
        self.write = write
        work = OrderedWork(deliver: write)
    }

    /// Encodes the row that the statement has stepped to.
    /// - Throws: ``sharedPages`` instead of adding it, and errors of `write`.
    func add(_ statement: SQLiteStatement) throws {
        try checkTotal()
        if shape.places.contains(where: { Self.size(statement, at: $0) >= Self.largeValue }) {
            try end()
            total += shape.places.reduce(0) { $0 + Self.size(statement, at: $1) }
            var output = JSONOutput(isTerminalSafe: true, drain: write)
            shape.write(statement, to: &output)
            output.append("\n")
            output.flush()
            if let failure = output.failure { throw failure }
            return
        }
        batch.add(statement, shape)
        if batch.rowCount >= Self.batchLimit || batch.size >= Self.batchBytes { try give() }
    }

    /// Encodes a row that was found on its page. Its values are in memory.
    func add(_ record: StoredRecord) throws {
        try checkTotal()
        batch.add(record)
        if batch.rowCount >= Self.batchLimit || batch.size >= Self.batchBytes { try give() }
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

    private func checkTotal() throws {
        if total + batch.size > limit { throw Self.sharedPages }
    }

    private func give() throws {
        guard batch.rowCount > 0 else { return }
        total += batch.size
        let (rows, shape) = (batch, shape)
        batch = RowBatch(like: rows)
        try work.add {
            var output = JSONOutput(isTerminalSafe: true)
            output.bytes.reserveCapacity(3 * rows.size)
            rows.write(shape, to: &output)
            return output.bytes
        }
    }
}

/// Copies of rows, independent of SQLite: one array for all bytes.
private struct RowBatch: Sendable {
    private enum Value: Sendable {
        case null
        case integer(Int64)
        case real(Double)
        case text(end: Int)
        case blob(end: Int)
    }

    private var rowids: [Int64] = []
    /// The values of all columns, row by row.
    private var values: [Value] = []
    /// The texts and blobs, one after the other.
    private var bytes: [UInt8] = []
    private(set) var rowCount = 0

    /// The bytes of all texts and blobs.
    var size: Int { bytes.count }

    init() {}

    /// An empty batch with room for as much as another one has.
    init(like other: RowBatch) {
        rowids.reserveCapacity(other.rowids.count)
        values.reserveCapacity(other.values.count)
        bytes.reserveCapacity(other.bytes.count)
    }

    mutating func add(_ statement: SQLiteStatement, _ shape: LineShape) {
        rowCount += 1
        if shape.hasRowid { rowids.append(statement.int64(at: 0)) }
        for place in shape.places {
            ExportedField.read(statement, at: place) { field in
                switch field {
                case .null: values.append(.null)
                case .integer(let integer): values.append(.integer(integer))
                case .real(let real): values.append(.real(real))
                case .text(let text): append(text: text)
                case .blob(let blob): append(blob: blob)
                }
            }
        }
    }

    mutating func add(_ record: StoredRecord) {
        rowCount += 1
        rowids.append(record.rowid ?? 0)
        for value in record.values {
            switch value {
            case .null: values.append(.null)
            case .integer(let integer): values.append(.integer(integer))
            case .real(let real): values.append(.real(real))
            case .text(let text): append(text: text)
            case .blob(let blob): append(blob: blob)
            }
        }
    }

    private mutating func append(text: some Sequence<UInt8>) {
        bytes.append(contentsOf: text)
        values.append(.text(end: bytes.count))
    }

    private mutating func append(blob: some Sequence<UInt8>) {
        bytes.append(contentsOf: blob)
        values.append(.blob(end: bytes.count))
    }

    /// Writes a line for each row.
    func write(_ shape: LineShape, to output: inout JSONOutput) {
        bytes.withUnsafeBytes { bytes in
            var start = 0
            var fields: [ExportedField] = []
            for row in 0..<rowCount {
                fields.removeAll(keepingCapacity: true)
                for value in values[(row * shape.columns.count)..<((row + 1) * shape.columns.count)] {
                    switch value {
                    case .null: fields.append(.null)
                    case .integer(let integer): fields.append(.integer(integer))
                    case .real(let real): fields.append(.real(real))
                    case .text(let end):
                        fields.append(.text(UnsafeRawBufferPointer(rebasing: bytes[start..<end])))
                        start = end
                    case .blob(let end):
                        fields.append(.blob(UnsafeRawBufferPointer(rebasing: bytes[start..<end])))
                        start = end
                    }
                }
                shape.write(rowid: shape.hasRowid ? rowids[row] : nil, to: &output) { $1(fields[$0]) }
                output.append("\n")
            }
        }
    }
}

/// The form of the lines of one table's rows.
struct LineShape: Sendable {
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

    /// The columns of a statement that reads a row: the rowid, if the table has one, then the columns.
    var places: Range<Int> { (hasRowid ? 1 : 0)..<(columns.count + (hasRowid ? 1 : 0)) }

    /// Writes the row that the statement has stepped to, without copying it first.
    func write(_ statement: SQLiteStatement, to output: inout JSONOutput) {
        let first = places.lowerBound
        write(rowid: hasRowid ? statement.int64(at: 0) : nil, to: &output) { column, body in
            ExportedField.read(statement, at: first + column, body)
        }
    }

    /// - Parameter read: calls its second argument with the value of a column.
    func write(
        rowid: Int64?, to output: inout JSONOutput, _ read: (_ column: Int, (ExportedField) -> Void) -> Void
    ) {
        output.append(json: head)
        if let rowid { output.append(rowid) }
        if columns.isEmpty { output.append(",\"values\":{") }
        for column in columns.indices {
            output.append(json: names[column])
            read(column) { $0.write(to: &output) }
        }
        output.append("}")
        for (column, member) in meanings { read(column) { $0.writeMeaning(as: member, to: &output) } }
        output.append("}")
    }
}
