import ListChanges

/// Writes rows.
extension YapRows where Transaction == YapDatabaseReadWriteTransaction {
    /// Stores a value under its key, and replaces a row that is there. The row's metadata stays.
    ///
    /// A value whose bytes are stored already is no change, unless ``YapDatabaseOptions/storesEqualValues`` is set. A value that a newer
    /// version of the program wrote is not overwritten: `newerVersion`.
    ///
    /// ```swift
    /// try transaction[books].save(Book(id: "dune", title: "Dune"))
    /// try transaction[books].save([Book(id: "solaris", title: "Solaris")])
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `encodingFailed` or `valueTooLarge`, after which nothing is stored and the transaction
    ///   may continue; `badExtension`, `diskFull`, `inputOutput` or `corrupt`, after which the transaction is lost; `transactionFailed`
    ///   if it was lost before. Also what a block of an extension throws.
    public func save(_ value: Value) throws {
        collection.use(in: transaction)
        let key = collection.rowKey(collection.key(of: value))
        if Metadata.self != Never.self, try transaction.rowid(forKey: key) != nil {
            return try transaction.replaceValue(value, key)
        }
        try transaction.setValue(value, key)
    }

    /// Stores values under their keys.
    /// - Throws: ``YapDatabaseError`` with code `encodingFailed` or `valueTooLarge`, after which nothing is stored and the transaction
    ///   may continue; `badExtension`, `diskFull`, `inputOutput` or `corrupt`, after which the transaction is lost; `transactionFailed`
    ///   if it was lost before. Also what a block of an extension throws.
    public func save(_ values: some Sequence<Value>) throws { for value in values { try save(value) } }

    /// Stores a value and its metadata; nil removes the metadata.
    ///
    /// ```swift
    /// try transaction[dated].save(Book(id: "dune", title: "Dune"), metadata: Date())
    /// ```
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - metadata: its metadata; nil for none.
    /// - Throws: ``YapDatabaseError`` with code `encodingFailed` or `valueTooLarge`, after which nothing is stored and the transaction
    ///   may continue; `badExtension`, `diskFull`, `inputOutput` or `corrupt`, after which the transaction is lost; `transactionFailed`
    ///   if it was lost before. Also what a block of an extension throws.
    public func save(_ value: Value, metadata: Metadata?) throws {
        collection.use(in: transaction)
        try transaction.setValue(value, collection.rowKey(collection.key(of: value)), metadata: metadata)
    }

    /// Replaces the metadata of a row. Does nothing if there is no such row.
    ///
    /// ```swift
    /// try transaction[dated].setMetadata(Date(), forKey: "dune")
    /// ```
    ///
    /// - Parameters:
    ///   - metadata: the new metadata; nil for none.
    ///   - key: the key of the row.
    /// - Throws: ``YapDatabaseError`` with code `encodingFailed` or `valueTooLarge`, after which nothing is stored and the transaction
    ///   may continue; `badExtension`, `diskFull`, `inputOutput` or `corrupt`, after which the transaction is lost; `transactionFailed`
    ///   if it was lost before. Also what a block of an extension throws.
    public func setMetadata(_ metadata: Metadata?, forKey key: Key) throws {
        collection.use(in: transaction)
        try transaction.replaceMetadata(metadata, forKey: key.storedKey, inCollection: collection.name)
    }

    /// Changes a value in place. Returns false, and does not call the body, if there is no such row.
    ///
    /// ```swift
    /// try transaction[books].update("dune") { $0.isRead = true }
    /// ```
    ///
    /// - Parameters:
    ///   - key: the key of the row.
    ///   - change: changes the value, not its key; runs on the thread of the transaction.
    /// - Throws: what the closure throws; nothing is stored then. ``YapDatabaseError`` with code `decodingFailed` if the value cannot be
    ///   decoded; `encodingFailed` or `valueTooLarge`, after which nothing is stored and the transaction may continue; `badExtension`,
    ///   `diskFull`, `inputOutput` or `corrupt`, after which the transaction is lost; `transactionFailed` if it was lost before. Also
    ///   what a block of an extension throws.
    @discardableResult
    public func update(_ key: Key, _ change: (inout Value) throws -> Void) throws -> Bool {
        guard var value = try self[key] else { return false }
        // That of a row that another program wrote may be another one.
        let storedKey = collection.key(of: value).storedKey
        try change(&value)
        let newKey = collection.key(of: value)
        require(
            newKey.storedKey.hasSameBytes(as: key.storedKey) || newKey.storedKey.hasSameBytes(as: storedKey),
            "update changed the key of a value from \(key) to \(newKey == key ? "another Unicode form of it" : "\(newKey)"). Remove the row, and save the value under its new key."
        )
        collection.use(in: transaction)
        try transaction.replaceValue(value, collection.rowKey(key))
        return true
    }

    /// Removes a row. Does nothing if there is none.
    ///
    /// ```swift
    /// try transaction[books].remove("dune")
    /// try transaction[books].remove(["solaris", "ubik"])
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `badExtension`, `diskFull`, `inputOutput` or `corrupt`, after which the transaction is
    ///   lost; `transactionFailed` if it was lost before. Also what a block of an extension throws.
    public func remove(_ key: Key) throws { try transaction.remove(collection.rowKey(key)) }

    /// Removes rows. Keys without a row are ignored.
    /// - Throws: ``YapDatabaseError`` with code `badExtension`, `diskFull`, `inputOutput` or `corrupt`, after which the transaction is
    ///   lost; `transactionFailed` if it was lost before. Also what a block of an extension throws.
    public func remove(_ keys: some Sequence<Key>) throws {
        try transaction.removeObjects(forKeys: keys.map(\.storedKey), inCollection: collection.name)
    }

    /// Removes all rows of the collection.
    ///
    /// O(rows of the collection). Decodes nothing.
    ///
    /// ```swift
    /// try transaction[books].removeAll()
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `badExtension`, `diskFull`, `inputOutput` or `corrupt`, after which the transaction is
    ///   lost; `transactionFailed` if it was lost before. Also what a block of an extension throws.
    public func removeAll() throws { try transaction.removeAllObjects(inCollection: collection.name) }

    /// Marks a row as changed without changing it, so that lists show it again. Does nothing if there is none.
    ///
    /// ```swift
    /// try transaction[books].touch("dune")
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `badExtension`, `diskFull`, `inputOutput` or `corrupt`, after which the transaction is
    ///   lost; `transactionFailed` if it was lost before. Also what a block of an extension throws.
    public func touch(_ key: Key) throws {
        try transaction.touchRow(forKey: key.storedKey, inCollection: collection.name)
    }
}

// MARK: In a read-only transaction

/// These say what is wrong where a program writes in a `read`: without them the compiler speaks of the subscript.
extension YapRows where Transaction == YapDatabaseReadTransaction {
    /// Not in a read-only transaction.
    @available(*, unavailable, message: "Writing needs a read-write transaction: connection.readWrite { … }")
    public func save(_ value: Value) throws {}

    /// Not in a read-only transaction.
    @available(*, unavailable, message: "Writing needs a read-write transaction: connection.readWrite { … }")
    public func save(_ values: some Sequence<Value>) throws {}

    /// Not in a read-only transaction.
    @available(*, unavailable, message: "Writing needs a read-write transaction: connection.readWrite { … }")
    public func update(_ key: Key, _ change: (inout Value) throws -> Void) throws -> Bool { false }

    /// Not in a read-only transaction.
    @available(*, unavailable, message: "Writing needs a read-write transaction: connection.readWrite { … }")
    public func remove(_ key: Key) throws {}

    /// Not in a read-only transaction.
    @available(*, unavailable, message: "Writing needs a read-write transaction: connection.readWrite { … }")
    public func removeAll() throws {}
}
