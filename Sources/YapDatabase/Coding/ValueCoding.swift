import Foundation
import ListChanges

/// How the values of one collection become bytes and values again. Objects have one, metadata another.
struct ValueCoding: Sendable {
    /// Throws when the value cannot be encoded; then nothing is stored.
    var encode: @Sendable (RowKey, Any) throws -> Data
    /// Throws when the bytes do not hold a value.
    var decode: @Sendable (RowKey, Data) throws -> Any
}

/// Turns a value into bytes, and throws where it cannot: `(collection, key, value) -> bytes`.
public typealias YapDatabaseSerializer = @Sendable (String, String, Any) throws -> Data
/// Turns bytes into a value; nil or an error when they do not hold one: `(collection, key, bytes) -> value`.
public typealias YapDatabaseDeserializer = @Sendable (String, String, Data) throws -> Any?
