import Foundation
import ListChanges

/// How the values of one collection become bytes and values again. Objects have one, metadata another.
struct ValueCoding: Sendable {
    /// Throws when the value cannot be encoded; then nothing is stored.
    var encode: @Sendable (RowKey, Any) throws -> Data
    /// Throws when the bytes do not hold a value.
    var decode: @Sendable (RowKey, Data) throws -> Any
    /// Changes a value before it is encoded and remembered, for example into an immutable copy.
    var preSanitize: (@Sendable (RowKey, Any) -> Any)?
    /// Sees a value after it was written, for example to clear its own list of changes.
    var postSanitize: (@Sendable (RowKey, Any) -> Void)?
    var policy = YapDatabasePolicy.containment
}

/// Turns a value into bytes, and throws where it cannot: `(collection, key, value) -> bytes`.
public typealias YapDatabaseSerializer = @Sendable (String, String, Any) throws -> Data
/// Turns bytes into a value; nil or an error when they do not hold one: `(collection, key, bytes) -> value`.
public typealias YapDatabaseDeserializer = @Sendable (String, String, Data) throws -> Any?
/// Returns the value that is to be stored and remembered in place of the one given: `(collection, key, value) -> value`.
public typealias YapDatabasePreSanitizer = @Sendable (String, String, Any) -> Any
/// Is called after the value was written: `(collection, key, value)`.
public typealias YapDatabasePostSanitizer = @Sendable (String, String, Any) -> Void
