import YapDatabase

extension YapDB {
    /// Reads items of one type: `Book.read(connection).byKey("dune")`.
    ///
    /// On a transaction it is valid as long as that; on a connection each call is a read transaction. Functions throw
    /// `YapDatabaseError` if the file cannot be read, with code `decodingFailed` if a row does not hold the type.
    public struct Read<Item: Persistable> {
        enum Source {
            case transaction(YapDatabaseReadTransaction)
            case connection(YapDatabaseConnection)
        }

        let source: Source

        /// Reads the item at an index; nil if there is none.
        /// - Throws: `YapDatabaseError` with code `decodingFailed` if a row does not hold the type; `closed`, `corrupt`, `inputOutput` or
        ///   `interrupted` if the file cannot be read.
        @available(
            *, noasync, message: "In async code: `try await Item.asyncRead(connection)` with the same functions."
        )
        public func byIndex(_ index: YapDB.Index) throws -> Item? { try sync { try $0.readAtIndex(index) } }

        /// The same as ``byIndex(_:)``.
        /// - Throws: `YapDatabaseError` with code `decodingFailed` if a row does not hold the type; `closed`, `corrupt`, `inputOutput` or
        ///   `interrupted` if the file cannot be read.
        @available(
            *, noasync, message: "In async code: `try await Item.asyncRead(connection)` with the same functions."
        )
        public func atIndex(_ index: YapDB.Index) throws -> Item? { try byIndex(index) }

        /// Reads the items at indexes, in their order, without those that do not exist.
        /// - Throws: `YapDatabaseError` with code `decodingFailed` if a row does not hold the type; `closed`, `corrupt`, `inputOutput` or
        ///   `interrupted` if the file cannot be read.
        @available(
            *, noasync, message: "In async code: `try await Item.asyncRead(connection)` with the same functions."
        )
        public func atIndexes(_ indexes: some Sequence<YapDB.Index>) throws -> [Item] {
            try sync { try $0.readAtIndexes(indexes) }
        }

        /// Reads the item with a key; nil if there is none.
        /// - Throws: `YapDatabaseError` with code `decodingFailed` if a row does not hold the type; `closed`, `corrupt`, `inputOutput` or
        ///   `interrupted` if the file cannot be read.
        @available(
            *, noasync, message: "In async code: `try await Item.asyncRead(connection)` with the same functions."
        )
        public func byKey(_ key: String) throws -> Item? { try sync { try $0.readByKey(key) } }

        /// Reads the items with these keys, in their order, each once, without those that do not exist.
        /// - Throws: `YapDatabaseError` with code `decodingFailed` if a row does not hold the type; `closed`, `corrupt`, `inputOutput` or
        ///   `interrupted` if the file cannot be read.
        @available(
            *, noasync, message: "In async code: `try await Item.asyncRead(connection)` with the same functions."
        )
        public func byKeys(_ keys: some Sequence<String>) throws -> [Item] { try sync { try $0.readByKeys(keys) } }

        /// Reads all items of the type, in the order of their keys' bytes, or of the numbers where these are the identifiers. O(items): decodes
        /// all of them.
        ///
        /// - Throws: `YapDatabaseError` with code `decodingFailed` if a row does not hold the type; `closed`, `corrupt`, `inputOutput` or
        ///   `interrupted` if the file cannot be read.
        @available(
            *, noasync, message: "In async code: `try await Item.asyncRead(connection)` with the same functions."
        )
        public func all() throws -> [Item] { try sync { try $0.readAll() } }

        /// Reads the items with these keys that exist, and returns the keys of those that do not, both in the order of the keys.
        /// - Throws: `YapDatabaseError` with code `decodingFailed` if a row does not hold the type; `closed`, `corrupt`, `inputOutput` or
        ///   `interrupted` if the file cannot be read.
        @available(
            *, noasync, message: "In async code: `try await Item.asyncRead(connection)` with the same functions."
        )
        public func filterExisting(_ keys: some Sequence<String>) throws -> (existing: [Item], missing: [String]) {
            try sync { transaction in
                var (existing, missing): ([Item], [String]) = ([], [])
                for index in Item.indexesWithKeys(keys) {
                    if let item: Item = try transaction.readAtIndex(index) {
                        existing.append(item)
                    } else {
                        missing.append(index.key)
                    }
                }
                return (existing, missing)
            }
        }

        /// Reads the metadata at an index without the item; nil if there is none, or no row.
        /// - Throws: `YapDatabaseError` with code `decodingFailed` if a row does not hold the type; `closed`, `corrupt`, `inputOutput` or
        ///   `interrupted` if the file cannot be read.
        @available(
            *, noasync, message: "In async code: `try await Item.asyncRead(connection)` with the same functions."
        )
        public func metadataAtIndex(_ index: YapDB.Index) throws -> Item.MetadataType? {
            try sync {
                Item.useCodings(in: .transaction($0))
                return try $0.readMetadataAtIndex(index)
            }
        }

        /// Reads the metadata at indexes, in their order, without what does not exist.
        /// - Throws: `YapDatabaseError` with code `decodingFailed` if a row does not hold the type; `closed`, `corrupt`, `inputOutput` or
        ///   `interrupted` if the file cannot be read.
        @available(
            *, noasync, message: "In async code: `try await Item.asyncRead(connection)` with the same functions."
        )
        public func metadataAtIndexes(_ indexes: some Sequence<YapDB.Index>) throws -> [Item.MetadataType] {
            try sync {
                Item.useCodings(in: .transaction($0))
                return try $0.readMetadataAtIndexes(indexes)
            }
        }

        private func sync<Value>(_ body: (YapDatabaseReadTransaction) throws -> Value) throws -> Value {
            switch source {
            case .transaction(let transaction): try body(transaction)
            case .connection(let connection): try connection.read(body)
            }
        }
    }
}

extension Persistable {
    /// What reads items of the type in a transaction.
    public static func read(_ transaction: YapDatabaseReadTransaction) -> YapDB.Read<Self> {
        YapDB.Read(source: .transaction(transaction))
    }

    /// What reads items of the type, with a transaction of the connection for each call.
    public static func read(_ connection: YapDatabaseConnection) -> YapDB.Read<Self> {
        YapDB.Read(source: .connection(connection))
    }
}
