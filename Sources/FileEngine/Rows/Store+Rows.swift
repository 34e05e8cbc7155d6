import ListChanges
import SQLiteBridge

/// Reading rows, one at a time.
extension Store {
    package func rowid(forKey key: RowKey) throws -> Int64? {
        try first(
            #"SELECT "rowid" FROM "database2" WHERE "collection" = ? AND "key" = ?"#,
            bind: { try Self.bind(.key(key), to: $0) },
            read: { $0.int64(at: 0) })
    }

    package func key(forRowid rowid: Int64) throws -> RowKey? {
        try first(
            #"SELECT "collection", "key" FROM "database2" WHERE "rowid" = ?"#,
            bind: { try Self.bind(.rowid(rowid), to: $0) },
            read: { RowKey(collection: $0.text(at: 0) ?? "", key: $0.text(at: 1) ?? "") })
    }

    /// Reads one row through `read`; nil when there is no such row.
    package func row<Value>(
        _ address: RowAddress, _ columns: RowColumns, read: (StoredRow) throws -> Value
    ) throws -> Value? {
        try first(
            Self.select(columns, address),
            bind: { try Self.bind(address, to: $0) },
            read: { try read(StoredRow($0, objectColumn: 0, metadataColumn: columns == .both ? 1 : 0)) })
    }

    /// Calls the body with the bytes of a row's object, nil for NULL; does not call it when there is no such row.
    package func withObject(ofRow rowid: Int64, _ body: (UnsafeRawBufferPointer?) throws -> Void) throws {
        let statement = try handle.statement(Self.select(.object, .rowid(rowid)))
        defer { statement.reset() }
        try statement.bind(rowid, at: 1)
        if try statement.step() { try statement.withBlob(at: 0, body) }
    }

    /// Reads the row with a rowid through `read`; nil when there is no such row.
    package func row<Value>(_ rowid: Int64, read: (RowKey, StoredRow) throws -> Value) throws -> Value? {
        try first(
            #"SELECT "collection", "key", "data", "metadata" FROM "database2" WHERE "rowid" = ?"#,
            bind: { try $0.bind(rowid, at: 1) },
            read: {
                try read(
                    RowKey(collection: $0.text(at: 0) ?? "", key: $0.text(at: 1) ?? ""),
                    StoredRow($0, objectColumn: 2, metadataColumn: 3))
            })
    }

    static func bind(_ address: RowAddress, to statement: SQLiteStatement) throws {
        switch address {
        case .rowid(let rowid): try statement.bind(rowid, at: 1)
        case .key(let key):
            try statement.bind(key.collection, at: 1)
            try statement.bind(key.key, at: 2)
        }
    }

    /// Complete literals, because this is the most frequent query and the statement cache is keyed by SQL text.
    private static func select(_ columns: RowColumns, _ address: RowAddress) -> String {
        switch (columns, address) {
        case (.object, .key): #"SELECT "data" FROM "database2" WHERE "collection" = ? AND "key" = ?"#
        case (.metadata, .key): #"SELECT "metadata" FROM "database2" WHERE "collection" = ? AND "key" = ?"#
        case (.both, .key): #"SELECT "data", "metadata" FROM "database2" WHERE "collection" = ? AND "key" = ?"#
        case (.object, .rowid): #"SELECT "data" FROM "database2" WHERE "rowid" = ?"#
        case (.metadata, .rowid): #"SELECT "metadata" FROM "database2" WHERE "rowid" = ?"#
        case (.both, .rowid): #"SELECT "data", "metadata" FROM "database2" WHERE "rowid" = ?"#
        }
    }
}
