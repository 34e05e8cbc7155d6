import Foundation
import ListChanges

/// Encodes and decodes the rows of one collection. A class, so that passing it on costs one reference.
final class RowCoding: Sendable {
    let collection: String
    let object: ValueCoding
    let metadata: ValueCoding
    /// Whether written values are passed to the caches of other connections.
    let isShared: Bool
    /// Whether a post-sanitizer is registered.
    let isSanitizedAfter: Bool

    init(collection: String, object: ValueCoding, metadata: ValueCoding) {
        self.collection = collection
        self.object = object
        self.metadata = metadata
        isShared = object.policy != .containment || metadata.policy != .containment
        isSanitizedAfter = object.postSanitize != nil || metadata.postSanitize != nil
    }
}

/// Encodes and decodes with errors that name the row.
extension ValueCoding {
    func encoded(_ value: Any, _ key: RowKey) throws -> Data {
        do {
            return try encode(key, value)
        } catch {
            throw YapDatabaseError(
                .encodingFailed,
                """
                The value of type \(type(of: value)) for \(key) cannot be encoded; nothing was stored. Register a \
                serialization for the collection \"\(key.collection)\" that takes this type.
                """,
                underlying: error)
        }
    }

    /// Decodes a value. The bytes need not outlive the call.
    func decoded(_ bytes: UnsafeRawBufferPointer?, _ key: RowKey) throws -> Any {
        do { return try decode(key, bytes) } catch { throw undecodable(key, bytes, error) }
    }
}

extension YapDatabaseCodableFormat {
    /// Decodes a stored value, or says of which row it is. The bytes need not outlive the call.
    func decode<Value: Decodable>(
        _ type: Value.Type, _ bytes: UnsafeRawBufferPointer?, ofRow key: () throws -> RowKey
    ) throws -> Value {
        do { return try decode(type, bytes) } catch { throw undecodable(try key(), bytes, error) }
    }
}

private func undecodable(_ key: RowKey, _ bytes: UnsafeRawBufferPointer?, _ error: any Error) -> YapDatabaseError {
    YapDatabaseError(
        .decodingFailed,
        """
        \(key) is in the database, but its \(bytes?.count ?? 0) bytes cannot be decoded. Register the serialization for the \
        collection \"\(key.collection)\" that they were written with.
        """,
        underlying: error)
}

extension Data {
    /// A copy of bytes, empty for nil. Not by the initializer for any sequence, which looks for its length first.
    init(stored bytes: UnsafeRawBufferPointer?) {
        if let start = bytes?.baseAddress { self.init(bytes: start, count: bytes?.count ?? 0) } else { self.init() }
    }
}
