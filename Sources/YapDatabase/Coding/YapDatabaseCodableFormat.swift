import Foundation

/// The stored format of `Codable` values.
public struct YapDatabaseCodableFormat: Sendable {
    private let encoder: @Sendable (any Encodable) throws -> Data
    private let decoder: @Sendable (any Decodable.Type, Data) throws -> Any

    /// Creates a format from a closure that encodes a value and one that decodes a value of the given type.
    public init(
        encode: @escaping @Sendable (any Encodable) throws -> Data,
        decode: @escaping @Sendable (any Decodable.Type, Data) throws -> Any
    ) {
        encoder = encode
        decoder = decode
    }

    /// Binary property lists, as the original stores them.
    public static let propertyList: YapDatabaseCodableFormat = {
        let (encoder, decoder) = (PropertyListEncoder(), PropertyListDecoder())
        encoder.outputFormat = .binary
        return YapDatabaseCodableFormat(
            encode: { try encoder.encode($0) }, decode: { try decoder.decode($0, from: $1) })
    }()

    /// JSON, with the encoder's default settings.
    public static let json: YapDatabaseCodableFormat = {
        let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
        return YapDatabaseCodableFormat(
            encode: { try encoder.encode($0) }, decode: { try decoder.decode($0, from: $1) })
    }()
}

extension YapDatabaseCodableFormat {
    func encode(_ value: some Encodable) throws -> Data { try encoder(value) }
    func decode<Value: Decodable>(_ type: Value.Type, _ data: Data) throws -> Any { try decoder(type, data) }
}

/// A value of another type than its collection is registered for.
struct NotOfType: Error, CustomStringConvertible {
    let expected: any Any.Type
    let found: any Any.Type
    var description: String { "The collection holds \(expected), not \(found)." }
}
