import Foundation

/// The stored format of `Codable` values.
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
    func encode(_ value: some Encodable) throws -> Data {
        switch coders {
        case .json(let encoder, _): try encoder.encode(value)
        case .propertyList(let encoder, _): try encoder.encode(value)
        case .other(let encode, _): try encode(value)
        }
    }

    func decode<Value: Decodable>(_ type: Value.Type, _ data: Data) throws -> Any {
        switch coders {
        case .json(_, let decoder): try decoder.decode(type, from: data)
        case .propertyList(_, let decoder): try decoder.decode(type, from: data)
        case .other(_, let decode): try decode(type, data)
        }
    }
}

/// A value of another type than its collection is registered for.
struct NotOfType: Error, CustomStringConvertible {
    let expected: any Any.Type
    let found: any Any.Type
    var description: String { "The collection holds \(expected), not \(found)." }
}
