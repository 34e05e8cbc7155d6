import FileEngine
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
    /// Decodes a stored value. An error names the row. The bytes need not outlive the call.
    func decode<Value: Decodable>(
        _ type: Value.Type, _ bytes: UnsafeRawBufferPointer?, ofRow key: () throws -> RowKey
    ) throws -> Value {
        do {
            return try decode(type, bytes)
        } catch {
            throw undecodable(try key(), bytes, otherFormat(of: bytes) ?? error)
        }
    }
}

private func undecodable(_ key: RowKey, _ bytes: UnsafeRawBufferPointer?, _ error: any Error) -> YapDatabaseError {
    let advice =
        RowTable.isDerived(key.collection)
        ? "It follows from other rows, and is written again when one of them changes; a list that is registered with another version tag writes all."
        : """
        If another version of the program wrote it, declare the collection with `version` and `migrating`; otherwise register the serialization for \
        the collection \"\(key.collection)\" that it was written with.
        """
    return YapDatabaseError(
        .decodingFailed,
        "\(key) cannot be decoded: \(decodingCause(error)) The row is in the database, with \(bytes?.count ?? 0) bytes. \(advice)",
        underlying: error)
}

/// Why a value could not be decoded, as one sentence: the field, what was expected, and what was found.
func decodingCause(_ error: any Error) -> String {
    func place(_ path: [any CodingKey]) -> String {
        path.isEmpty
            ? "the value"
            : "\"" + path.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }.joined().trimmingDot
                + "\""
    }
    switch error as? DecodingError {
    case .keyNotFound(let key, let context):
        return "the field \(place(context.codingPath + [key])) is missing."
    case .valueNotFound(let type, let context):
        return "\(place(context.codingPath)) is null, and a \(type) was expected."
    case .typeMismatch(let type, let context):
        return "\(place(context.codingPath)) is no \(type). \(context.debugDescription)"
    case .dataCorrupted(let context):
        let cause = context.underlyingError.map { " \(YapDatabaseError.words(of: $0))" } ?? ""
        return "\(place(context.codingPath)) is damaged. \(context.debugDescription)\(cause)"
    default: return YapDatabaseError.words(of: error)
    }
}

extension String {
    fileprivate var trimmingDot: String { hasPrefix(".") ? String(dropFirst()) : self }
}

extension Data {
    /// A copy of bytes, empty for nil. Not by the initializer for any sequence, which looks for its length first.
    init(stored bytes: UnsafeRawBufferPointer?) {
        if let start = bytes?.baseAddress { self.init(bytes: start, count: bytes?.count ?? 0) } else { self.init() }
    }
}

/// The codings registered for one collection, or for all. A nil part falls back to the default, also to one registered
/// later.
struct CodingParts: Sendable {
    private var encode: (@Sendable (RowKey, Any) throws -> Data)?
    private var decode: (@Sendable (RowKey, UnsafeRawBufferPointer?) throws -> Any)?
    private var preSanitize: (@Sendable (RowKey, Any) -> Any)?
    private var postSanitize: (@Sendable (RowKey, Any) -> Void)?
    var policy: YapDatabasePolicy?

    init() {}

    func apply(to coding: inout ValueCoding) {
        if let encode { coding.encode = encode }
        if let decode { coding.decode = decode }
        if let preSanitize { coding.preSanitize = preSanitize }
        if let postSanitize { coding.postSanitize = postSanitize }
        if let policy { coding.policy = policy }
    }
}

extension CodingParts {
    /// Values of one type, coded by `Codable`.
    mutating func setCodable<Value: Codable & SendableMetatype>(_ type: Value.Type, _ format: YapDatabaseCodableFormat)
    {
        encode = { _, value in
            guard let value = value as? Value else {
                throw NotOfType(expected: Value.self, found: Swift.type(of: value))
            }
            return try format.encode(value)
        }
        decode = { _, bytes in try format.decode(Value.self, bytes) }
    }

    mutating func setSerializer(_ serializer: @escaping YapDatabaseSerializer) {
        encode = { try serializer($0.collection, $0.key, $1) }
    }

    mutating func setDeserializer(_ deserializer: @escaping YapDatabaseDeserializer) {
        decode = { key, bytes in
            guard let value = try deserializer(key.collection, key.key, Data(stored: bytes)) else { throw NotAValue() }
            return value
        }
    }

    mutating func setPreSanitizer(_ sanitizer: YapDatabasePreSanitizer?) {
        guard let sanitizer else { return preSanitize = nil }
        preSanitize = { sanitizer($0.collection, $0.key, $1) }
    }

    mutating func setPostSanitizer(_ sanitizer: YapDatabasePostSanitizer?) {
        guard let sanitizer else { return postSanitize = nil }
        postSanitize = { sanitizer($0.collection, $0.key, $1) }
    }
}

/// The deserializer returned nil.
struct NotAValue: Error, CustomStringConvertible {
    var description: String { "The deserializer returned nil." }
}

/// Encodes and decodes one kind of value (objects or metadata) of one collection.
struct ValueCoding: Sendable {
    /// Throws if the value cannot be encoded; then nothing is stored.
    var encode: @Sendable (RowKey, Any) throws -> Data
    /// Throws if the bytes do not hold a value. They need not outlive the call; those of a NULL column are nil, and count as empty.
    var decode: @Sendable (RowKey, UnsafeRawBufferPointer?) throws -> Any
    /// Replaces a value before it is encoded and cached, for example by an immutable copy.
    var preSanitize: (@Sendable (RowKey, Any) -> Any)?
    /// Is called with a value after it was written, for example to clear the value's list of changes.
    var postSanitize: (@Sendable (RowKey, Any) -> Void)?
    var policy = YapDatabasePolicy.containment
}

/// Encodes a value as bytes, or throws if it cannot: `(collection, key, value) -> bytes`.
public typealias YapDatabaseSerializer = @Sendable (String, String, Any) throws -> Data
/// Decodes bytes to a value; returns nil or throws if they do not hold one: `(collection, key, bytes) -> value`.
public typealias YapDatabaseDeserializer = @Sendable (String, String, Data) throws -> Any?
/// Returns the value to store and cache instead of the given one: `(collection, key, value) -> value`.
public typealias YapDatabasePreSanitizer = @Sendable (String, String, Any) -> Any
/// Is called after a value was written: `(collection, key, value)`.
public typealias YapDatabasePostSanitizer = @Sendable (String, String, Any) -> Void

/// A value as the application sees it, and as it is stored.
struct EncodedValue {
    let value: Any
    let bytes: Data
}
