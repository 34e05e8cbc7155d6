import YapDatabase

extension YapDB {
    /// Reads items of one type in async code, without blocking a thread: `try await Book.asyncRead(connection).byKey("dune")`.
    ///
    /// Each call is a read transaction. Functions throw `YapDatabaseError` with code `decodingFailed` if a row does not hold the type;
    /// `closed`, `corrupt` or `inputOutput` if the file cannot be read; `CancellationError` if the task is cancelled before the transaction
    /// begins.
    public struct AsyncRead<Item: Persistable>: Sendable {
        let connection: YapDatabaseConnection

        /// Reads the item at an index; nil if there is none.
        /// - Throws: `YapDatabaseError` with code `decodingFailed`, `closed`, `corrupt` or `inputOutput`.
        public func atIndex(_ index: YapDB.Index) async throws -> sending Item? {
            try await sent { try $0.atIndex(index) }
        }

        /// The same as ``atIndex(_:)``.
        /// - Throws: `YapDatabaseError` with code `decodingFailed`, `closed`, `corrupt` or `inputOutput`.
        public func byIndex(_ index: YapDB.Index) async throws -> sending Item? { try await atIndex(index) }

        /// Reads the items at indexes, in their order, without those that do not exist.
        /// - Throws: `YapDatabaseError` with code `decodingFailed`, `closed`, `corrupt` or `inputOutput`.
        public func atIndexes(_ indexes: some Sequence<YapDB.Index>) async throws -> sending [Item] {
            let indexes = Array(indexes)
            return try await sent { try $0.atIndexes(indexes) }
        }

        /// Reads the item with a key; nil if there is none.
        /// - Throws: `YapDatabaseError` with code `decodingFailed`, `closed`, `corrupt` or `inputOutput`.
        public func byKey(_ key: String) async throws -> sending Item? { try await sent { try $0.byKey(key) } }

        /// Reads the items with these keys, in their order, each once, without those that do not exist.
        /// - Throws: `YapDatabaseError` with code `decodingFailed`, `closed`, `corrupt` or `inputOutput`.
        public func byKeys(_ keys: some Sequence<String>) async throws -> sending [Item] {
            let keys = Array(keys)
            return try await sent { try $0.byKeys(keys) }
        }

        /// Reads all items of the type, in the order of their keys' bytes. O(items): decodes all of them.
        /// - Throws: `YapDatabaseError` with code `decodingFailed`, `closed`, `corrupt` or `inputOutput`.
        public func all() async throws -> sending [Item] { try await sent { try $0.all() } }

        /// Reads the items with these keys that exist, and returns the keys of those that do not, both in the order of the keys.
        /// - Throws: `YapDatabaseError` with code `decodingFailed`, `closed`, `corrupt` or `inputOutput`.
        public func filterExisting(
            _ keys: some Sequence<String>
        ) async throws -> sending (existing: [Item], missing: [String]) {
            let keys = Array(keys)
            return try await sent { try $0.filterExisting(keys) }
        }

        /// Reads the metadata at an index without the item; nil if there is none, or no row.
        /// - Throws: `YapDatabaseError` with code `decodingFailed`, `closed`, `corrupt` or `inputOutput`.
        public func metadataAtIndex(_ index: YapDB.Index) async throws -> sending Item.MetadataType? {
            try await sent { try $0.metadataAtIndex(index) }
        }

        /// Reads the metadata at indexes, in their order, without what does not exist.
        /// - Throws: `YapDatabaseError` with code `decodingFailed`, `closed`, `corrupt` or `inputOutput`.
        public func metadataAtIndexes(
            _ indexes: some Sequence<YapDB.Index>
        ) async throws -> sending [Item.MetadataType] {
            let indexes = Array(indexes)
            return try await sent { try $0.metadataAtIndexes(indexes) }
        }

        private func sent<Value>(
            _ body: sending @escaping (Read<Item>) throws -> Value
        ) async throws -> sending Value {
            try await connection.sent { try body(Read(source: .transaction($0))) }
        }
    }
}

extension Persistable {
    /// What reads items of the type in async code, with a transaction of the connection for each call.
    ///
    /// ```swift
    /// let dune = try await Book.asyncRead(connection).byKey("dune")
    /// ```
    public static func asyncRead(_ connection: YapDatabaseConnection) -> YapDB.AsyncRead<Self> {
        YapDB.AsyncRead(connection: connection)
    }
}
