import YapDatabase

/// Reads that are awaited, without blocking a thread. A task that is cancelled before the transaction begins throws `CancellationError`.
extension YapDatabaseConnection {
    /// Reads the item at an index; nil if there is none.
    ///
    /// ```swift
    /// let dune: Book? = try await connection.asyncReadAtIndex(YapDB.Index(collection: "books", key: "dune"))
    /// let some: [Book] = try await connection.asyncReadByKeys(["dune", "solaris"])
    /// let all: [Book] = try await connection.asyncReadAll()
    /// ```
    ///
    /// - Throws: `YapDatabaseError` with code `decodingFailed` if a row does not hold the type; `closed`, `corrupt` or `inputOutput` if the
    ///   file cannot be read.
    public func asyncReadAtIndex<Item: Persistable>(_ index: YapDB.Index) async throws -> sending Item? {
        try await sent { try $0.readAtIndex(index) }
    }

    /// Reads the items at indexes, in their order, without those that do not exist.
    ///
    /// Example: ``asyncReadAtIndex(_:)``.
    ///
    /// - Throws: as ``asyncReadAtIndex(_:)``: `YapDatabaseError` with code `decodingFailed`, `closed` and the like.
    public func asyncReadAtIndexes<Item: Persistable>(
        _ indexes: some Sequence<YapDB.Index>
    ) async throws -> sending [Item] {
        let indexes = Array(indexes)
        return try await sent { try $0.readAtIndexes(indexes) }
    }

    /// Reads the metadata at an index; nil if there is none, or no row.
    ///
    /// ```swift
    /// let date: Date? = try await connection.asyncReadMetadataAtIndex(YapDB.Index(collection: "books", key: "dune"))
    /// ```
    ///
    /// - Throws: as ``asyncReadAtIndex(_:)``: `YapDatabaseError` with code `decodingFailed`, `closed` and the like.
    public func asyncReadMetadataAtIndex<Metadata>(_ index: YapDB.Index) async throws -> sending Metadata? {
        try await sent { try $0.readMetadataAtIndex(index) }
    }

    /// Reads the metadata at indexes, in their order, without what does not exist.
    ///
    /// Example: ``asyncReadMetadataAtIndex(_:)``.
    ///
    /// - Throws: as ``asyncReadAtIndex(_:)``: `YapDatabaseError` with code `decodingFailed`, `closed` and the like.
    public func asyncReadMetadataAtIndexes<Metadata>(
        _ indexes: some Sequence<YapDB.Index>
    ) async throws -> sending [Metadata] {
        let indexes = Array(indexes)
        return try await sent { try $0.readMetadataAtIndexes(indexes) }
    }

    /// Reads the item with a key; nil if there is none.
    ///
    /// ```swift
    /// let dune: Book? = try await connection.asyncReadByKey("dune")
    /// ```
    ///
    /// - Throws: as ``asyncReadAtIndex(_:)``: `YapDatabaseError` with code `decodingFailed`, `closed` and the like.
    public func asyncReadByKey<Item: Persistable>(_ key: String) async throws -> sending Item? {
        try await sent { try $0.readByKey(key) }
    }

    /// Reads the items with these keys, in their order, each once, without those that do not exist.
    ///
    /// Example: ``asyncReadAtIndex(_:)``.
    ///
    /// - Throws: as ``asyncReadAtIndex(_:)``: `YapDatabaseError` with code `decodingFailed`, `closed` and the like.
    public func asyncReadByKeys<Item: Persistable>(_ keys: some Sequence<String>) async throws -> sending [Item] {
        let keys = Array(keys)
        return try await sent { try $0.readByKeys(keys) }
    }

    /// Reads all items of the type, in the order of their keys' bytes. O(items): decodes all of them.
    ///
    /// Example: ``asyncReadAtIndex(_:)``.
    ///
    /// - Throws: as ``asyncReadAtIndex(_:)``: `YapDatabaseError` with code `decodingFailed`, `closed` and the like.
    public func asyncReadAll<Item: Persistable>() async throws -> sending [Item] {
        try await sent { try $0.readAll() }
    }

    /// The items were decoded for this call, so they may leave the connection's queue.
    func sent<Value>(
        _ body: sending @escaping (YapDatabaseReadTransaction) throws -> Value
    ) async throws -> sending Value {
        try await read { UncheckedSendable(try body($0)) }.value
    }
}
