import Foundation
import ListChanges

/// Reads and writes single rows without transactions. Writes return at once and are committed soon, many at a time; reads see
/// all writes of the proxy, committed or not.
///
/// ```swift
/// let proxy = try YapDatabaseConnectionProxy(database: database)
/// proxy.setObject("hello", forKey: "greeting")
/// let greeting = try proxy.object(forKey: "greeting")     // "hello", though it is not in the file yet
/// ```
///
/// For values that need no history, such as settings. Use a transaction to change several rows together. A value must not be
/// changed after it was passed. May be used from any thread.
///
/// Errors of writes go to ``YapDatabaseOptions/asyncErrorHandler``. A value that cannot be encoded is skipped; any other
/// error drops the whole commit, and reads see the file again.
public final class YapDatabaseConnectionProxy: Sendable {
    /// The database that is read and written.
    public let database: YapDatabase
    /// Reads rows without pending writes. Must not be in a long-lived read transaction, which would show an old state beside
    /// new writes.
    public let readOnlyConnection: YapDatabaseConnection
    /// Commits pending writes. Its `flushTransactions` reports when all writes so far are committed.
    public let readWriteConnection: YapDatabaseConnection

    private let state: Locked<State>

    private struct State {
        var writes = PendingWrites()
        /// Whether a commit is scheduled and has not begun.
        var isAsked = false
        var filter: YapWhitelistBlacklist?
    }

    /// - Parameters:
    ///   - database: the database that is read and written.
    ///   - readOnlyConnection: the connection that reads; nil for a new one.
    ///   - readWriteConnection: the connection that writes; nil for a new one.
    /// - Throws: ``YapDatabaseError`` with code `closed`, and those of ``YapDatabase/newConnection(_:)``, if a connection is to be
    ///   opened.
    public init(
        database: YapDatabase, readOnlyConnection: YapDatabaseConnection? = nil,
        readWriteConnection: YapDatabaseConnection? = nil
    ) throws {
        self.database = database
        self.readOnlyConnection = try readOnlyConnection ?? database.newConnection()
        self.readWriteConnection = try readWriteConnection ?? database.newConnection()
        state = Locked(State())
    }

    /// The collections that are read from the file; of others only pending writes are read. Nil for all. Avoids queries for
    /// rows that the caller knows not to exist.
    public var fetchedCollectionsFilter: YapWhitelistBlacklist? {
        get { state.withLock { $0.filter } }
        set { state.withLock { $0.filter = newValue } }
    }
}

// MARK: Reading

extension YapDatabaseConnectionProxy {
    /// Returns the object of a row; nil if there is no such row. Waits only for reading the file, if necessary.
    /// - Parameters:
    ///   - key: the key of the row.
    ///   - collection: the collection of the row; nil is the collection `""`.
    /// - Throws: ``YapDatabaseError`` if the file cannot be read or the value cannot be decoded.
    public func object(forKey key: String, inCollection collection: String? = nil) throws -> Any? {
        try row(forKey: key, inCollection: collection)?.object
    }

    /// Returns the metadata of a row; nil if it has none or there is no such row.
    ///
    /// ```swift
    /// proxy.setObject("hello", forKey: "greeting", withMetadata: Date())
    /// let date = try proxy.metadata(forKey: "greeting") as? Date
    /// ```
    ///
    /// - Parameters:
    ///   - key: the key of the row.
    ///   - collection: the collection of the row; nil is the collection `""`.
    /// - Throws: ``YapDatabaseError`` with code `closed`, `decodingFailed`, `corrupt` or `inputOutput` if the row has no pending write
    ///   and cannot be read from the file.
    public func metadata(forKey key: String, inCollection collection: String? = nil) throws -> Any? {
        try row(forKey: key, inCollection: collection)?.metadata
    }

    /// Returns the object and metadata of a row; nil if there is no such row.
    ///
    /// ```swift
    /// if let row = try proxy.row(forKey: "greeting") { print(row.object, row.metadata ?? "no metadata") }
    /// ```
    ///
    /// - Parameters:
    ///   - key: the key of the row.
    ///   - collection: the collection of the row; nil is the collection `""`.
    /// - Throws: ``YapDatabaseError`` with code `closed`, `decodingFailed`, `corrupt` or `inputOutput` if the row has no pending write
    ///   and cannot be read from the file.
    public func row(
        forKey key: String, inCollection collection: String? = nil
    ) throws -> (object: Any, metadata: Any?)? {
        let key = RowKey(collection: collection ?? "", key: key)
        let (write, filter) = state.withLock { ($0.writes[key], $0.filter) }
        if case .row(let object, let metadata) = write { return (object.value, metadata?.value) }
        if case .removed = write { return nil }
        // A pending write is removed after its commit, so a row that was not pending a moment ago is in the file.
        guard filter?.isAllowed(key.collection) ?? true else { return nil }
        guard let stored = try readOnlyConnection.read({ try $0.row(key) }) else { return nil }
        guard case .parts(let object, let metadata) = write else { return stored }
        let newMetadata: Any? = if let metadata { metadata?.value } else { stored.metadata }
        return (object?.value ?? stored.object, newMetadata)
    }
}

// MARK: Writing

extension YapDatabaseConnectionProxy {
    /// Stores an object and its metadata under a key, and replaces an existing row. Storing nil removes the row.
    ///
    /// Returns at once: the row is committed soon, on the queue of ``readWriteConnection``.
    ///
    /// - Parameters:
    ///   - object: the object; nil removes the row.
    ///   - key: the key of the row.
    ///   - collection: the collection of the row; nil is the collection `""`.
    ///   - metadata: the metadata; nil for none.
    public func setObject(
        _ object: Any?, forKey key: String, inCollection collection: String? = nil, withMetadata metadata: Any? = nil
    ) {
        write([key], collection) { writes, key in
            guard let object else { return writes.remove(key) }
            writes.set(key, SharedValue(value: object), metadata.map(SharedValue.init))
        }
    }

    /// Replaces a row's object and keeps its metadata. Does nothing if there is no such row.
    ///
    /// ```swift
    /// proxy.replace("good morning", forKey: "greeting")
    /// proxy.replaceMetadata(nil, forKey: "greeting")
    /// ```
    ///
    /// - Parameters:
    ///   - object: the value to store.
    ///   - key: the key of the row.
    ///   - collection: the collection of the row; nil is the collection `""`.
    public func replace(_ object: Any, forKey key: String, inCollection collection: String? = nil) {
        write([key], collection) { $0.replace($1, object: SharedValue(value: object), metadata: nil) }
    }

    /// Replaces a row's metadata and keeps its object; nil removes the metadata. Does nothing if there is no such row.
    ///
    /// Example: ``replace(_:forKey:inCollection:)``.
    ///
    /// - Parameters:
    ///   - metadata: the metadata of the row.
    ///   - key: the key of the row.
    ///   - collection: the collection of the row; nil is the collection `""`.
    public func replaceMetadata(_ metadata: Any?, forKey key: String, inCollection collection: String? = nil) {
        write([key], collection) {
            $0.replace($1, object: nil, metadata: .some(metadata.map(SharedValue.init)))
        }
    }

    /// Removes a row. Does nothing if there is no such row.
    ///
    /// ```swift
    /// proxy.removeObject(forKey: "greeting")
    /// proxy.removeObjects(forKeys: ["a", "b"], inCollection: "drafts")
    /// ```
    ///
    /// - Parameters:
    ///   - key: the key of the row.
    ///   - collection: the collection of the row; nil is the collection `""`.
    public func removeObject(forKey key: String, inCollection collection: String? = nil) {
        removeObjects(forKeys: [key], inCollection: collection)
    }

    /// Removes rows of one collection. Ignores keys without a row.
    ///
    /// Example: ``removeObject(forKey:inCollection:)``.
    ///
    /// - Parameters:
    ///   - keys: the keys of the rows.
    ///   - collection: the collection of the row; nil is the collection `""`.
    public func removeObjects(forKeys keys: [String], inCollection collection: String? = nil) {
        write(keys, collection) { $0.remove($1) }
    }

    /// Drops the pending writes of a row, so that reads see the file. Does not cancel a commit that has begun.
    ///
    /// ```swift
    /// proxy.setObject("typing", forKey: "draft")
    /// proxy.resetObject(forKey: "draft")   // reads see the file again
    /// ```
    ///
    /// - Parameters:
    ///   - key: the key of the row.
    ///   - collection: the collection of the row; nil is the collection `""`.
    public func resetObject(forKey key: String, inCollection collection: String? = nil) {
        state.withLock { $0.writes.forget(RowKey(collection: collection ?? "", key: key)) }
    }

    /// Like ``resetObject(forKey:inCollection:)``, for all rows.
    ///
    /// Example: ``resetObject(forKey:inCollection:)``.
    public func reset() {
        state.withLock { $0.writes = PendingWrites(following: $0.writes) }
    }
}

// MARK: Committing

extension YapDatabaseConnectionProxy {
    private func write(_ keys: [String], _ collection: String?, _ change: (inout PendingWrites, RowKey) -> Void) {
        let mustAsk = state.withLock { state in
            for key in keys { change(&state.writes, RowKey(collection: collection ?? "", key: key)) }
            defer { state.isAsked = true }
            return !state.isAsked
        }
        if mustAsk { readWriteConnection.later { self.commit() } }
    }

    /// Commits all pending writes. Called on the queue of the writing connection.
    private func commit() {
        let batch = state.withLock { state in
            state.isAsked = false
            return state.writes.batch
        }
        let connection = readWriteConnection
        let result = Result { try connection.writeOnQueue { try self.apply(batch, $0) } }
        state.withLock { $0.writes.forget(batch) }
        if case .failure(let error) = result { database.options.asyncErrorHandler(error) }
    }

    private func apply(_ batch: [PendingWrites.Entry], _ transaction: YapDatabaseReadWriteTransaction) throws {
        for entry in batch {
            do {
                try apply(entry, transaction)
            } catch let error as YapDatabaseError where error.code == .encodingFailed {
                // The transaction may continue: nothing of this row was written.
                database.options.asyncErrorHandler(error)
            }
        }
    }

    private func apply(_ entry: PendingWrites.Entry, _ transaction: YapDatabaseReadWriteTransaction) throws {
        let (collection, key) = (entry.key.collection, entry.key.key)
        switch entry.write {
        case .removed: try transaction.removeObject(forKey: key, inCollection: collection)
        case .row(let object, let metadata):
            try transaction.setObject(
                object.value, forKey: key, inCollection: collection, withMetadata: metadata?.value)
        case .parts(let object, let metadata):
            if let object { try transaction.replace(object.value, forKey: key, inCollection: collection) }
            if let metadata {
                try transaction.replaceMetadata(metadata?.value, forKey: key, inCollection: collection)
            }
        }
    }
}
