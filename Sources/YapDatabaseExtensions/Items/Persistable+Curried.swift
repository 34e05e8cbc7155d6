import YapDatabase

/// Reads and writes as closures that are given a transaction: `try connection.read(Book.readByKey("dune"))`.
extension Persistable {
    /// Returns a closure that reads the item at an index.
    public static func readAtIndex(_ index: YapDB.Index) -> (YapDatabaseReadTransaction) throws -> Self? {
        { try $0.readAtIndex(index) }
    }

    /// Returns a closure that reads the items at indexes.
    public static func readAtIndexes(
        _ indexes: some Sequence<YapDB.Index>
    ) -> (YapDatabaseReadTransaction) throws -> [Self] {
        { try $0.readAtIndexes(indexes) }
    }

    /// Returns a closure that reads the item with a key.
    public static func readByKey(_ key: String) -> (YapDatabaseReadTransaction) throws -> Self? {
        { try $0.readByKey(key) }
    }

    /// Returns a closure that reads the items with keys.
    public static func readByKeys(
        _ keys: some Sequence<String>
    ) -> (YapDatabaseReadTransaction) throws -> [Self] {
        { try $0.readByKeys(keys) }
    }

    /// Returns a closure that stores the item and returns it.
    public func write() -> (YapDatabaseReadWriteTransaction) throws -> Self { { try $0.write(self) } }
}
