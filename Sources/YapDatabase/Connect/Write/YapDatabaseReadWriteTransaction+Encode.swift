import Foundation
import ListChanges

// What a write stores of a value, and what caches and other connections get of it.
extension YapDatabaseReadWriteTransaction {
    func encodedObject(_ object: Any, _ key: RowKey, given bytes: Data? = nil) throws -> EncodedValue {
        try encoded("object", object, key, coding(key).object, given: bytes)
    }

    func encodedMetadata(_ metadata: Any?, _ key: RowKey, given bytes: Data? = nil) throws -> EncodedValue? {
        try metadata.map { try encoded("metadata", $0, key, coding(key).metadata, given: bytes) }
    }

    /// Puts written values into this connection's caches. Nil leaves that part of the row unchanged.
    func remember(_ key: RowKey, object: EncodedValue?, metadata: EncodedValue??) {
        if mixesTypes { return connection.caches.removeRow(key) }
        if let object { connection.caches.setObject(object.value, key) }
        if let metadata { connection.caches.setWrittenMetadata(metadata?.value, key) }
    }

    /// Adds written values to the commit, for other connections' caches, if the policies permit it.
    func share(_ key: RowKey, object: EncodedValue?, metadata: EncodedValue??) {
        let coding = coding(key)
        if !coding.isShared, shared.isEmpty { return }
        let sharedObject = mixesTypes ? nil : object.flatMap { coding.object.policy.shared($0) }
        let sharedMetadata = mixesTypes ? nil : metadata.flatMap { $0 }.flatMap { coding.metadata.policy.shared($0) }
        if sharedObject == nil, sharedMetadata == nil, shared.isEmpty { return }
        var row = shared[key] ?? CacheUpdate()
        if object != nil { row.object = sharedObject }
        if metadata != nil { row.metadata = sharedMetadata.map { .some($0) } }
        shared[key] = row
    }

    /// Calls the post-sanitizers.
    func sanitizeAfter(_ key: RowKey, object: EncodedValue?, metadata: EncodedValue?) {
        let coding = coding(key)
        guard coding.isSanitizedAfter else { return }
        if let object { coding.object.postSanitize?(key, object.value) }
        if let metadata { coding.metadata.postSanitize?(key, metadata.value) }
    }

    private func encoded(
        _ role: String, _ value: Any, _ key: RowKey, _ coding: ValueCoding, given bytes: Data?
    ) throws -> EncodedValue {
        let value = coding.preSanitize?(key, value) ?? value
        let bytes = try bytes ?? coding.encoded(value, key)
        let limit = store.valueLimit
        guard bytes.count <= limit else {
            throw YapDatabaseError(
                .valueTooLarge,
                "The \(role) of \(key) is \(bytes.count) bytes; SQLite holds at most \(limit) bytes. Nothing was stored. Keep "
                    + "large data in files of its own, and store their names.")
        }
        return EncodedValue(value: value, bytes: bytes)
    }
}
