import Foundation
import ListChanges

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
