import ListChanges
import SQLiteBridge

/// Reading rows, one at a time.
extension Store {
    package func rowid(forKey key: RowKey) throws -> Int64? {
        guard let table = try table(isDerived: RowTable.isDerived(key.collection)) else { return nil }
        return try first(
            table.rowidOfKey, bind: { try Self.bind(.key(key), to: $0) }, read: { $0.int64(at: 0) })
    }

    /// The greatest key of a collection that stands before another one; nil if there is none. O(log rows).
    package func lastKey(inCollection collection: String, before key: String) throws -> String? {
        guard let table = try table(isDerived: RowTable.isDerived(collection)) else { return nil }
        return try first(
            table.lastKey, bind: { try Self.bind(.key(RowKey(collection: collection, key: key)), to: $0) },
            read: { $0.text(at: 0) }) ?? nil
    }

    package func key(forRowid rowid: Int64) throws -> RowKey? {
        guard let table = try table(isDerived: RowTable.isDerived(rowid)) else { return nil }
        return try first(
            table.keyOfRowid, bind: { try Self.bind(.rowid(rowid), to: $0) },
            read: { RowKey(collection: $0.text(at: 0) ?? "", key: $0.text(at: 1) ?? "") })
    }

    /// Reads one row through `read`; nil when there is no such row.
    package func row<Value>(
        _ address: RowAddress, _ columns: RowColumns, read: (StoredRow) throws -> Value
    ) throws -> Value? {
        guard let table = try table(isDerived: address.isDerived) else { return nil }
        return try first(
            table.select(columns, address),
            bind: { try Self.bind(address, to: $0) },
            read: { try read(StoredRow($0, objectColumn: 0, metadataColumn: columns == .both ? 1 : 0)) })
    }

    /// Calls the body with the bytes of a row's object, nil for NULL; does not call it when there is no such row.
    package func withObject(ofRow rowid: Int64, _ body: (UnsafeRawBufferPointer?) throws -> Void) throws {
        guard let table = try table(isDerived: RowTable.isDerived(rowid)) else { return }
        let statement = try handle.statement(table.select(.object, .rowid(rowid)))
        defer { statement.reset() }
        try statement.bind(rowid, at: 1)
        if try statement.step() { try statement.withBlob(at: 0, body) }
    }

    /// Reads the row with a rowid through `read`; nil when there is no such row.
    package func row<Value>(_ rowid: Int64, read: (RowKey, StoredRow) throws -> Value) throws -> Value? {
        guard let table = try table(isDerived: RowTable.isDerived(rowid)) else { return nil }
        return try first(
            table.rowOfRowid, bind: { try $0.bind(rowid, at: 1) },
            read: {
                try read(
                    RowKey(collection: $0.text(at: 0) ?? "", key: $0.text(at: 1) ?? ""),
                    StoredRow($0, objectColumn: 2, metadataColumn: 3))
            })
    }

    /// Reads the row with a key through `read`, with its rowid; nil when there is no such row.
    package func row<Value>(forKey key: RowKey, read: (Int64, StoredRow) throws -> Value) throws -> Value? {
        guard let table = try table(isDerived: RowTable.isDerived(key.collection)) else { return nil }
        return try first(
            table.rowOfKey, bind: { try Self.bind(.key(key), to: $0) },
            read: { try read($0.int64(at: 0), StoredRow($0, objectColumn: 1, metadataColumn: 2)) })
    }

    static func bind(_ address: RowAddress, to statement: SQLiteStatement) throws {
        switch address {
        case .rowid(let rowid): try statement.bind(rowid, at: 1)
        case .key(let key):
            try statement.bind(key.collection, at: 1)
            try statement.bind(key.key, at: 2)
        }
    }

    /// The tables of rows that the file has.
    package func rowTables() throws -> [RowTable] {
        try [table(isDerived: false), table(isDerived: true)].compactMap(\.self)
    }

    /// The rowids in a table that no row has, neither one that programs write nor a derived one. O(rows of the table).
    /// - Parameters:
    ///   - table: its name, quoted.
    ///   - limit: the most that are returned; nil for all.
    package func rowidsWithoutRow(inTable table: String, limit: Int? = nil) throws -> [Int64] {
        let isOfNone = try rowTables().map {
            #"NOT EXISTS (SELECT 1 FROM "\#($0.name)" AS d WHERE d."rowid" = i."rowid")"#
        }
        let sql =
            #"SELECT i."rowid" FROM \#(table) AS i WHERE \#(isOfNone.joined(separator: " AND ")) LIMIT \#(limit ?? -1)"#
        return try all(sql) { $0.int64(at: 0) }
    }
}
