import ByteCoders
import FileEngine
import Foundation
import Synchronization

/// The stored format of `Codable` values.
///
/// Property lists and JSON are written and read by coders of this package, several times as fast as Foundation's and with
/// the same result. A value that asks for something rare is left to Foundation, and a type that often does, for good.
public struct YapDatabaseCodableFormat: Sendable {
    private let coders: Coders

    private enum Coders: Sendable {
        case json(JSONEncoder, JSONDecoder)
        case propertyList(PropertyListEncoder, PropertyListDecoder)
        case other(
            encode: @Sendable (any Encodable) throws -> Data,
            decode: @Sendable (any Decodable.Type, Data) throws -> Any)
    }

    private init(_ coders: Coders) { self.coders = coders }

    /// Creates a format from a closure that encodes a value and one that decodes a value of the given type.
    public init(
        encode: @escaping @Sendable (any Encodable) throws -> Data,
        decode: @escaping @Sendable (any Decodable.Type, Data) throws -> Any
    ) {
        coders = .other(encode: encode, decode: decode)
    }

    /// Binary property lists, as the original stores them.
    public static let propertyList: YapDatabaseCodableFormat = {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        return YapDatabaseCodableFormat(.propertyList(encoder, PropertyListDecoder()))
    }()

    /// JSON, with the encoder's default settings.
    public static let json = YapDatabaseCodableFormat(.json(JSONEncoder(), JSONDecoder()))
}

extension YapDatabaseCodableFormat {
    func encode<Value: Encodable>(_ value: Value) throws -> Data {
        switch coders {
        case .json(let encoder, _):
            try Self.encoded.quickly(Value.self) {
                ByteCoding.json(value)
            } orElse: {
                try encoder.encode(value)
            }
        case .propertyList(let encoder, _):
            try Self.encoded.quickly(Value.self) {
                ByteCoding.propertyList(value)
            } orElse: {
                try encoder.encode(value)
            }
        case .other(let encode, _): try encode(value)
        }
    }

    /// - Parameter bytes: need not outlive the call. Nil counts as empty.
    func decode<Value: Decodable>(_ type: Value.Type, _ bytes: UnsafeRawBufferPointer?) throws -> Value {
        let bytes = bytes ?? UnsafeRawBufferPointer(start: nil, count: 0)
        switch coders {
        case .json(_, let decoder):
            return try Self.decoded.quickly(type) {
                ByteCoding.decodeJSON(type, from: bytes)
            } orElse: {
                try decoder.decode(type, from: Data(stored: bytes))
            }
        case .propertyList(_, let decoder):
            return try Self.decoded.quickly(type) {
                try ByteCoding.decodePropertyList(type, from: bytes)
            } orElse: {
                try decoder.decode(type, from: Data(stored: bytes))
            }
        case .other(_, let decode):
            let value = try decode(type, Data(stored: bytes))
            guard let value = value as? Value else { throw NotOfType(expected: type, found: Swift.type(of: value)) }
            return value
        }
    }

    private static let encoded = RareTypes()
    private static let decoded = RareTypes()
}

/// The types whose values ``ByteCoding`` has left to Foundation, which then coded them. After some, it is not tried any more.
private final class RareTypes: Sendable {
    private static let limit = 8

    private let isEmpty = Atomic(true)
    private let counts = Locked<[ObjectIdentifier: Int]>([:])

    func quickly<Result>(
        _ type: Any.Type, _ quick: () throws -> Result?, orElse slow: () throws -> Result
    ) throws -> Result {
        let key = ObjectIdentifier(type)
        if !isEmpty.load(ordering: .relaxed), counts.withLock({ $0[key, default: 0] }) >= Self.limit {
            return try slow()
        }
        if let result = try quick() { return result }
        let result = try slow()
        counts.withLock { $0[key, default: 0] += 1 }
        isEmpty.store(false, ordering: .relaxed)
        return result
    }
}

/// A value of another type than its collection is registered for.
struct NotOfType: Error, CustomStringConvertible {
    let expected: any Any.Type
    let found: any Any.Type
    var description: String { "The collection holds \(expected), not \(found)." }
}
