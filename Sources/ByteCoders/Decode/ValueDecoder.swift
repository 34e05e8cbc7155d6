import Foundation

/// The decoder that types see: a node of a ``ValueReader``.
struct ValueDecoder: Decoder {
    let reader: ValueReader
    let node: Int
    /// The number of containers around the node.
    let depth: Int

    /// Not kept: what a type that asks for it decodes is left to Foundation.
    var codingPath: [any CodingKey] {
        reader.state.pointee.isUncertain = true
        return []
    }

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let object = reader.object(node) else { throw reader.uncertain() }
        reader.hints[depth] = 0
        return KeyedDecodingContainer(KeyedReading(reader: reader, object: object, depth: depth))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let array = reader.array(node) else { throw reader.uncertain() }
        return UnkeyedReading(reader: reader, array: array, depth: depth)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { SingleReading(decoder: self) }
}

struct KeyedReading<Key: CodingKey>: KeyedDecodingContainerProtocol {
    fileprivate let reader: ValueReader
    fileprivate let object: ValueReader.Children
    fileprivate let depth: Int

    var codingPath: [any CodingKey] {
        reader.state.pointee.isUncertain = true
        return []
    }

    var allKeys: [Key] {
        guard let keys = reader.keys(of: object) else {
            reader.state.pointee.isUncertain = true
            return []
        }
        return keys.compactMap { Key(stringValue: $0) }
    }

    private func find(_ key: String) -> Int? { reader.find(key, in: object, reader.hints + depth) }

    /// The value of a key that must be there.
    private func node(_ key: Key) throws -> Int {
        guard let node = find(key.stringValue) else { throw reader.uncertain() }
        return node
    }

    func contains(_ key: Key) -> Bool { find(key.stringValue) != nil }
    func decodeNil(forKey key: Key) throws -> Bool { reader.isNull(try node(key)) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try reader.read(type, try node(key), depth + 1)
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard let node = find(key.stringValue), !reader.isNull(node) else { return nil }
        return try reader.read(type, node, depth + 1)
    }

    /// A decoder of a value that must be there. The types that ask for it count towards the limit like any other.
    private func inner(_ key: String) throws -> ValueDecoder {
        guard let node = find(key) else { throw reader.uncertain() }
        return try reader.inner(node, depth)
    }

    func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type, forKey key: Key) throws
        -> KeyedDecodingContainer<Inner>
    {
        try inner(key.stringValue).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try inner(key.stringValue).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try inner("super") }
    func superDecoder(forKey key: Key) throws -> any Decoder { try inner(key.stringValue) }
}

extension ValueReader {
    fileprivate final func inner(_ node: Int, _ depth: Int) throws -> ValueDecoder {
        state.pointee.valuesLeft &-= 1
        guard depth + 1 < Self.depthLimit, state.pointee.valuesLeft >= 0 else { throw uncertain() }
        return ValueDecoder(reader: self, node: node, depth: depth + 1)
    }
}

struct UnkeyedReading: UnkeyedDecodingContainer {
    fileprivate let reader: ValueReader
    fileprivate let array: ValueReader.Children
    fileprivate let depth: Int
    private var place = ValueReader.Place()

    fileprivate init(reader: ValueReader, array: ValueReader.Children, depth: Int) {
        (self.reader, self.array, self.depth) = (reader, array, depth)
    }

    var codingPath: [any CodingKey] {
        reader.state.pointee.isUncertain = true
        return []
    }

    var count: Int? { array.count }
    var currentIndex: Int { place.index }
    var isAtEnd: Bool { place.index >= array.count }

    /// The next element, and the place after it.
    private func next() throws -> (node: Int, after: ValueReader.Place) {
        guard !isAtEnd else { throw reader.uncertain() }
        var after = place
        let node = reader.element(of: array, &after)
        after.index += 1
        return (node, after)
    }

    mutating func decodeNil() throws -> Bool {
        let (node, after) = try next()
        guard reader.isNull(node) else { return false }
        place = after
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let (node, after) = try next()
        let value = try reader.read(type, node, depth + 1)
        place = after
        return value
    }

    mutating func decodeIfPresent<Value: Decodable>(_ type: Value.Type) throws -> Value? {
        guard !isAtEnd else { return nil }
        let (node, after) = try next()
        let value = reader.isNull(node) ? nil : try reader.read(type, node, depth + 1)
        place = after
        return value
    }

    private mutating func inner() throws -> ValueDecoder {
        let (node, after) = try next()
        place = after
        return try reader.inner(node, depth)
    }

    mutating func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type) throws -> KeyedDecodingContainer<Inner> {
        try inner().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try inner().unkeyedContainer() }
    mutating func superDecoder() throws -> any Decoder { try inner() }
}

struct SingleReading: SingleValueDecodingContainer {
    fileprivate let decoder: ValueDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { decoder.reader.isNull(decoder.node) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try decoder.reader.read(type, decoder.node, decoder.depth)
    }
}
