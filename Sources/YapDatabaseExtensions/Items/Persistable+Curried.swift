import YapDatabase

/// Reads and writes as closures that are given a transaction: `try connection.read(Book.readByKey("dune"))`.
extension Persistable {
    /// Returns a closure that reads the item at an index.
    /// - Throws: `YapDatabaseError` with code `decodingFailed` if a row does not hold the type; `closed`, `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    public static func readAtIndex(_ index: YapDB.Index) -> (YapDatabaseReadTransaction) throws -> Self? {
        { try $0.readAtIndex(index) }
    }

    /// Returns a closure that reads the items at indexes.
    /// - Throws: `YapDatabaseError` with code `decodingFailed` if a row does not hold the type; `closed`, `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    public static func readAtIndexes(
        _ indexes: some Sequence<YapDB.Index>
    ) -> (YapDatabaseReadTransaction) throws -> [Self] {
        { try $0.readAtIndexes(indexes) }
    }

    /// Returns a closure that reads the item with a key.
    /// - Throws: `YapDatabaseError` with code `decodingFailed` if a row does not hold the type; `closed`, `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    public static func readByKey(_ key: String) -> (YapDatabaseReadTransaction) throws -> Self? {
        { try $0.readByKey(key) }
    }

    /// Returns a closure that reads the items with keys.
    /// - Throws: `YapDatabaseError` with code `decodingFailed` if a row does not hold the type; `closed`, `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    public static func readByKeys(
        _ keys: some Sequence<String>
    ) -> (YapDatabaseReadTransaction) throws -> [Self] {
        { try $0.readByKeys(keys) }
    }

    /// Returns a closure that stores the item and returns it.
    /// - Throws: `YapDatabaseError` with code `decodingFailed` if a row does not hold the type; `closed`, `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    public func write() -> (YapDatabaseReadWriteTransaction) throws -> Self { { try $0.write(self) } }
}
