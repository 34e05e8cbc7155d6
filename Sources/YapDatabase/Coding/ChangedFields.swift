import Foundation

/// Decodes values whose fields were changed by their names since they were written, without writing them again: a type that asks for a field
/// gets what is stored under the field's old name, or what older values have instead.
struct ChangedValue<Value: Decodable>: Decodable {
    let value: Value

    init(from decoder: any Decoder) throws {
        value = try Value(from: ChangedDecoder(decoder: decoder, fields: ChangedFields(changes: FieldChanges.current)))
    }
}

/// The changes for the decoding that runs. Not in the decoder's `userInfo`, which the library's decoders do not have.
enum FieldChanges {
    @TaskLocal static var current: [YapFieldChange] = []
}

private struct ChangedFields {
    let changes: [YapFieldChange]

    /// Where a field of today is: the name under which it may be stored, and what it is if nothing is stored there.
    func source(of name: String) -> (stored: String?, fallback: (any Encodable & Sendable)?) {
        var (stored, fallback): (String?, (any Encodable & Sendable)?) = (name, nil)
        for change in changes.reversed() {
            switch change.kind {
            case .adding(let value): if change.name == stored, fallback == nil { fallback = value }
            case .renaming(let newName):
                if newName == stored { stored = change.name } else if change.name == stored { return (nil, fallback) }
            case .removing: if change.name == stored { return (nil, fallback) }
            }
        }
        return (stored, fallback)
    }

    /// The names of today's fields, of those that are stored.
    func names(of stored: [String]) -> [String] {
        var names = stored.filter { $0 != VersionMark.key }
        for change in changes {
            switch change.kind {
            case .adding: if !names.contains(change.name) { names.append(change.name) }
            case .renaming(let newName):
                if let place = names.firstIndex(of: change.name) {
                    names.removeAll { $0 == newName }
                    names[min(place, names.count - 1)] = newName
                }
            case .removing: names.removeAll { $0 == change.name }
            }
        }
        return names
    }
}

private struct ChangedDecoder: Decoder {
    let decoder: any Decoder
    let fields: ChangedFields

    var codingPath: [any CodingKey] { decoder.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { decoder.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(
            ChangedContainer(inner: try decoder.container(keyedBy: FieldName.self), fields: fields))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try decoder.unkeyedContainer() }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { try decoder.singleValueContainer() }
}

private struct FieldName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

private struct ChangedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let inner: KeyedDecodingContainer<FieldName>
    let fields: ChangedFields

    var codingPath: [any CodingKey] { inner.codingPath }
    var allKeys: [Key] { fields.names(of: inner.allKeys.map(\.stringValue)).compactMap(Key.init(stringValue:)) }

    /// The stored field; nil if there is none.
    private func stored(_ key: Key) -> FieldName? {
        guard let name = fields.source(of: key.stringValue).stored.map(FieldName.init(stringValue:)),
            inner.contains(name)
        else { return nil }
        return name
    }

    private func stored(_ key: Key, orThrow what: String) throws -> FieldName {
        if let name = stored(key) { return name }
        throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: what))
    }

    func contains(_ key: Key) -> Bool { stored(key) != nil || fields.source(of: key.stringValue).fallback != nil }

    func decodeNil(forKey key: Key) throws -> Bool {
        if let name = stored(key) { return try inner.decodeNil(forKey: name) }
        return fields.source(of: key.stringValue).fallback == nil
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        if let name = stored(key) { return try inner.decode(type, forKey: name) }
        guard let fallback = fields.source(of: key.stringValue).fallback else {
            throw DecodingError.keyNotFound(
                key, .init(codingPath: codingPath, debugDescription: "The migration gives no value for it."))
        }
        if let value = fallback as? Value { return value }
        do {
            return try JSONDecoder().decode(type, from: JSONEncoder().encode(fallback))
        } catch {
            throw DecodingError.typeMismatch(
                type,
                .init(
                    codingPath: codingPath + [key],
                    debugDescription: "The migration gives a value of type \(Swift.type(of: fallback)).",
                    underlyingError: error))
        }
    }

    func nestedContainer<Inner: CodingKey>(
        keyedBy type: Inner.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Inner> {
        try inner.nestedContainer(keyedBy: type, forKey: stored(key, orThrow: "There is no object."))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try inner.nestedUnkeyedContainer(forKey: stored(key, orThrow: "There is no list."))
    }

    func superDecoder() throws -> any Decoder { try inner.superDecoder() }
    func superDecoder(forKey key: Key) throws -> any Decoder {
        try inner.superDecoder(forKey: stored(key, orThrow: "There is no object."))
    }
}
