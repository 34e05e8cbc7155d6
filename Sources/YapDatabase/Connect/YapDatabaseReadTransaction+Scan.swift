import ListChanges

/// The current row of an enumeration, valid until the enumeration moves on.
package struct ScannedRow {
    private let cursor: RowCursor
    /// Unsafe: no row is valid after the enumeration, which the transaction runs. Counting references would take longer than all else.
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

    /// Appends the object's bytes; nothing where the column is NULL. Not for a cursor over keys.
    /// - Returns: the number of stored bytes of object and metadata.
    func appendObject(to bytes: inout [UInt8]) -> Int { cursor.appendObject(to: &bytes) }

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
    /// With their values, rows come in the order of the table, in which they were inserted: rows that a view then finds equal keep it. Of a
    /// whitelist that allows a small part of the rows, these are looked up in the index and read one by one; otherwise all are passed over.
    ///
    /// `columns` is `.keys` if the body needs no values: in the order of the keys, and with a whitelist nothing of other collections is
    /// read.
    func enumerateRows(
        allowedCollections: YapWhitelistBlacklist?, columns: ScanColumns,
        body: (ScannedRow, inout Bool) throws -> Void
    ) throws {
        let whitelist = allowedCollections?.whitelist?.map(\.text)
        if columns == .keys, let whitelist { return try scanCollections(whitelist, .keys, body) }
        if let whitelist, whitelist.contains(where: { RowTable.isDerived($0) }) {
            return try scanCollections(whitelist, columns, body)
        }
        let rowids = try whitelist.flatMap(rowids(ofFew:))
        try scan(rowids.map(RowScope.rowids) ?? .all, columns, of: allowedCollections, body)
    }

    private func scanCollections(
        _ collections: [String], _ columns: ScanColumns, _ body: (ScannedRow, inout Bool) throws -> Void
    ) throws {
        var stop = false
        for collection in collections.sorted(by: { $0.precedes($1) }) where !stop {
            try scan(.collection(collection), columns) { row, innerStop in
                try body(row, &innerStop)
                stop = innerStop
            }
        }
    }

    /// Returns the rowids of the rows of these collections, in ascending order; nil if they are so many that to read all rows is quicker.
    private func rowids(ofFew collections: [String]) throws -> [Int64]? {
        guard try store.share(ofCollections: collections) <= 0.25 else { return nil }
        var rowids: [Int64] = []
        for collection in collections {
            let cursor = try RowCursor(store, .collection(collection), .keys)
            while try cursor.next() {
                // 8 MB.
                if rowids.count == 1 << 20 { return nil }
                rowids.append(cursor.rowid)
            }
        }
        return rowids.sorted()
    }

    /// The rows that ``enumerateRows(allowedCollections:columns:body:)`` visits, counted in the index.
    func count(allowedCollections: YapWhitelistBlacklist?) throws -> Int {
        guard let allowedCollections else { return try store.countOfAllRows() }
        // Derived rows are in no list of collections.
        let derived = allowedCollections.whitelist?.map(\.text).filter { RowTable.isDerived($0) } ?? []
        return try (store.collections().filter(allowedCollections.isAllowed) + derived).reduce(0) {
            try $0 + store.count(inCollection: $1)
        }
    }

    /// Runs an enumeration of rows; all of them call it.
    func scan(
        _ scope: RowScope, _ columns: ScanColumns, of collections: YapWhitelistBlacklist? = nil,
        where isIncluded: (RowKey) throws -> Bool = { _ in true },
        _ body: (ScannedRow, inout Bool) throws -> Void
    ) throws {
        let cursor = try RowCursor(store, scope, columns, where: collections?.isAllowed)
        let before = keyChanges
        var stop = false
        while !stop, try cursor.next() {
            let row = ScannedRow(cursor: cursor, transaction: self)
            guard try isIncluded(row.key) else { continue }
            try body(row, &stop)
            require(
                stop || keyChanges == before,
                "A row was added or removed during an enumeration that continues. Set `stop` to true, or collect the keys "
                    + "and change the rows afterwards; rows that are there may be changed at any time.")
        }
    }
}
