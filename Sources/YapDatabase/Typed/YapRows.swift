import FileEngine
import ListChanges

/// A row of a ``YapCollection``: its key and its values.
public struct YapRow<Value: Sendable, Key: YapKey, Metadata: Sendable>: Sendable, Identifiable {
    /// The key, unique in its collection.
    public let key: Key
    /// The value, decoded.
    public let value: Value
    /// Nil if the row has none.
    public let metadata: Metadata?

    public var id: Key { key }
}

/// One transaction's access to the rows of a ``YapCollection``: `transaction[books]`. Valid as long as the transaction.
///
/// Functions throw ``YapDatabaseError``, with code `decodingFailed` for a row that does not hold the type, and `badExtension` for rows that follow
/// from others (``YapJoin/rows``) if what derives them is not registered, or another program has registered something else under its name.
public struct YapRows<
    Value: Codable & Sendable, Key: YapKey, Metadata: Codable & Sendable, Transaction: YapDatabaseReadTransaction
> {
    /// The collection of the rows.
    public let collection: YapCollection<Value, Key, Metadata>
    /// The transaction that reads and writes the rows.
    public let transaction: Transaction

    /// A cached value costs a dictionary lookup, others an indexed query and decoding.
    ///
    /// ```swift
    /// let dune = try transaction[books]["dune"]
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `decodingFailed` if the value cannot be decoded; `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    public subscript(key: Key) -> Value? {
        get throws { try value(of: collection.rowKey(key)) }
    }

    /// Returns the values of the keys that have a row, in the order of the keys.
    ///
    /// Costs as much as reading each row.
    ///
    /// ```swift
    /// let some = try transaction[books].values(forKeys: ["dune", "solaris"])
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `decodingFailed` if the value cannot be decoded; `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    public func values(forKeys keys: some Sequence<Key>) throws -> [Value] {
        try keys.compactMap { try self[$0] }
    }

    /// Returns key, value and metadata; nil if there is no such row.
    ///
    /// ```swift
    /// if let row = try transaction[dated].row(forKey: "dune") { print(row.value.title, row.metadata ?? .distantPast) }
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `decodingFailed` if the value cannot be decoded; `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    public func row(forKey key: Key) throws -> YapRow<Value, Key, Metadata>? {
        guard let value = try self[key] else { return nil }
        return YapRow(key: key, value: value, metadata: try metadata(forKey: key))
    }

    /// Returns the metadata; nil if the row has none or does not exist.
    ///
    /// ```swift
    /// let date = try transaction[dated].metadata(forKey: "dune")
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `decodingFailed` if the value cannot be decoded; `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    public func metadata(forKey key: Key) throws -> Metadata? {
        if Metadata.self == Never.self { return nil }
        collection.use(in: transaction)
        let rowKey = collection.rowKey(key)
        return try readable.metadata(rowKey).map { try cast($0, "metadata", rowKey) }
    }

    /// Whether the row exists. Decodes nothing.
    ///
    /// A key of the cache costs a dictionary lookup, others an indexed query.
    ///
    /// ```swift
    /// if try !transaction[books].contains("dune") { print("no such book") }
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func contains(_ key: Key) throws -> Bool { try readable.rowid(forKey: collection.rowKey(key)) != nil }

    /// The number of rows. Reads the index only, O(rows).
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public var count: Int {
        get throws { try readable.numberOfKeys(inCollection: collection.name) }
    }

    /// Returns all keys, in the order of their bytes. Decodes nothing.
    ///
    /// O(rows), in the index.
    ///
    /// ```swift
    /// let keys = try transaction[books].keys()
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `decodingFailed` if a stored key is no key of the collection's type; `corrupt`,
    ///   `inputOutput` or `interrupted` if the file cannot be read.
    public func keys() throws -> [Key] {
        var keys: [Key] = []
        try readable.scan(.collection(collection.name), .keys) { row, _ in
            keys.append(try collection.key(of: row.key))
        }
        return keys
    }

    /// Returns all values, in the order of their keys' bytes. Decodes all of them: for a long collection use ``forEach(_:)``.
    /// - Throws: ``YapDatabaseError`` with code `decodingFailed` if the value cannot be decoded; `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    public func values() throws -> [Value] {
        var values: [Value] = []
        try forEach { _, value in values.append(value) }
        return values
    }

    /// Returns the values that can be decoded, in the order of their keys' bytes, and the rows that cannot: those of another version of the
    /// program, for example.
    ///
    /// O(rows). Decodes all of them.
    ///
    /// ```swift
    /// let (values, problems) = try transaction[books].decodableValues()
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func decodableValues() throws -> (values: [Value], problems: [YapDatabaseUndecodableRow]) {
        var (values, problems): ([Value], [YapDatabaseUndecodableRow]) = ([], [])
        try readable.scan(.collection(collection.name), .values) { row, _ in
            do {
                values.append(try value(in: row))
            } catch {
                guard let error = YapDatabaseError(undecodable: error) else { throw error }
                problems.append(YapDatabaseUndecodableRow([], row.key, cause: error.cause))
            }
        }
        return (values, problems)
    }

    /// Visits all rows in the order of their keys' bytes, with one of them in memory at a time. The body must not add or
    /// remove rows; it may change those that are there.
    ///
    /// The body runs on the thread of the transaction.
    ///
    /// ```swift
    /// try transaction[books].forEach { key, book in print(key, book.title) }
    /// ```
    ///
    /// - Throws: what the body throws; ``YapDatabaseError`` with code `decodingFailed` if the value cannot be decoded; `corrupt`,
    ///   `inputOutput` or `interrupted` if the file cannot be read.
    public func forEach(_ body: (_ key: Key, _ value: Value) throws -> Void) throws {
        try readable.scan(.collection(collection.name), .values) { row, _ in
            try body(try collection.key(of: row.key), try value(in: row))
        }
    }

    /// Returns the first value, in the order of the keys' bytes, that fulfils the condition. Decodes those before it too; where
    /// that is too slow, declare a ``YapIndex``.
    ///
    /// The closure runs on the thread of the transaction.
    ///
    /// ```swift
    /// let unread = try transaction[books].first { !$0.isRead }
    /// ```
    ///
    /// - Throws: what the closure throws; ``YapDatabaseError`` with code `decodingFailed` if the value cannot be decoded; `corrupt`,
    ///   `inputOutput` or `interrupted` if the file cannot be read.
    public func first(where isWanted: (Value) throws -> Bool) throws -> Value? {
        var found: Value?
        try readable.scan(.collection(collection.name), .values) { row, stop in
            let value = try value(in: row)
            if try isWanted(value) { (found, stop) = (value, true) }
        }
        return found
    }
}

extension YapRows {
    /// The transaction, if this program knows what the rows of the collection are.
    /// - Throws: ``YapDatabaseError`` with code `badExtension` if they are derived, and not as this program declares it.
    fileprivate var readable: Transaction {
        @inline(__always) get throws {
            if RowTable.isDerived(collection.name) { try transaction.checkDerivation(of: collection.name) }
            return transaction
        }
    }

    /// The value of a row of an enumeration, whatever the body has used meanwhile.
    private func value(in row: ScannedRow) throws -> Value {
        collection.use(in: transaction)
        return try row.value(of: Value.self)
    }

    func value(of key: RowKey) throws -> Value? {
        collection.use(in: transaction)
        return try readable.value(of: Value.self, .key(key), key)
    }
}

extension YapDatabaseReadTransaction {
    /// - Throws: ``YapDatabaseError`` with code `badExtension` if the extension that derives the rows of a collection is not usable.
    fileprivate func checkDerivation(of collection: String) throws {
        guard let name = RowTable.derivingExtension(ofCollection: collection) else { return }
        if hooks(ofExtension: name) == nil { throw notRegistered(name) }
    }
}

// MARK: Subscripts

/// A transaction of any kind: what typed subscripts extend, so that their results know whether the transaction can write.
public protocol YapTypedTransaction: YapDatabaseReadTransaction {}

extension YapDatabaseReadTransaction: YapTypedTransaction {}

extension YapTypedTransaction {
    /// The rows of a collection, with their types.
    public subscript<Value, Key, Metadata>(
        collection: YapCollection<Value, Key, Metadata>
    ) -> YapRows<Value, Key, Metadata, Self> {
        collection.use(in: self)
        return YapRows(collection: collection, transaction: self)
    }
}
