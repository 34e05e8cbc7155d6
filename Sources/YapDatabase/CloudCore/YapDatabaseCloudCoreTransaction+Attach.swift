import FileEngine
import ListChanges

/// Which rows belong to which resources of the cloud.
///
/// A row may be attached to several URIs, and a URI to several rows; attaching twice is attaching once. A removed row is detached.
/// All of these throw ``YapDatabaseError`` with `badExtension` unless ``YapDatabaseCloudCoreOptions/enableAttachDetachSupport`` is
/// set.
extension YapDatabaseCloudCoreTransaction {
    /// Attaches a row to a URI. If there is no such row, it is attached when this transaction inserts it.
    /// - Parameters:
    ///   - uri: the URI of a resource of the cloud.
    ///   - key: the key of the row.
    ///   - collection: the collection of the row; nil is the collection `""`.
    /// - Throws: ``YapDatabaseError`` with code `badExtension` if ``YapDatabaseCloudCoreOptions/enableAttachDetachSupport`` is not set;
    ///   `diskFull`, `inputOutput` or `corrupt`, after which the transaction is lost; `transactionFailed` if it was lost before.
    public func attachCloudURI(_ uri: String, forKey key: String, inCollection collection: String?) throws {
        try checkAttachSupport()
        let writer = readWriteTransaction("attachCloudURI")
        let key = RowKey(collection: collection ?? "", key: key)
        if let row = try transaction.rowid(forKey: key) {
            try writer.step { try tables.attach(uri, to: row) }
        } else if !(waitingURIs[key] ?? []).contains(where: { $0.hasSameBytes(as: uri) }) {
            waitingURIs[key, default: []].append(uri)
        }
    }

    /// Detaches a row from a URI, or takes back ``attachCloudURI(_:forKey:inCollection:)`` of a row that is not there.
    /// - Parameters:
    ///   - uri: the URI of a resource of the cloud.
    ///   - key: the key of the row.
    ///   - collection: the collection of the row; nil is the collection `""`.
    /// - Throws: ``YapDatabaseError`` with code `badExtension` if ``YapDatabaseCloudCoreOptions/enableAttachDetachSupport`` is not set;
    ///   `diskFull`, `inputOutput` or `corrupt`, after which the transaction is lost; `transactionFailed` if it was lost before.
    public func detachCloudURI(_ uri: String, forKey key: String, inCollection collection: String?) throws {
        try checkAttachSupport()
        let writer = readWriteTransaction("detachCloudURI")
        let key = RowKey(collection: collection ?? "", key: key)
        if let row = try transaction.rowid(forKey: key) {
            try writer.step { try tables.detach(uri, from: row) }
        } else {
            waitingURIs[key]?.removeAll { $0.hasSameBytes(as: uri) }
        }
    }

    /// Visits the rows that are attached to a URI, then those that will be when this transaction inserts them (`pending`).
    /// - Parameters:
    ///   - uri: the URI of a resource of the cloud.
    ///   - body: called on the thread of the transaction; sets `stop` to end.
    /// - Throws: what the block throws; ``YapDatabaseError`` with code `badExtension` if
    ///   ``YapDatabaseCloudCoreOptions/enableAttachDetachSupport`` is not set; `corrupt`, `inputOutput` or `interrupted` if the file
    ///   cannot be read.
    public func enumerateAttached(
        forCloudURI uri: String,
        using body: (_ key: String, _ collection: String, _ pending: Bool, _ stop: inout Bool) throws -> Void
    ) throws {
        try checkAttachSupport()
        var stop = false
        for row in try tables.rows(attachedTo: uri) {
            guard let key = try transaction.key(forRowid: row) else { continue }
            try body(key.key, key.collection, false, &stop)
            if stop { return }
        }
        let waiting = waitingURIs.filter { $0.value.contains { $0.hasSameBytes(as: uri) } }.keys
        for key in waiting.sorted(by: { ($0.collection, $0.key) < ($1.collection, $1.key) }) {
            try body(key.key, key.collection, true, &stop)
            if stop { return }
        }
    }

    /// Visits the URIs to which a row is attached, or will be when this transaction inserts it.
    /// - Parameters:
    ///   - key: the key of the row.
    ///   - collection: the collection of the row; nil is the collection `""`.
    ///   - body: called on the thread of the transaction; sets `stop` to end.
    /// - Throws: what the block throws; ``YapDatabaseError`` with code `badExtension` if
    ///   ``YapDatabaseCloudCoreOptions/enableAttachDetachSupport`` is not set; `corrupt`, `inputOutput` or `interrupted` if the file
    ///   cannot be read.
    public func enumerateAttached(
        forKey key: String, collection: String?, using body: (_ cloudURI: String, _ stop: inout Bool) throws -> Void
    ) throws {
        try checkAttachSupport()
        let key = RowKey(collection: collection ?? "", key: key)
        let row = try transaction.rowid(forKey: key)
        var stop = false
        for uri in try row.map(tables.uris) ?? waitingURIs[key] ?? [] {
            try body(uri, &stop)
            if stop { return }
        }
    }

    private func checkAttachSupport() throws {
        guard !cloud.settings.enableAttachDetachSupport else { return }
        throw YapDatabaseError(
            .badExtension,
            "\"\(name)\" attaches no rows. Set YapDatabaseCloudCoreOptions.enableAttachDetachSupport before it is created."
        )
    }
}
