import Foundation
import ListChanges

/// Reads and writes one row at a time without transactions: writes return at once and are committed soon, many at a
/// time; reads see what was written through the proxy, committed or not.
///
///     let proxy = try YapDatabaseConnectionProxy(database: database)
///     proxy.setObject("hello", forKey: "greeting")
///     try proxy.object(forKey: "greeting")        // "hello", though it is not in the file yet
///
/// For values of which the newest is enough, such as settings. Whoever needs several rows to change together uses a
/// transaction. A value that is handed over must not be changed any more. May be used from any thread.
///
/// An error of a write comes too late for its caller: it goes to ``YapDatabaseOptions/asyncErrorHandler``. A value that
/// cannot be encoded is left out then; on any other error the whole commit is, and reads show the file again.
public final class YapDatabaseConnectionProxy: Sendable {
    /// What is read and written.
    public let database: YapDatabase
    /// Reads what is not on its way. In a long-lived read transaction it would show an old state beside new writes.
    public let readOnlyConnection: YapDatabaseConnection
    /// Commits what is on its way. `flushTransactions` on it tells when all that was written so far is committed.
    public let readWriteConnection: YapDatabaseConnection

    private let state: Locked<State>

    private struct State {
        var writes = PendingWrites()
        /// Whether a commit is asked for that has not begun.
        var isAsked = false
        var filter: YapWhitelistBlacklist?
    }

    /// - Parameters: the connections to use; nil for new ones.
    public init(
        database: YapDatabase, readOnlyConnection: YapDatabaseConnection? = nil,
        readWriteConnection: YapDatabaseConnection? = nil
    ) throws {
        self.database = database
        self.readOnlyConnection = try readOnlyConnection ?? database.newConnection()
        self.readWriteConnection = try readWriteConnection ?? database.newConnection()
        state = Locked(State())
    }

    /// Collections that may be read from the file; of others only what is on its way is known. Nil: all. Spares the
    /// search for rows of which the caller knows that the file has none.
    public var fetchedCollectionsFilter: YapWhitelistBlacklist? {
        get { state.withLock { $0.filter } }
        set { state.withLock { $0.filter = newValue } }
    }
}

// MARK: Reading

extension YapDatabaseConnectionProxy {
    /// The object of a row, nil when there is no such row. Waits for nothing but the file, if it has to be read.
    /// - Throws: ``YapDatabaseError`` when the file cannot be read or the value not be decoded.
    public func object(forKey key: String, inCollection collection: String? = nil) throws -> Any? {
        try row(forKey: key, inCollection: collection)?.object
    }

    /// The metadata of a row, nil when it has none or when there is no such row.
    public func metadata(forKey key: String, inCollection collection: String? = nil) throws -> Any? {
        try row(forKey: key, inCollection: collection)?.metadata
    }

    /// Object and metadata of a row, nil when there is no such row.
    public func row(
        forKey key: String, inCollection collection: String? = nil
    ) throws -> (object: Any, metadata: Any?)? {
        let key = RowKey(collection: collection ?? "", key: key)
        let (write, filter) = state.withLock { ($0.writes[key], $0.filter) }
        if case .row(let object, let metadata) = write { return (object.value, metadata?.value) }
        if case .removed = write { return nil }
        // A write leaves the pending ones when it is committed, so what was not pending a moment ago is in the file.
        guard filter?.isAllowed(key.collection) ?? true else { return nil }
        guard let stored = try readOnlyConnection.read({ try $0.row(key) }) else { return nil }
        guard case .parts(let object, let metadata) = write else { return stored }
        let newMetadata: Any? = if let metadata { metadata?.value } else { stored.metadata }
        return (object?.value ?? stored.object, newMetadata)
    }
}

// MARK: Writing

extension YapDatabaseConnectionProxy {
    /// Stores an object under a key, in place of what was there, metadata included. An object of nil removes the row.
    public func setObject(
        _ object: Any?, forKey key: String, inCollection collection: String? = nil, withMetadata metadata: Any? = nil
    ) {
        write([key], collection) { writes, key in
            guard let object else { return writes.remove(key) }
            writes.set(key, SharedValue(value: object), metadata.map(SharedValue.init))
        }
    }

    /// Stores another object and leaves the metadata as it is. Does nothing when there is no such row.
    public func replace(_ object: Any, forKey key: String, inCollection collection: String? = nil) {
        write([key], collection) { $0.replace($1, object: SharedValue(value: object), metadata: nil) }
    }

    /// Stores other metadata, or none, and leaves the object as it is. Does nothing when there is no such row.
    public func replaceMetadata(_ metadata: Any?, forKey key: String, inCollection collection: String? = nil) {
        write([key], collection) {
            $0.replace($1, object: nil, metadata: .some(metadata.map(SharedValue.init)))
        }
    }

    /// Removes a row. Does nothing when there is no such row.
    public func removeObject(forKey key: String, inCollection collection: String? = nil) {
        removeObjects(forKeys: [key], inCollection: collection)
    }

    /// Removes rows of one collection. Keys without a row are passed over.
    public func removeObjects(forKeys keys: [String], inCollection collection: String? = nil) {
        write(keys, collection) { $0.remove($1) }
    }

    /// Forgets what was written to a row and is not committed, so that reads show the file. A commit that has begun is not
    /// taken back.
    public func resetObject(forKey key: String, inCollection collection: String? = nil) {
        state.withLock { $0.writes.forget(RowKey(collection: collection ?? "", key: key)) }
    }

    /// Like ``resetObject(forKey:inCollection:)``, for all rows.
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

    /// Commits everything that is on its way now. On the queue of the writing connection.
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
                // The transaction may go on: nothing was written of this one.
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
