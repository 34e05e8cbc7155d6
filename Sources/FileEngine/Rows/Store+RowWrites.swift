import Foundation
import ListChanges
import SQLiteBridge

/// Writing rows.
extension Store {
    /// Inserts a row unless its key is taken.
    /// - Returns: the new row's rowid; nil if the row exists, which is then unchanged.
    package func insertRow(_ key: RowKey, object: Data, metadata: Data?) throws -> Int64? {
        try noteWrite()
        let statement = try handle.statement(
            tableToWrite(isDerived: RowTable.isDerived(key.collection)).insert)
        defer { statement.reset() }
        try statement.withText(key.collection, at: 1) {
            try statement.withText(key.key, at: 2) {
                try object.withUnsafeBytes { object in
                    try statement.bind(borrowing: object, at: 3)
                    // Without metadata the parameter stays NULL.
                    guard let metadata else { return try statement.run() }
                    try metadata.withUnsafeBytes { metadata in
                        try statement.bind(borrowing: metadata, at: 4)
                        try statement.run()
                    }
                }
            }
        }
        return handle.changes == 1 ? handle.lastInsertRowid : nil
    }

    package func updateRow(_ rowid: Int64, object: Data, metadata: Data?) throws {
        let sql = try tableToWrite(isDerived: RowTable.isDerived(rowid)).update
        try run(sql, blobs: (object, metadata), at: (1, 2)) { try $0.bind(rowid, at: 3) }
        try checkOneChange(rowid)
    }

    package func updateObject(_ rowid: Int64, _ object: Data) throws {
        let sql = try tableToWrite(isDerived: RowTable.isDerived(rowid)).updateObject
        try run(sql, blobs: (object, nil), at: (1, nil)) { try $0.bind(rowid, at: 2) }
        try checkOneChange(rowid)
    }

    package func updateMetadata(_ rowid: Int64, _ metadata: Data?) throws {
        let sql = try tableToWrite(isDerived: RowTable.isDerived(rowid)).updateMetadata
        try run(sql, blobs: (metadata, nil), at: (1, nil)) { try $0.bind(rowid, at: 2) }
        try checkOneChange(rowid)
    }

    /// - Returns: the removed row's rowid, nil when there was no such row.
    package func removeRow(_ key: RowKey) throws -> Int64? {
        guard let table = try table(isDerived: RowTable.isDerived(key.collection)) else { return nil }
        return try first(
            table.removeKey, bind: { try Self.bind(.key(key), to: $0) },
            read: { $0.int64(at: 0) })
    }

    /// Removes rows in the order in which they lie in the file, whatever that of the keys: in any other, a page is changed, written to
    /// make room for others, and read again for the next of its rows.
    /// - Returns: the rows that there were, in the order of the keys. Keys without a row are ignored.
    package func removeRows(_ keys: [RowKey]) throws -> [RemovedRow] {
        if keys.count == 1 { return try removeRow(keys[0]).map { [RemovedRow(rowid: $0, key: keys[0])] } ?? [] }
        var places = [Int64?](repeating: nil, count: keys.count)
        // The index has keys in this order.
        for index in keys.indices.sorted(by: { Self.isIndexed(keys[$0], before: keys[$1]) }) {
            places[index] = try rowid(forKey: keys[index])
        }
        let remover = try RowRemover(self)
        var last: Int64?
        for rowid in places.compactMap(\.self).sorted() where rowid != last {
            last = rowid
            try noteWrite()
            try remover.remove(rowid)
        }
        var seen = Set<Int64>(minimumCapacity: keys.count)
        return zip(places, keys).compactMap { rowid, key in
            guard let rowid, seen.insert(rowid).inserted else { return nil }
            return RemovedRow(rowid: rowid, key: key)
        }
    }

    private static func isIndexed(_ key: RowKey, before other: RowKey) -> Bool {
        key.collection.hasSameBytes(as: other.collection)
            ? key.key.precedes(other.key) : key.collection.precedes(other.collection)
    }

    /// - Returns: the rows that there were. Rowids without a row are ignored.
    package func removeRows(_ rowids: [Int64]) throws -> [RemovedRow] {
        let reader = try RowReader(self)
        let remover = try RowRemover(self)
        return try rowids.compactMap { rowid in
            // Not with RETURNING, for which SQLite makes a table each time.
            guard let key = try reader.key(rowid) else { return nil }
            try remover.remove(rowid)
            return RemovedRow(rowid: rowid, key: key)
        }
    }

    /// - Returns: the removed rows.
    package func removeRows(inCollection collection: String) throws -> [RemovedRow] {
        guard let table = try table(isDerived: RowTable.isDerived(collection)) else { return [] }
        return try all(
            table.removeCollection, bind: { try $0.bind(collection, at: 1) },
            read: { RemovedRow(rowid: $0.int64(at: 0), key: RowKey(collection: collection, key: $0.text(at: 1) ?? "")) }
        )
    }

    /// Also those that are derived from the others.
    package func removeAllRows() throws {
        try execute(#"DELETE FROM "database2""#)
        if try table(isDerived: true) != nil { try execute("DELETE FROM \"\(RowTable.derivedName)\"") }
    }

    /// The caller found the rowid in this snapshot, so it must be there.
    private func checkOneChange(_ rowid: Int64) throws {
        guard handle.changes == 1 else {
            throw YapDatabaseError(.corrupt, "Row \(rowid) was found but not updated. Run `yap check`.")
        }
    }

    /// Runs a statement with one or two blobs that are bound without a copy.
    private func run(
        _ sql: String, blobs: (Data?, Data?), at index: (Int, Int?), bind: (SQLiteStatement) throws -> Void
    ) throws {
        try noteWrite()
        let statement = try handle.statement(sql)
        defer { statement.reset() }
        try bind(statement)
        try withBytes(blobs.0) { first in
            try bindBorrowed(first, to: statement, at: index.0)
            guard let secondIndex = index.1 else { return try statement.run() }
            try withBytes(blobs.1) { second in
                try bindBorrowed(second, to: statement, at: secondIndex)
                try statement.run()
            }
        }
    }

    private func withBytes(_ data: Data?, _ body: (UnsafeRawBufferPointer?) throws -> Void) throws {
        guard let data else { return try body(nil) }
        try data.withUnsafeBytes { try body($0) }
    }

    private func bindBorrowed(_ bytes: UnsafeRawBufferPointer?, to statement: SQLiteStatement, at index: Int) throws {
        if let bytes { try statement.bind(borrowing: bytes, at: index) } else { try statement.bind(nil, at: index) }
    }
}

/// Removes many rows with one statement.
private final class RowRemover {
    private let store: Store
    private let statement: SQLiteStatement

    init(_ store: Store) throws {
        self.store = store
        statement = try store.handle.statement(RowTable.rows.removeRowid)
    }

    deinit { statement.reset() }

    func remove(_ rowid: Int64) throws {
        if RowTable.isDerived(rowid) {
            let table = try store.tableToWrite(isDerived: true)
            return try store.run(table.removeRowid) { try $0.bind(rowid, at: 1) }
        }
        defer { statement.rewind() }
        try statement.bind(rowid, at: 1)
        try statement.run()
    }
}

/// A row that was just removed.
package struct RemovedRow: Hashable {
    package var rowid: Int64
    package var key: RowKey

    package init(rowid: Int64, key: RowKey) {
        self.rowid = rowid
        self.key = key
    }
}
