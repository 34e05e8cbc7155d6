import ListChanges

// Rows that a filter on the key chooses. The rows that it leaves out are not decoded.
extension YapDatabaseViewTransaction {
    /// Like ``iterateKeysAndObjects(inGroup:reversed:range:using:)`` for the rows for which the filter returns true.
    public func iterateKeysAndObjects(
        inGroup group: String, reversed: Bool = false, range: Range<Int>? = nil,
        filter: (_ collection: String, _ key: String) throws -> Bool,
        using block: (
            _ collection: String, _ key: String, _ object: Any, _ index: Int, _ stop: inout Bool
        ) throws -> Void
    ) throws {
        try iterate(group, reversed, range) { rowid, key, index, stop in
            guard try filter(key.collection, key.key) else { return }
            let object = try transaction.object(forRowid: rowid, key: key)
            try block(key.collection, key.key, object, index, &stop)
        }
    }

    public func iterateKeysAndMetadata(
        inGroup group: String, reversed: Bool = false, range: Range<Int>? = nil,
        filter: (_ collection: String, _ key: String) throws -> Bool,
        using block: (
            _ collection: String, _ key: String, _ metadata: Any?, _ index: Int, _ stop: inout Bool
        ) throws -> Void
    ) throws {
        try iterate(group, reversed, range) { rowid, key, index, stop in
            guard try filter(key.collection, key.key) else { return }
            let metadata = try transaction.metadata(forRowid: rowid, key: key)
            try block(key.collection, key.key, metadata, index, &stop)
        }
    }

    public func iterateRows(
        inGroup group: String, reversed: Bool = false, range: Range<Int>? = nil,
        filter: (_ collection: String, _ key: String) throws -> Bool,
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
}
