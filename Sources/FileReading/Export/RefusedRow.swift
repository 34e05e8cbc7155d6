import FileEngine
import SQLiteBridge

/// A row of an export that its table does not take.
package struct RefusedRow: Sendable {
    /// The most that are listed.
    static let limit = 100_000

    package var table: String
    package var rowid: Int64?
    /// The collection and the key, of a row of the row table.
    package var address: BrowsedRow.Address?
    /// Why, in words.
    package var rule: String

    init(_ row: ImportLine.Row, rule: String) {
        (table, rowid, self.rule) = (row.table, row.rowid, rule)
        func text(_ column: String) -> StoredText? {
            guard let place = row.columns.firstIndex(of: column), case .text(let bytes) = row.values[place] else {
                return nil
            }
            return StoredText(bytes, isBlob: false)
        }
        if let collection = text("collection"), let key = text("key") {
            address = .init(collection: collection, key: key)
        }
    }

    private init(table: String, rowid: Int64, address: BrowsedRow.Address?, rule: String) {
        (self.table, self.rowid, self.address, self.rule) = (table, rowid, address, rule)
    }

    /// Returns the first rows of a table that meet a condition.
    static func list(_ table: String, where condition: String, rule: String, _ store: Store) throws -> [RefusedRow] {
        let isRows = table == Schema.rowTable
        let columns = isRows ? #", "collection", "key""# : ""
        return try store.all(
            "SELECT rowid\(columns) FROM \(table.quotedSQL) WHERE \(condition) LIMIT \(limit)"
        ) {
            RefusedRow(
                table: table, rowid: $0.int64(at: 0),
                address: isRows ? .init(collection: StoredText($0, at: 1), key: StoredText($0, at: 2)) : nil, rule: rule
            )
        }
    }
}
