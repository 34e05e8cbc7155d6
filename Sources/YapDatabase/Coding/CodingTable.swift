import Foundation
import ListChanges

/// The codings of all collections: an immutable value that a transaction takes when it begins.
struct CodingTable: Sendable {
    /// Which of a row's two values.
    enum Role: CaseIterable, Sendable {
        case object
        case metadata
    }

    private var objects = Codings()
    private var metadata = Codings()

    private struct Codings: Sendable {
        var common = ValueCoding.keyedArchive
        /// Where a collection's coding differs from the common one.
        var own: [String: ValueCoding] = [:]
    }

    func object(_ collection: String) -> ValueCoding { objects.own[collection] ?? objects.common }
    func metadata(_ collection: String) -> ValueCoding { metadata.own[collection] ?? metadata.common }

    mutating func change(_ role: Role, _ collection: String, _ change: (inout ValueCoding) -> Void) {
        var coding = role == .object ? object(collection) : metadata(collection)
        change(&coding)
        self[keyPath: Self.path(role)].own[collection] = coding
    }

    mutating func changeDefault(_ role: Role, _ change: (inout ValueCoding) -> Void) {
        change(&self[keyPath: Self.path(role)].common)
    }

    private static func path(_ role: Role) -> WritableKeyPath<CodingTable, Codings> {
        role == .object ? \.objects : \.metadata
    }
}

// MARK: Coding with errors that name the row

extension CodingTable {
    func decodeObject(_ bytes: UnsafeRawBufferPointer?, _ key: RowKey) throws -> Any {
        try decode(bytes ?? UnsafeRawBufferPointer(start: nil, count: 0), key, object(key.collection))
    }

    func decodeMetadata(_ bytes: UnsafeRawBufferPointer, _ key: RowKey) throws -> Any {
        try decode(bytes, key, metadata(key.collection))
    }

    func encode(_ value: Any, _ key: RowKey, _ coding: ValueCoding) throws -> Data {
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
