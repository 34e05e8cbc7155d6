import Foundation
import ListChanges

/// A value as the application sees it, and as it is stored.
struct EncodedValue {
    let value: Any
    let bytes: Data
}

extension YapDatabaseReadWriteTransaction {
    func encodedObject(_ object: Any, _ key: RowKey, given bytes: Data? = nil) throws -> EncodedValue {
        try encoded(object, key, coding(key).object, given: bytes)
    }

    func encodedMetadata(_ metadata: Any?, _ key: RowKey, given bytes: Data? = nil) throws -> EncodedValue? {
        try metadata.map { try encoded($0, key, coding(key).metadata, given: bytes) }
    }

    /// Puts what was written into this connection's caches, and into those of others as far as the policy goes.
    /// Nil leaves that part of the row as it was.
    func remember(_ key: RowKey, object: EncodedValue?, metadata: EncodedValue??) {
        if let object {
            connection.caches.setObject(object.value, key)
            if let value = coding(key).object.policy.shared(object.value) {
                shared[key, default: SharedRow()].object = value
            } else if !shared.isEmpty {
                shared[key]?.object = nil
            }
        }
        if let metadata {
            connection.caches.setMetadata(metadata?.value, key)
            let policy = coding(key).metadata.policy
            if let metadata, let value = policy.shared(metadata.value) {
                shared[key, default: SharedRow()].metadata = value
            } else if !shared.isEmpty {
                shared[key]?.metadata = nil
            }
        }
    }

    /// Calls the sanitizers that want to see values after they were written.
    func sanitizeAfter(_ key: RowKey, object: EncodedValue?, metadata: EncodedValue?) {
        if let object { coding(key).object.postSanitize?(key, object.value) }
        if let metadata { coding(key).metadata.postSanitize?(key, metadata.value) }
    }

    private func encoded(_ value: Any, _ key: RowKey, _ coding: ValueCoding, given bytes: Data?) throws -> EncodedValue
    {
        let value = coding.preSanitize?(key, value) ?? value
        return EncodedValue(value: value, bytes: try bytes ?? coding.encoded(value, key))
    }
}
