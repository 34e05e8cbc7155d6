import ListChanges

/// A row under the cursor of an enumeration, valid until the enumeration goes on.
struct ScannedRow {
    private let cursor: RowCursor
    private unowned let transaction: YapDatabaseReadTransaction
    let rowid: Int64
    let key: RowKey

    init(cursor: RowCursor, transaction: YapDatabaseReadTransaction) {
        self.cursor = cursor
        self.transaction = transaction
        rowid = cursor.rowid
        key = cursor.key
    }

    /// Decoded when it is asked for, unless a cache has it. An enumeration leaves the caches as they are: a long one
    /// would push out everything else.
    func object() throws -> Any {
        if let cached = try transaction.caches.object(key) { return cached }
        return try transaction.decodeObject(cursor.row, key)
    }

    /// The stored bytes of both. Not for a cursor over keys.
    var size: Int { cursor.row.size }

    /// Nil when the row has none.
    func metadata() throws -> Any? {
        if let cached = try transaction.caches.metadata(key) { return cached }
        return try transaction.decodeMetadata(cursor.row, key)
    }
}

extension YapDatabaseReadTransaction {
    /// Visits the rows of the allowed collections (nil: of all), for extensions that populate themselves.
    ///
    /// A whitelist reads nothing of other collections. `columns` is `.keys` where the body asks for no value.
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

    /// Every enumeration of rows goes through here.
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
                "A row was set or removed during an enumeration that goes on. Set `stop` to true, or collect the keys "
                    + "and change the rows afterwards; `replace…` and `touch…` are allowed at any time.")
        }
    }
}
