import YapDatabase

/// The functions of a transaction; each call is a read transaction, which blocks the calling thread.
extension YapDatabaseConnection {
    /// Reads the item at an index; nil if there is none.
    ///
    /// ```swift
    /// let dune: Book? = try connection.readAtIndex(YapDB.Index(collection: "books", key: "dune"))
    /// let some: [Book] = try connection.readByKeys(["dune", "solaris"])
    /// let all: [Book] = try connection.readAll()
    /// ```
    ///
    /// - Throws: `YapDatabaseError` with code `decodingFailed` if a row does not hold the type; `closed`, `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    @available(*, noasync, message: "In async code: `try await asyncReadByKey(…)` and the like.")
    public func readAtIndex<Item: Persistable>(_ index: YapDB.Index) throws -> Item? {
        try read { try $0.readAtIndex(index) }
    }

    /// Reads the items at indexes, in their order, without those that do not exist.
    ///
    /// Example: ``readAtIndex(_:)``.
    ///
    /// - Throws: `YapDatabaseError` with code `decodingFailed` if a row does not hold the type; `closed`, `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    @available(*, noasync, message: "In async code: `try await asyncReadByKey(…)` and the like.")
    public func readAtIndexes<Item: Persistable>(_ indexes: some Sequence<YapDB.Index>) throws -> [Item] {
        try read { try $0.readAtIndexes(indexes) }
    }

    /// Reads the metadata at an index; nil if there is none, or no row. See the transaction's function for `Codable` metadata.
    ///
    /// ```swift
    /// let date: Date? = try connection.readMetadataAtIndex(YapDB.Index(collection: "books", key: "dune"))
    /// ```
    ///
    /// - Throws: `YapDatabaseError` with code `decodingFailed` if a row does not hold the type; `closed`, `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    @available(*, noasync, message: "In async code: `try await asyncReadByKey(…)` and the like.")
    public func readMetadataAtIndex<Metadata>(_ index: YapDB.Index) throws -> Metadata? {
        try read { try $0.readMetadataAtIndex(index) }
    }

    /// Reads the metadata at indexes, in their order, without what does not exist.
    ///
    /// Example: ``readMetadataAtIndex(_:)``.
    ///
    /// - Throws: `YapDatabaseError` with code `decodingFailed` if a row does not hold the type; `closed`, `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    @available(*, noasync, message: "In async code: `try await asyncReadByKey(…)` and the like.")
    public func readMetadataAtIndexes<Metadata>(_ indexes: some Sequence<YapDB.Index>) throws -> [Metadata] {
        try read { try $0.readMetadataAtIndexes(indexes) }
    }

    /// Reads the item with a key; nil if there is none.
    ///
    /// ```swift
    /// let dune: Book? = try connection.readByKey("dune")
    /// ```
    ///
    /// - Throws: `YapDatabaseError` with code `decodingFailed` if a row does not hold the type; `closed`, `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    @available(*, noasync, message: "In async code: `try await asyncReadByKey(…)` and the like.")
    public func readByKey<Item: Persistable>(_ key: String) throws -> Item? {
        try read { try $0.readByKey(key) }
    }

    /// Reads the items with these keys, in their order, each once, without those that do not exist.
    ///
    /// Example: ``readAtIndex(_:)``.
    ///
    /// - Throws: `YapDatabaseError` with code `decodingFailed` if a row does not hold the type; `closed`, `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    @available(*, noasync, message: "In async code: `try await asyncReadByKey(…)` and the like.")
    public func readByKeys<Item: Persistable>(_ keys: some Sequence<String>) throws -> [Item] {
        try read { try $0.readByKeys(keys) }
    }

    /// Reads all items of the type, in the order of their keys' bytes. O(items): decodes all of them.
    ///
    /// Example: ``readAtIndex(_:)``.
    ///
    /// - Throws: `YapDatabaseError` with code `decodingFailed` if a row does not hold the type; `closed`, `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    @available(*, noasync, message: "In async code: `try await asyncReadByKey(…)` and the like.")
    public func readAll<Item: Persistable>() throws -> [Item] { try read { try $0.readAll() } }
}
