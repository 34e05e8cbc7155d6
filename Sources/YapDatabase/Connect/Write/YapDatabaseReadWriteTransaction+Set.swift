import FileEngine
import Foundation
import ListChanges

extension YapDatabaseReadWriteTransaction {
    /// Stores an object and its metadata under a key, and replaces an existing row. Without `metadata` the row has
    /// none.
    ///
    /// Storing nil removes the row. What was stored before is not looked at: a row that a newer version of the program wrote is replaced, too,
    /// where ``YapRows/save(_:)-(Value)`` of a typed collection throws `newerVersion`.
    ///
    /// ```swift
    /// try transaction.setObject("Dune", forKey: "dune", inCollection: "books", withMetadata: Date())
    /// ```
    ///
    /// - Parameters:
    ///   - object: the object; nil removes the row.
    ///   - key: the key of the row.
    ///   - collection: the collection of the row; nil is the collection `""`.
    ///   - metadata: the metadata; nil for none.
    /// - Throws: ``YapDatabaseError`` with `encodingFailed` if a value cannot be encoded, and with `valueTooLarge` if it
    ///   exceeds SQLite's limit of 1,000,000,000 bytes: nothing is stored then, and the transaction may continue. With `badExtension`,
    ///   `diskFull`, `inputOutput` or `corrupt`, after which the transaction is lost; `transactionFailed` if it was lost before. Also
    ///   what a block of an extension throws.
    public func setObject(
        _ object: Any?, forKey key: String, inCollection collection: String? = nil, withMetadata metadata: Any? = nil
    ) throws {
        let key = RowKey(collection: collection ?? "", key: key)
        guard let object else { return try remove(key) }
        try setRow(key, encodedObject(object, key), encodedMetadata(metadata, key))
    }

    /// Stores a value of a ``YapCollection``, unless it is stored already.
    /// - Throws: as ``setObject(_:forKey:inCollection:withMetadata:)``; ``YapDatabaseError`` with `newerVersion` if a newer version of the
    ///   program wrote the row that is there, after which the transaction is lost.
    func setValue(_ value: Any, _ key: RowKey, metadata: Any? = nil, given bytes: Data? = nil) throws {
        try setRow(key, encodedObject(value, key, given: bytes), encodedMetadata(metadata, key), isTyped: true)
    }

    /// The same for a derived row, which has no metadata.
    /// - Parameter stored: the bytes that the row has, if they are at hand. Nothing is read then.
    func setDerivedValue(_ value: Any, _ key: RowKey, over stored: Data?) throws {
        let object = try encodedObject(value, key)
        if let stored, stored == object.bytes, !connection.database.options.storesEqualValues { return }
        try setRow(key, object, nil, isTyped: stored == nil)
    }

    /// Reads a part of a derived row that is about to be written again; nil if there is no such row. Its rowid is remembered, so that the write
    /// need not find it.
    /// - Parameter part: takes the part out of a row that is decoded already.
    func partToReplace<Whole: Decodable, Taken: Decodable>(
        _ key: RowKey, _ part: (Whole) -> Taken
    ) throws -> PartToReplace<Taken>? {
        let caches = try caches
        if let cached = caches.object(key) {
            return PartToReplace(part: part(try cast(cached, "object", key)), stored: nil)
        }
        return try store.row(forKey: key) { rowid, row in
            caches.setRowid(rowid, key)
            guard let format = declaredFormat(of: Whole.self, key.collection) else {
                return PartToReplace(part: part(try decodeObject(row, key, as: Whole.self)), stored: nil)
            }
            return try row.withObject { bytes in
                PartToReplace(
                    part: try format.decode(Taken.self, bytes, ofRow: { key }), stored: bytes.map { Data(stored: $0) })
            }
        }
    }

    /// Replaces the object of a row and keeps its metadata. Does nothing if there is no such row.
    func replaceValue(_ value: Any, _ key: RowKey) throws {
        guard let rowid = try rowid(forKey: key) else { return }
        let encoded = try encodedObject(value, key)
        if try isStored(rowid, key, encoded, nil) { return }
        try replaceObject(rowid, key, encoded)
    }

    /// Like ``setObject(_:forKey:inCollection:withMetadata:)`` for callers that have the encoded bytes. Nil bytes are
    /// encoded by the collection's serializers.
    ///
    /// The bytes are not decoded: they must be what the collection's deserializer turns into the object.
    ///
    /// - Parameters:
    ///   - object: the object, which caches and extensions receive; nil removes the row.
    ///   - key: the key of the row.
    ///   - collection: the collection of the row; nil is the collection `""`.
    ///   - metadata: the metadata; nil for none.
    ///   - serializedObject: the bytes to store for the object.
    ///   - serializedMetadata: the bytes to store for the metadata.
    /// - Throws: ``YapDatabaseError`` with code `encodingFailed` or `valueTooLarge`, after which nothing is stored and the transaction
    ///   may continue; `badExtension`, `diskFull`, `inputOutput` or `corrupt`, after which the transaction is lost; `transactionFailed`
    ///   if it was lost before. Also what a block of an extension throws.
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

    /// Like ``setObject(_:forKey:inCollection:withMetadata:)``, but caches and extensions get what the stored bytes decode to, which may differ from
    /// the object.
    package func setObjectAsRead(
        _ object: Any, forKey key: String, inCollection collection: String, withMetadata metadata: Any?
    ) throws {
        let key = RowKey(collection: collection, key: key)
        let written = try encodedObject(object, key)
        // Where the bytes cannot be decoded, reading says so.
        let read = written.bytes.withUnsafeBytes { try? coding(key).object.decoded($0, key) } ?? written.value
        try setRow(key, EncodedValue(value: read, bytes: written.bytes), encodedMetadata(metadata, key))
    }

    /// Inserts a row or replaces the one with its key, and notifies the extensions.
    /// - Parameter isTyped: whether a ``YapCollection`` writes. Then nothing is written if the row has these bytes already, and a value that a newer
    ///   version of the program wrote is not replaced.
    private func setRow(
        _ key: RowKey, _ object: EncodedValue, _ metadata: EncodedValue?, isTyped: Bool = false
    ) throws {
        try step {
            let caches = connection.caches
            // Mostly one statement is enough to find out whether the row is there: if the last write inserted a row, an insertion is tried first,
            // which fails if there is one; if it changed a row, the row is looked up first.
            var known = caches.rowid(forKey: key)
            let isDerived = RowTable.isDerived(key.collection)
            if known == nil, connection.lastWrites[isDerived: isDerived] || isObserved(key.collection) {
                switch isTyped ? try found(key, object, metadata) : try self.rowid(forKey: key).map(Found.other) {
                case .equal: return
                case .other(let rowid): known = rowid
                case nil: break
                }
            } else if isTyped, let known, try isStored(known, key, object, .some(metadata)) {
                return
            }
            if isObserved(key.collection) {
                let row = PendingWrite(
                    key: key, isNew: known == nil, flags: [.object, .metadata], isTouch: false,
                    given: (object.value, .some(metadata?.value)))
                try notifyObservers { try $0.willChange(row) }
                // An observer may have added or removed it.
                known = try self.rowid(forKey: key)
            }
            try noteRowsChange(in: key.collection)
            try willReplace(key)
            var inserted: Int64?
            if known == nil {
                inserted = try store.insertRow(key, object: object.bytes, metadata: metadata?.bytes)
            }
            connection.lastWrites[isDerived: isDerived] = inserted == nil
            let rowid = try inserted ?? known ?? existingRowid(key)
            if inserted != nil {
                noteKeyChange(in: key.collection)
                caches.noteInserted(rowid, key, object: object, metadata: metadata)
                if mixesTypes { caches.removeRow(key) }
                changes.insert(key)
            } else {
                if isTyped, known == nil, try isStored(rowid, key, object, .some(metadata)) { return }
                try store.updateRow(rowid, object: object.bytes, metadata: metadata?.bytes)
                remember(key, object: object, metadata: .some(metadata))
                changes.change([.object, .metadata], for: key)
                // No other cache has an entry of a new row.
                share(key, object: object, metadata: .some(metadata))
            }
            written.note(key, object.value)
            if !extensions.isEmpty {
                let row = ChangedRow(
                    rowid: rowid, key: key, flags: [.object, .metadata], isTouch: false,
                    given: (object.value, .some(metadata?.value)),
                    size: object.bytes.count + (metadata?.bytes.count ?? 0), transaction: self)
                try notifyExtensions(ofRowsIn: key.collection) {
                    try inserted == nil ? $0.didUpdate(row) : $0.didInsert(row)
                }
            }
            sanitizeAfter(key, object: object, metadata: metadata)
        }
    }

    /// The row that has the key of a value which is about to be stored.
    private enum Found {
        /// It has the same bytes.
        case equal
        case other(rowid: Int64)
    }

    /// Looks a row up and compares its bytes, in one query; nil if there is none.
    private func found(_ key: RowKey, _ object: EncodedValue, _ metadata: EncodedValue?) throws -> Found? {
        try store.row(forKey: key) { rowid, row in
            connection.caches.setRowid(rowid, key)
            return try isStored(row, key, object, .some(metadata)) ? .equal : .other(rowid: rowid)
        }
    }

    private func isStored(
        _ rowid: Int64, _ key: RowKey, _ object: EncodedValue, _ metadata: EncodedValue??
    ) throws -> Bool {
        try store.row(.rowid(rowid), .both) { try isStored($0, key, object, metadata) } ?? false
    }

    /// Whether a row has these bytes. Nil metadata are not compared.
    /// - Throws: ``YapDatabaseError`` with `newerVersion` if a newer version of the program wrote the object.
    private func isStored(
        _ row: StoredRow, _ key: RowKey, _ object: EncodedValue, _ metadata: EncodedValue??
    ) throws -> Bool {
        let isSameObject = try row.withObject { bytes in
            try checkVersion(of: bytes, key)
            return object.bytes.hasBytes(bytes)
        }
        if !isSameObject || connection.database.options.storesEqualValues { return false }
        guard let metadata else { return true }
        return row.withMetadata { bytes in metadata.map { $0.bytes.hasBytes(bytes) } ?? (bytes == nil) }
    }

    private func checkVersion(of bytes: UnsafeRawBufferPointer?, _ key: RowKey) throws {
        guard let bytes, let error = codings.declaredCoding(of: key.collection)?.format.newerVersion(of: bytes) else {
            return
        }
        throw YapDatabaseError(.newerVersion, "\(key) is not overwritten. \(error)")
    }

    func existingRowid(_ key: RowKey) throws -> Int64 {
        if let rowid = try rowid(forKey: key) { return rowid }
        throw YapDatabaseError(
            .corrupt,
            "\(key) can neither be inserted nor found: the index of the rows is damaged. Run `yap check`.")
    }
}

/// A part of a row that is about to be written again.
struct PartToReplace<Taken> {
    let part: Taken
    /// The bytes of the whole row; nil if they were not read.
    let stored: Data?
}

extension Data {
    /// Whether these are the bytes. Nil counts as none.
    fileprivate func hasBytes(_ bytes: UnsafeRawBufferPointer?) -> Bool {
        guard let start = bytes?.baseAddress, let bytes, bytes.count == count else {
            return isEmpty && (bytes?.isEmpty ?? true)
        }
        return withUnsafeBytes { $0.baseAddress.map { memcmp($0, start, count) == 0 } ?? true }
    }
}
