import Foundation
import ListChanges

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
    mutating func setSerializer(_ serializer: @escaping YapDatabaseSerializer) {
        encode = { try serializer($0.collection, $0.key, $1) }
    }

    mutating func setDeserializer(_ deserializer: @escaping YapDatabaseDeserializer) {
        decode = { key, bytes in
            guard let value = try deserializer(key.collection, key.key, Data(stored: bytes)) else { throw NotAValue() }
            return value
        }
    }

    /// - Parameter decode: gets bytes that need not outlive the call.
    mutating func setDecoding(_ decode: @escaping @Sendable (RowKey, UnsafeRawBufferPointer?) throws -> Any) {
        self.decode = decode
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
