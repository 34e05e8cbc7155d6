import ListChanges

/// The current row of an enumeration, valid until the enumeration moves on.
struct ScannedRow {
    private let cursor: RowCursor
    /// Unsafe: the transaction runs the enumeration, outside of which no row is valid, and counting takes longer than the rest.
    private unowned(unsafe) let transaction: YapDatabaseReadTransaction
    let rowid: Int64
    let key: RowKey

    init(cursor: RowCursor, transaction: YapDatabaseReadTransaction) {
        self.cursor = cursor
        self.transaction = transaction
        rowid = cursor.rowid
        key = cursor.key
    }

    /// The object, from the cache or decoded on access. An enumeration does not fill the caches, because a long one would
    /// drop all other entries.
    func object() throws -> Any {
        if let cached = try transaction.caches.object(key) { return cached }
        return try transaction.decodeObject(cursor.row, key)
    }

    /// The object of a row whose collection is declared with the type.
    func value<Value: Decodable>(of type: Value.Type) throws -> Value {
        if let cached = try transaction.caches.object(key) { return try cast(cached, "object", key) }
        return try transaction.decodeObject(cursor.row, key, as: type)
    }

    /// The object's bytes; nil where the column is NULL. Not for a cursor over keys.
    func withObjectBytes<Value>(_ body: (UnsafeRawBufferPointer?) throws -> Value) rethrows -> Value {
        try cursor.row.withObject(body)
    }

    /// The number of stored bytes of object and metadata. Not for a cursor over keys.
    var size: Int { cursor.row.size }

    /// The metadata, from the cache or decoded on access; nil if the row has none.
    func metadata() throws -> Any? {
        if let cached = try transaction.caches.metadata(key) { return cached }
        return try transaction.decodeMetadata(cursor.row, key)
    }
}

extension YapDatabaseReadTransaction {
    /// Visits the rows of the allowed collections (nil for all), to populate extensions.
    ///
    /// With a whitelist, reads nothing of other collections. `columns` is `.keys` if the body needs no values.
    func enumerateRows(
        allowedCollections: YapWhitelistBlacklist?, columns: ScanColumns,
        body: (ScannedRow, inout Bool) throws -> Void
    ) throws {
        guard let whitelist = allowedCollections?.whitelist else {
            return try scan(.all, columns, where: { allowedCollections?.isAllowed($0.collection) ?? true }, body)
        }
        var stop = false
        for collection in whitelist.sorted() where !stop {
            try scan(.collection(collection), columns) { row, innerStop in
                try body(row, &innerStop)
                stop = innerStop
            }
        }
    }

    /// The rows that ``enumerateRows(allowedCollections:columns:body:)`` visits, counted in the index.
    func count(allowedCollections: YapWhitelistBlacklist?) throws -> Int {
        guard let allowedCollections else { return try store.countOfAllRows() }
        return try store.collections().filter(allowedCollections.isAllowed).reduce(0) {
            try $0 + store.count(inCollection: $1)
        }
    }

    /// Runs an enumeration of rows; all of them call it.
    func scan(
        _ scope: RowScope, _ columns: ScanColumns, where isIncluded: (RowKey) throws -> Bool = { _ in true },
        _ body: (ScannedRow, inout Bool) throws -> Void
    ) throws {
        let cursor = try RowCursor(store, scope, columns)
        let before = keyChanges
        var stop = false
        while !stop, try cursor.next() {
            let row = ScannedRow(cursor: cursor, transaction: self)
            guard try isIncluded(row.key) else { continue }
            try body(row, &stop)
            require(
                stop || keyChanges == before,
                "A row was set or removed during an enumeration that continues. Set `stop` to true, or collect the keys "
                    + "and change the rows afterwards; `replace…` and `touch…` are allowed at any time.")
        }
    }
}
