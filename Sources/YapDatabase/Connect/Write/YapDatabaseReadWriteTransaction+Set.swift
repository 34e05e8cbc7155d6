import Foundation
import ListChanges

extension YapDatabaseReadWriteTransaction {
    /// Stores an object under a key, in place of what was there. Its metadata becomes what is given, so none without.
    ///
    /// An object of nil removes the row.
    /// - Throws: ``YapDatabaseError`` with `encodingFailed` when a value cannot be encoded, and with `valueTooLarge` when
    ///   it has more bytes than SQLite holds (1,000,000,000); then nothing is stored and the transaction may go on.
    public func setObject(
        _ object: Any?, forKey key: String, inCollection collection: String? = nil, withMetadata metadata: Any? = nil
    ) throws {
        let key = RowKey(collection: collection ?? "", key: key)
        guard let object else { return try remove(key) }
        try setRow(key, encodedObject(object, key), encodedMetadata(metadata, key))
    }

    /// Like ``setObject(_:forKey:inCollection:withMetadata:)`` for callers that have the encoded bytes at hand; bytes
    /// of nil are made by the collection's serializers.
    public func setObject(
        _ object: Any?, forKey key: String, inCollection collection: String? = nil, withMetadata metadata: Any?,
        serializedObject: Data?, serializedMetadata: Data?
    ) throws {
        let key = RowKey(collection: collection ?? "", key: key)
        guard let object else { return try remove(key) }
        try setRow(
            key, encodedObject(object, key, given: serializedObject),
            encodedMetadata(metadata, key, given: serializedMetadata))
    }

    private func setRow(_ key: RowKey, _ object: EncodedValue, _ metadata: EncodedValue?) throws {
        try rowStep {
            try noteRowsChange()
            let caches = connection.caches
            var inserted: Int64?
            if caches.rowid(forKey: key) == nil {
                inserted = try store.insertRow(key, object: object.bytes, metadata: metadata?.bytes)
            }
            let rowid = try inserted ?? existingRowid(key)
            if inserted != nil {
                caches.noteInserted(rowid, key, object: object, metadata: metadata)
                changes.insert(key)
            } else {
                try store.updateRow(rowid, object: object.bytes, metadata: metadata?.bytes)
                remember(key, object: object, metadata: .some(metadata))
                changes.change([.object, .metadata], for: key)
                // Of a row that is new, nobody has a value to be replaced.
                share(key, object: object, metadata: .some(metadata))
            }
            if !extensions.isEmpty {
                let row = ChangedRow(
                    rowid: rowid, key: key, flags: [.object, .metadata], isTouch: false,
                    given: (object.value, .some(metadata?.value)),
                    size: object.bytes.count + (metadata?.bytes.count ?? 0), transaction: self)
                try notifyExtensions { try inserted == nil ? $0.didUpdate(row) : $0.didInsert(row) }
            }
            sanitizeAfter(key, object: object, metadata: metadata)
        }
    }

    private func existingRowid(_ key: RowKey) throws -> Int64 {
        if let rowid = try rowid(forKey: key) { return rowid }
        throw YapDatabaseError(
            .corrupt,
            "\(key) can neither be inserted nor found: the index of the rows is damaged. Run `yap check`.")
    }
}

extension YapDatabaseReadWriteTransaction {
    /// Stores another object and leaves the metadata as it is. Does nothing when there is no such row.
    public func replace(
        _ object: Any, forKey key: String, inCollection collection: String? = nil,
        withSerializedObject bytes: Data? = nil
    ) throws {
        let key = RowKey(collection: collection ?? "", key: key)
        guard let rowid = try rowid(forKey: key) else { return }
        let encoded = try encodedObject(object, key, given: bytes)
        try changeRow(rowid, key, .object, given: (encoded.value, nil), size: encoded.bytes.count) {
            try store.updateObject(rowid, encoded.bytes)
            remember(key, object: encoded, metadata: nil)
            share(key, object: encoded, metadata: nil)
        }
        sanitizeAfter(key, object: encoded, metadata: nil)
    }

    /// Stores other metadata, or none, and leaves the object as it is. Does nothing when there is no such row.
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

    /// Says that the row's object is to be looked at anew, though its bytes are as they were. Views and notifications
    /// treat it as changed. Does nothing when there is no such row.
    public func touchObject(forKey key: String, inCollection collection: String? = nil) throws {
        try touch(key, collection, .object)
    }

    /// Like ``touchObject(forKey:inCollection:)`` for the metadata.
    public func touchMetadata(forKey key: String, inCollection collection: String? = nil) throws {
        try touch(key, collection, .metadata)
    }

    /// Like ``touchObject(forKey:inCollection:)`` for both.
    public func touchRow(forKey key: String, inCollection collection: String? = nil) throws {
        try touch(key, collection, [.object, .metadata])
    }

    private func touch(_ key: String, _ collection: String?, _ flags: ChangeFlags) throws {
        let key = RowKey(collection: collection ?? "", key: key)
        guard let rowid = try rowid(forKey: key) else { return }
        try changeRow(rowid, key, flags, isTouch: true, given: (nil, nil), size: 0) {}
    }

    /// Changes a row that stays where it is.
    private func changeRow(
        _ rowid: Int64, _ key: RowKey, _ flags: ChangeFlags, isTouch: Bool = false, given: (Any?, Any??),
        size: Int, _ write: () throws -> Void
    ) throws {
        let kind: RowChanges.Kind = flags == .object ? .object : flags == .metadata ? .metadata : [.object, .metadata]
        try step {
            if !isTouch { try noteRowsChange() }
            try write()
            changes.change(kind, for: key)
            let row = ChangedRow(
                rowid: rowid, key: key, flags: flags, isTouch: isTouch, given: given, size: size,
                transaction: self)
            try notifyExtensions { try $0.didUpdate(row) }
        }
    }
}
