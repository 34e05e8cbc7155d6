import Foundation

/// How a stored value says which version of its type it has: as a field of its own, `$version`, before all others.
///
/// A field, because the row then says it wherever its bytes go: into a backup, an export, a server, another process. Decoders that the
/// compiler makes, and those of the original's users, ignore a field that they do not know. Version 1 has no mark, so rows that were written
/// before a collection had versions are rows of version 1. See `docs/decisions/versions-of-values.md`.
enum VersionMark {
    static let key = "$version"

    /// The version that JSON names in its first field; 0 without a mark there. Does not parse the text.
    @inline(__always) static func first(inJSON bytes: UnsafeRawBufferPointer) -> Int {
        guard bytes.count > 14, bytes[0] == UInt8(ascii: "{"), word(bytes, 1) == quotedKey,
            bytes[9] == UInt8(ascii: "n")
        else { return 0 }
        return number(inJSON: bytes)
    }

    /// The version in the first two objects of a binary property list, where the library's encoder writes it; 0 without a mark there.
    @inline(__always) static func first(inPropertyList bytes: UnsafeRawBufferPointer) -> Int {
        guard bytes.count > 50, bytes[8] == 0x58, word(bytes, 9) == plainKey else { return 0 }
        return number(inPropertyList: bytes)
    }

    /// Adds the mark to an object in JSON that another encoder wrote. What is no object stays as it is.
    static func mark(json: Data, _ version: Int) -> Data {
        guard json.first == UInt8(ascii: "{") else { return json }
        let isEmpty = json.dropFirst().first == UInt8(ascii: "}")
        return Data("{\"\(key)\":\(version)\(isEmpty ? "" : ",")".utf8) + json.dropFirst()
    }

    /// Returns a property list with a version mark.
    static func mark(propertyList: Data, _ version: Int) throws -> Data {
        guard var object = try PropertyListSerialization.propertyList(from: propertyList, format: nil) as? [String: Any]
        else { return propertyList }
        object[key] = version
        return try PropertyListSerialization.data(fromPropertyList: object, format: .binary, options: 0)
    }

    private static let quotedKey = word("\"$versio")
    private static let plainKey = word("$version")

    private static func word(_ text: StaticString) -> UInt64 {
        UnsafeRawPointer(text.utf8Start).loadUnaligned(as: UInt64.self)
    }

    @inline(__always) private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }

    @inline(never) private static func number(inJSON bytes: UnsafeRawBufferPointer) -> Int {
        guard bytes[10] == UInt8(ascii: "\""), bytes[11] == UInt8(ascii: ":") else { return 0 }
        var version = 0
        for byte in bytes[12...].prefix(10) {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else {
                return byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") ? version : 0
            }
            version = version * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return 0
    }

    @inline(never) private static func number(inPropertyList bytes: UnsafeRawBufferPointer) -> Int {
        switch bytes[17] {
        case 0x10: Int(bytes[18])
        case 0x11: Int(bytes[18]) << 8 | Int(bytes[19])
        case 0x12: bytes[18..<22].reduce(0) { $0 << 8 | Int($1) }
        default: 0
        }
    }
}

/// A value that the library's encoders write with the mark in front of its own fields.
struct MarkedValue<Value: Encodable>: Encodable {
    let value: Value
    let version: Int

    private enum Key: String, CodingKey { case version = "$version" }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(version, forKey: .version)
        // A type that writes no fields is left to another encoder, and gets no mark.
        try value.encode(to: encoder)
    }
}
