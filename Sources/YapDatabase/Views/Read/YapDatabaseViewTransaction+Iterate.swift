import ListChanges

extension YapDatabaseViewTransaction {
    /// Calls `body` for the keys of a group, or of a range of its positions, in order until it sets `stop`.
    ///
    /// O(log n) to begin, then one key look-up a row. The group must not be changed meanwhile.
    public func iterateKeys(
        inGroup group: String, reversed: Bool = false, range: Range<Int>? = nil,
        using block: (_ collection: String, _ key: String, _ index: Int, _ stop: inout Bool) throws -> Void
    ) throws {
        try iterate(group, reversed, range) { _, key, index, stop in
            try block(key.collection, key.key, index, &stop)
        }
    }

    /// - Parameter filter: chooses rows by their keys. The rows that it leaves out are not decoded.
    public func iterateKeysAndObjects(
        inGroup group: String, reversed: Bool = false, range: Range<Int>? = nil,
        filter: (_ collection: String, _ key: String) throws -> Bool = { _, _ in true },
        using block: (_ collection: String, _ key: String, _ object: Any, _ index: Int, _ stop: inout Bool) throws ->
            Void
    ) throws {
        try iterateObjects(
            group, reversed, range, filter, cached: { object, _ in object }, decode: transaction.decodeObject
        ) { try block($0.collection, $0.key, $1, $2, &$3) }
    }

    /// Calls `body` for keys and metadata of a group, or of a range of its positions, in order until it sets `stop`.
    /// Only rows that pass `filter` are decoded.
    public func iterateKeysAndMetadata(
        inGroup group: String, reversed: Bool = false, range: Range<Int>? = nil,
        filter: (_ collection: String, _ key: String) throws -> Bool = { _, _ in true },
        using block: (_ collection: String, _ key: String, _ metadata: Any?, _ index: Int, _ stop: inout Bool) throws ->
            Void
    ) throws {
        try iterate(group, reversed, range) { rowid, key, index, stop in
            guard try filter(key.collection, key.key) else { return }
            let metadata = try transaction.metadata(forRowid: rowid, key: key)
            try block(key.collection, key.key, metadata, index, &stop)
        }
    }

    /// Calls `body` for keys, objects and metadata of a group, or of a range of its positions, in order until it sets
    /// `stop`. Only rows that pass `filter` are decoded.
    public func iterateRows(
        inGroup group: String, reversed: Bool = false, range: Range<Int>? = nil,
        filter: (_ collection: String, _ key: String) throws -> Bool = { _, _ in true },
        using block: (
            _ collection: String, _ key: String, _ object: Any, _ metadata: Any?, _ index: Int, _ stop: inout Bool
        ) throws -> Void
    ) throws {
        try iterate(group, reversed, range) { rowid, key, index, stop in
            guard try filter(key.collection, key.key) else { return }
            let object = try transaction.object(forRowid: rowid, key: key)
            let metadata = try transaction.metadata(forRowid: rowid, key: key)
            try block(key.collection, key.key, object, metadata, index, &stop)
        }
    }

    /// Reads each row with one look-up, through one statement.
    /// - Parameters:
    ///   - cached: makes the object of one from the cache.
    ///   - decode: makes it of the stored row.
    func iterateObjects<Object>(
        _ group: String, _ reversed: Bool, _ range: Range<Int>?,
        _ filter: (_ collection: String, _ key: String) throws -> Bool = { _, _ in true },
        cached: (Any, RowKey) throws -> Object, decode: (StoredRow, RowKey) throws -> Object,
        _ body: (_ key: RowKey, _ object: Object, _ index: Int, _ stop: inout Bool) throws -> Void
    ) throws {
        let all = 0..<numberOfItems(inGroup: group)
        let caches = try transaction.caches
        let reader = try RowReader(transaction.store)
        func read(_ rowid: Int64, _ known: RowKey?) throws -> (key: RowKey, object: Object?) {
            let row: (key: RowKey, object: Object?)? = try reader.row(rowid) { key, row in
                guard try known != nil || filter(key.collection, key.key) else { return (key, nil) }
                if known == nil, let object = caches.object(key) { return (key, try cached(object, key)) }
                let object = try decode(row, key)
                if caches.keepsObjects { caches.setObject(object, key) }
                return (key, object)
            }
            guard let row else { throw YapDatabaseError.damagedView(name, "row \(rowid) does not exist") }
            if known == nil { caches.setRowid(rowid, row.key) }
            return row
        }
        try pages.forEachRowid(inGroup: group, range: range?.clamped(to: all) ?? all, reversed: reversed) {
            index, rowid in
            let known = caches.key(forRowid: rowid)
            if let known, try !filter(known.collection, known.key) { return true }
            var stop = false
            if let known, let object = caches.object(known) {
                try body(known, cached(object, known), index, &stop)
            } else {
                let (key, object) = try read(rowid, known)
                if let object { try body(key, object, index, &stop) }
            }
            return !stop
        }
    }

    func iterate(
        _ group: String, _ reversed: Bool, _ range: Range<Int>?,
        _ body: (_ rowid: Int64, _ key: RowKey, _ index: Int, _ stop: inout Bool) throws -> Void
    ) throws {
        let all = 0..<numberOfItems(inGroup: group)
        try pages.forEachRowid(inGroup: group, range: range?.clamped(to: all) ?? all, reversed: reversed) {
            index, rowid in
            var stop = false
            try body(rowid, existingKey(ofRowid: rowid), index, &stop)
            return !stop
        }
    }
}
