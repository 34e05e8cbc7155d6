import Foundation
import ListChanges

/// The codings of all collections: an immutable value that a transaction takes when it begins.
struct CodingTable: Sendable {
    private var defaultObject = ValueCoding.keyedArchive
    private var defaultMetadata = ValueCoding.keyedArchive
    private var objects: [String: ValueCoding] = [:]
    private var metadata: [String: ValueCoding] = [:]

    func object(_ collection: String) -> ValueCoding { objects[collection] ?? defaultObject }
    func metadata(_ collection: String) -> ValueCoding { metadata[collection] ?? defaultMetadata }
}

// MARK: Coding with errors that name the row

extension CodingTable {
    func encodeObject(_ value: Any, _ key: RowKey) throws -> Data { try encode(value, key, object(key.collection)) }
    func encodeMetadata(_ value: Any, _ key: RowKey) throws -> Data { try encode(value, key, metadata(key.collection)) }

    func decodeObject(_ bytes: UnsafeRawBufferPointer?, _ key: RowKey) throws -> Any {
        try decode(bytes ?? UnsafeRawBufferPointer(start: nil, count: 0), key, object(key.collection))
    }

    func decodeMetadata(_ bytes: UnsafeRawBufferPointer, _ key: RowKey) throws -> Any {
        try decode(bytes, key, metadata(key.collection))
    }

    private func encode(_ value: Any, _ key: RowKey, _ coding: ValueCoding) throws -> Data {
        do {
            return try coding.encode(key, value)
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

    private func decode(_ bytes: UnsafeRawBufferPointer, _ key: RowKey, _ coding: ValueCoding) throws -> Any {
        do {
            return try coding.decode(key, Data(bytes))
        } catch {
            throw YapDatabaseError(
                .decodingFailed,
                """
                \(key) is in the database, but its \(bytes.count) bytes cannot be decoded. Register the serialization \
                for the collection \"\(key.collection)\" that they were written with.
                """,
                underlying: error)
        }
    }
}
