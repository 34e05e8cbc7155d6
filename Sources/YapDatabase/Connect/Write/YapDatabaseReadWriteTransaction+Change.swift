import FileEngine
import Foundation
import ListChanges

/// Changes a part of an existing row, or marks it as changed.
extension YapDatabaseReadWriteTransaction {
    /// Replaces a row's object and keeps its metadata. Does nothing if there is no such row.
    ///
    /// ```swift
    /// try transaction.replace("Dune Messiah", forKey: "dune", inCollection: "books")
    /// ```
    ///
    /// - Parameters:
    ///   - object: the new object.
    ///   - key: the key of the row.
    ///   - collection: the collection of the row; nil is the collection `""`.
    ///   - bytes: the bytes to store for it; nil to have the collection's serializer make them.
    /// - Throws: ``YapDatabaseError`` with code `encodingFailed` or `valueTooLarge`, after which nothing is stored and the transaction
    ///   may continue; `badExtension`, `diskFull`, `inputOutput` or `corrupt`, after which the transaction is lost; `transactionFailed`
    ///   if it was lost before. Also what a block of an extension throws.
    public func replace(
        _ object: Any, forKey key: String, inCollection collection: String? = nil,
        withSerializedObject bytes: Data? = nil
    ) throws {
        let key = RowKey(collection: collection ?? "", key: key)
        guard let rowid = try rowid(forKey: key) else { return }
        try replaceObject(rowid, key, try encodedObject(object, key, given: bytes))
    }

    /// Stores an encoded object in the place of a row's object.
    func replaceObject(_ rowid: Int64, _ key: RowKey, _ encoded: EncodedValue) throws {
        try changeRow(rowid, key, .object, given: (encoded.value, nil), size: encoded.bytes.count) {
            try store.updateObject(rowid, encoded.bytes)
            remember(key, object: encoded, metadata: nil)
            share(key, object: encoded, metadata: nil)
            written.note(key, encoded.value)
        }
        sanitizeAfter(key, object: encoded, metadata: nil)
    }

    /// Replaces a row's metadata and keeps its object; nil removes the metadata. Does nothing if there is no such row.
    ///
    /// ```swift
    /// try transaction.replaceMetadata(Date(), forKey: "dune", inCollection: "books")
    /// ```
    ///
    /// - Parameters:
    ///   - metadata: the new metadata; nil for none.
    ///   - key: the key of the row.
    ///   - collection: the collection of the row; nil is the collection `""`.
    ///   - bytes: the bytes to store for them; nil to have the collection's serializer make them.
    /// - Throws: ``YapDatabaseError`` with code `encodingFailed` or `valueTooLarge`, after which nothing is stored and the transaction
    ///   may continue; `badExtension`, `diskFull`, `inputOutput` or `corrupt`, after which the transaction is lost; `transactionFailed`
    ///   if it was lost before. Also what a block of an extension throws.
    public func replaceMetadata(
        _ metadata: Any?, forKey key: String, inCollection collection: String? = nil,
        withSerializedMetadata bytes: Data? = nil
    ) throws {
        let key = RowKey(collection: collection ?? "", key: key)
        guard let rowid = try rowid(forKey: key) else { return }
        let encoded = try encodedMetadata(metadata, key, given: bytes)
        try changeRow(rowid, key, .metadata, given: (nil, .some(encoded?.value)), size: encoded?.bytes.count ?? 0) {
            try store.updateMetadata(rowid, encoded?.bytes)
            remember(key, object: nil, metadata: .some(encoded))
            share(key, object: nil, metadata: .some(encoded))
        }
        sanitizeAfter(key, object: nil, metadata: encoded)
    }

    /// Marks the row's object as changed without changing it. Views and notifications treat it as changed. Does nothing
    /// if there is no such row.
    ///
    /// ```swift
    /// try transaction.touchObject(forKey: "dune", inCollection: "books")   // lists show the row again
    /// ```
    ///
    /// - Parameters:
    ///   - key: the key of the row.
    ///   - collection: the collection of the row; nil is the collection `""`.
    /// - Throws: ``YapDatabaseError`` with code `badExtension`, `diskFull`, `inputOutput` or `corrupt`, after which the transaction is
    ///   lost; `transactionFailed` if it was lost before. Also what a block of an extension throws.
    public func touchObject(forKey key: String, inCollection collection: String? = nil) throws {
        try touch(key, collection, .object)
    }

    /// Like ``touchObject(forKey:inCollection:)`` for the metadata.
    ///
    /// Example: ``touchObject(forKey:inCollection:)``.
    ///
    /// - Parameters:
    ///   - key: the key of the row.
    ///   - collection: the collection of the row; nil is the collection `""`.
    /// - Throws: ``YapDatabaseError`` with code `badExtension`, `diskFull`, `inputOutput` or `corrupt`, after which the transaction is
    ///   lost; `transactionFailed` if it was lost before. Also what a block of an extension throws.
    public func touchMetadata(forKey key: String, inCollection collection: String? = nil) throws {
        try touch(key, collection, .metadata)
    }

    /// Like ``touchObject(forKey:inCollection:)`` for both.
    ///
    /// Example: ``touchObject(forKey:inCollection:)``.
    ///
    /// - Parameters:
    ///   - key: the key of the row.
    ///   - collection: the collection of the row; nil is the collection `""`.
    /// - Throws: ``YapDatabaseError`` with code `badExtension`, `diskFull`, `inputOutput` or `corrupt`, after which the transaction is
    ///   lost; `transactionFailed` if it was lost before. Also what a block of an extension throws.
    public func touchRow(forKey key: String, inCollection collection: String? = nil) throws {
        try touch(key, collection, [.object, .metadata])
    }

    private func touch(_ key: String, _ collection: String?, _ flags: ChangeFlags) throws {
        let key = RowKey(collection: collection ?? "", key: key)
        guard let rowid = try rowid(forKey: key) else { return }
        try changeRow(rowid, key, flags, isTouch: true, given: (nil, nil), size: 0) {}
    }

    /// Runs a write to an existing row, notes the change and notifies the extensions.
    /// - Parameters:
    ///   - flags: which of object and metadata change.
    ///   - given: the new object and metadata, as far as they are known; for ``ChangedRow/given``.
    ///   - size: the bytes that are written.
    ///   - write: changes the tables and caches. Not called if an observer has removed the row.
    func changeRow(
        _ rowid: Int64, _ key: RowKey, _ flags: ChangeFlags, isTouch: Bool = false, given: (Any?, Any??),
        size: Int, _ write: () throws -> Void
    ) throws {
        let kind: RowChanges.Kind = flags == .object ? .object : flags == .metadata ? .metadata : [.object, .metadata]
        try step {
            if isObserved(key.collection) {
                let row = PendingWrite(key: key, isNew: false, flags: flags, isTouch: isTouch, given: given)
                try notifyObservers { try $0.willChange(row) }
                // An observer may have removed it.
                guard try self.rowid(forKey: key) == rowid else { return }
            }
            if !isTouch {
                try noteRowsChange(in: key.collection)
                try willReplace(key)
            }
            try write()
            changes.change(kind, for: key)
            let row = ChangedRow(
                rowid: rowid, key: key, flags: flags, isTouch: isTouch, given: given, size: size,
                transaction: self)
            try notifyExtensions(ofRowsIn: key.collection) { try $0.didUpdate(row) }
        }
    }
}
