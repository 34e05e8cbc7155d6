import Foundation
import ListChanges

/// Fills the table of an extension that stores columns, from rows that are read for several extensions at once.
final class ColumnReceiver: RowReceiver {
    private let extensionTransaction: YapDatabaseColumnTransaction
    /// How columns are read from stored bytes, if fields declare them.
    private let fields: (columns: FieldColumns, read: FieldColumns.ByBytes)?
    private var counter: ProgressCounter

    init(_ transaction: YapDatabaseColumnTransaction, _ progress: Progress?) throws {
        extensionTransaction = transaction
        fields = transaction.index.fields.flatMap { columns in
            columns.byBytes(transaction.transaction.codings).map { (columns, $0) }
        }
        counter = try ProgressCounter(progress) {
            try transaction.transaction.count(allowedCollections: transaction.index.allowed)
        }
    }

    var allowedCollections: YapWhitelistBlacklist? { extensionTransaction.index.allowed }
    var needs: RowNeeds { extensionTransaction.index.columnHandler.needs }

    func receive(_ row: ScannedRow) throws {
        if let fields {
            let read = try extensionTransaction.decoding(row.rowid, row.key, needs) {
                try row.withObjectBytes { try fields.read($0, row.key) }
            }
            guard let read else { return try counter.add() }
            if let columns = read {
                try extensionTransaction.insert(columns, rowid: row.rowid, by: fields.columns)
                return try counter.add()
            }
        }
        try receive(DecodedRow(row, needs: needs))
    }

    func receive(_ rows: [DecodedRow], in transaction: YapDatabaseReadTransaction) throws { try rows.forEach(receive) }

    private func receive(_ row: DecodedRow) throws {
        try extensionTransaction.insert(row.rowid, row.key) {
            try row.require(needs)
            return RowContent(row, needs: needs)
        }
        try counter.add()
    }

    /// Indexes are made in one go after the rows.
    func end() throws { try extensionTransaction.createIndexes() }
}

/// Stops the program with a sentence if SQLite cannot have a column of this name beside the others.
func requireColumnName(_ name: String, others: [String]) {
    require(
        !name.isEmpty && !name.utf8.contains(0),
        "A column needs a name without NUL characters, not \(name.debugDescription).")
    require(
        !["rowid", "oid", "_rowid_"].contains(name.lowercased()),
        "\"\(name)\" is SQLite's own name of the rowid. Choose another name for the column.")
    require(
        !others.contains { $0.lowercased() == name.lowercased() },
        "There is a column \"\(name)\" already; SQLite ignores the case of names. Choose another name.")
}

extension Disagreement {
    init(_ difference: IndexDifference) {
        switch difference {
        case .missingRow: self.init(stored: "no columns", answer: "columns")
        case .extraRow: self.init(stored: "columns", answer: "no columns")
        case .column(let name, let stored, let expected):
            self.init(stored: "\(stored.shown) in the column \"\(name)\"", answer: expected.shown)
        }
    }
}

extension SQLValue {
    /// The value for a message. Long texts are cut.
    fileprivate var shown: String {
        switch self {
        case .null: "NULL"
        case .integer(let integer): "\(integer)"
        case .real(let real): "\(real)"
        case .text(let text): text.count > 40 ? "\"\(text.prefix(40))…\"" : "\"\(text)\""
        case .blob(let bytes): "\(bytes.count) bytes"
        }
    }
}

/// Gives the columns of an index that is declared by fields: of a row's value alone, without a transaction and a handler's dictionary.
///
/// The functions give nil for a value that SQLite cannot store. Then the handler is asked, whose caller makes the error.
struct FieldColumns: Sendable {
    /// Returns how columns are read from stored bytes; nil where the codings say that the bytes are something else.
    let byBytes: @Sendable (CodingTable) -> ByBytes?
    /// The columns of an object.
    let byObject: @Sendable (Any, RowKey) throws -> [SQLValue]?
    /// Whether a row without a single value is in the table.
    let keepsEmptyRows: Bool

    /// The bytes need not outlive the call; those of a NULL column are nil.
    typealias ByBytes = @Sendable (UnsafeRawBufferPointer?, RowKey) throws -> [SQLValue]?
}

extension FieldColumns {
    /// The columns as the table has them; nil if the row does not belong into it.
    func stored(_ columns: [SQLValue]) -> [SQLValue]? {
        keepsEmptyRows || columns.contains { $0 != .null } ? columns : nil
    }
}
