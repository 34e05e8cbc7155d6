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
    /// The versions of a collection's values; nil if the format was registered without a ``YapCollection``.
    private(set) var versions: ValueVersions?

    private enum Coders: Sendable {
        case json(JSONEncoder, JSONDecoder)
        case propertyList(PropertyListEncoder, PropertyListDecoder)
        case other(
            encode: @Sendable (any Encodable) throws -> Data,
            decode: @Sendable (any Decodable.Type, Data) throws -> Any)
    }

    private init(_ coders: Coders) { self.coders = coders }

    /// Creates a format from a closure that encodes a value and one that decodes a value of the given type.
    ///
    /// They run on any thread: that of the transaction that writes or reads the value, or one that fills an extension.
    ///
    /// - Parameters:
    ///   - encode: makes the bytes of a value.
    ///   - decode: makes a value of the type from bytes.
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

/// The bytes are of another format than the one in which the collection is read.
struct OtherFormat: Error, CustomStringConvertible {
    let description: String
}

extension YapDatabaseCodableFormat {
    /// Returns which other format the bytes have; nil if they may be of this format, or of none that the library knows.
    func otherFormat(of bytes: UnsafeRawBufferPointer?) -> OtherFormat? {
        guard let bytes else { return nil }
        switch coders {
        case .json where bytes.starts(with: "bplist00".utf8):
            return OtherFormat(
                description: "the bytes are a binary property list, and the collection is read as JSON. "
                    + "Declare it with `as: .propertyList`.")
        case .propertyList where bytes.first { $0 > 0x20 }.map("{[".utf8.contains) == true:
            return OtherFormat(
                description: "the bytes look like JSON, and the collection is read as property lists. "
                    + "Declare it with `as: .json`.")
        case .json, .propertyList, .other: return nil
        }
    }

    /// This format for values that say their version.
    func with(_ versions: ValueVersions) -> YapDatabaseCodableFormat {
        var format = self
        format.versions = versions
        return format
    }

    /// Whether values have fields with names.
    var hasFields: Bool { if case .other = coders { false } else { true } }

    func encode<Value: Encodable>(_ value: Value) throws -> Data {
        guard let versions, versions.mark > 0 else { return try encode(unmarked: value) }
        return try encode(value, markedAs: versions.current)
    }

    @inline(never) private func encode<Value: Encodable>(_ value: Value, markedAs version: Int) throws -> Data {
        let marked = MarkedValue(value: value, version: version)
        switch coders {
        case .json:
            if !Self.encoded.contains(Value.self), let bytes = ByteCoding.json(marked) { return bytes }
            return VersionMark.mark(json: try encode(unmarked: value), version)
        case .propertyList:
            if !Self.encoded.contains(Value.self), let bytes = ByteCoding.propertyList(marked) { return bytes }
            return try VersionMark.mark(propertyList: try encode(unmarked: value), version)
        case .other: return try encode(unmarked: value)
        }
    }

    /// The version that the first bytes name; 0 if they name none. A few nanoseconds.
    @inline(__always) private func firstMark(_ bytes: UnsafeRawBufferPointer) -> Int {
        switch coders {
        case .json: VersionMark.first(inJSON: bytes)
        case .propertyList: VersionMark.first(inPropertyList: bytes)
        case .other: 0
        }
    }

    /// The version that the bytes name anywhere among their fields; 0 if they name none.
    func version(of bytes: UnsafeRawBufferPointer) -> Int {
        let first = firstMark(bytes)
        guard first == 0 else { return first }
        let version = fields(bytes) { try $0.valueIfPresent(Int.self, of: StoredKey(VersionMark.key)) ?? 0 }
        return max(0, version ?? 0)
    }

    /// Whether bytes are not of the version that is written today. Of a type that cannot say its version, all are.
    func isOld(_ bytes: UnsafeRawBufferPointer?) -> Bool {
        guard let versions, let bytes, versions.current > 1 else { return false }
        return firstMark(bytes) != versions.mark && version(of: bytes) < versions.current
    }

    /// The error for bytes of a newer version than this program knows; nil for others.
    func newerVersion(of bytes: UnsafeRawBufferPointer) -> NewerVersion? {
        guard let versions else { return nil }
        // A program without versions looks only where the library writes the mark.
        let version = versions.current == 1 ? firstMark(bytes) : self.version(of: bytes)
        return version > versions.current ? NewerVersion(version: version, current: versions.current) : nil
    }

    /// Decodes a value whose fields were changed since it was written.
    func decode<Value: Decodable>(
        _ type: Value.Type, _ bytes: UnsafeRawBufferPointer, after changes: [YapFieldChange]
    ) throws -> Value {
        if changes.isEmpty { return try decode(unmarked: type, bytes) }
        return try FieldChanges.$current.withValue(changes) {
            try decode(unmarked: ChangedValue<Value>.self, bytes).value
        }
    }

    func encode<Value: Encodable>(unmarked value: Value) throws -> Data {
        switch coders {
        case .json(let encoder, _):
            if !Self.encoded.contains(Value.self), let bytes = ByteCoding.json(value) { return bytes }
            let bytes = try encoder.encode(value)
            Self.encoded.note(Value.self)
            return bytes
        case .propertyList(let encoder, _):
            if !Self.encoded.contains(Value.self), let bytes = ByteCoding.propertyList(value) { return bytes }
            if Self.bare.contains(Value.self), let bytes = ByteCoding.propertyList([value]) { return bytes }
            let bytes = try Self.encode(value, encoder)
            Self.encoded.note(Value.self)
            return bytes
        case .other(let encode, _): return try encode(value)
        }
    }

    /// - Parameter bytes: need not outlive the call. Nil counts as empty.
    func decode<Value: Decodable>(_ type: Value.Type, _ bytes: UnsafeRawBufferPointer?) throws -> Value {
        let bytes = bytes ?? UnsafeRawBufferPointer(start: nil, count: 0)
        if let versions, firstMark(bytes) != versions.mark { return try versions.decode(type, bytes, self) }
        return try decode(unmarked: type, bytes)
    }

    @inline(__always) private func decode<Value: Decodable>(
        unmarked type: Value.Type, _ bytes: UnsafeRawBufferPointer
    ) throws -> Value {
        switch coders {
        case .json(_, let decoder):
            if !Self.decoded.contains(type) {
                do { return try ByteCoding.decodeJSON(type, from: bytes) } catch is LeftToFoundation {}
            }
            let value = try decoder.decode(type, from: Data(stored: bytes))
            Self.decoded.note(type)
            return value
        case .propertyList(_, let decoder):
            if !Self.decoded.contains(type) {
                do { return try ByteCoding.decodePropertyList(type, from: bytes) } catch is LeftToFoundation {}
            }
            if Self.bare.contains(type), let value = Self.bareValue(type, bytes) { return value }
            let value: Value
            do {
                value = try decoder.decode(type, from: Data(stored: bytes))
            } catch {
                guard let bare = Self.bareValue(type, bytes) else { throw error }
                return bare
            }
            Self.decoded.note(type)
            return value
        case .other(_, let decode):
            return try Self.cast(decode(type, Data(stored: bytes)))
        }
    }

    // Foundation refuses a bare number, text, date or data as a property list. It is stored as a list of this one value.

    private static func encode<Value: Encodable>(_ value: Value, _ encoder: PropertyListEncoder) throws -> Data {
        do {
            return try encoder.encode(value)
        } catch {
            // What fails in a list too fails for another reason.
            guard let bytes = ByteCoding.propertyList([value]) else { throw error }
            bare.note(Value.self)
            return bytes
        }
    }

    /// Nil if the bytes are not the list of a bare value.
    @inline(never) private static func bareValue<Value: Decodable>(
        _ type: Value.Type, _ bytes: UnsafeRawBufferPointer
    ) -> Value? {
        guard let list = try? ByteCoding.decodePropertyList([Value].self, from: bytes), list.count == 1 else {
            return nil
        }
        bare.note(type)
        return list[0]
    }

    private static let bare = RareTypes()

    /// Not inlined: what is done with an optional of a type would cost the other formats time, too.
    @inline(never) private static func cast<Value>(_ value: Any) throws -> Value {
        guard let value = value as? Value else { throw NotOfType(expected: Value.self, found: type(of: value)) }
        return value
    }

    /// Returns what a function reads out of the keyed object that the bytes hold; nil if it throws, for another value, for one of another
    /// version, and in another format.
    func read<Answer>(
        _ bytes: UnsafeRawBufferPointer, _ read: (StoredFields) throws -> Answer
    ) -> Answer? {
        if let versions, firstMark(bytes) != versions.mark { return nil }
        return fields(bytes, read)
    }

    private func fields<Answer>(
        _ bytes: UnsafeRawBufferPointer, _ read: (StoredFields) throws -> Answer
    ) -> Answer? {
        var answer: Answer?
        let body = { (fields: StoredFields) in answer = try? read(fields) }
        switch coders {
        case .json: ByteCoding.readFields(ofJSON: bytes, body)
        case .propertyList: ByteCoding.readFields(ofPropertyList: bytes, body)
        case .other: break
        }
        return answer
    }

    private static let encoded = RareTypes()
    private static let decoded = RareTypes()
}

/// The types whose values ``ByteCoding`` has left to Foundation, which then coded them. After some, it is not tried any more.
private final class RareTypes: Sendable {
    private static let limit = 8

    private let isEmpty = Atomic(true)
    /// A structure: a process that has just begun would search all conformances of the program for that of the key.
    private struct Counts {
        var all: [ObjectIdentifier: Int] = [:]
    }
    private let counts = Locked(Counts())

    /// Whether the type is left to Foundation.
    func contains(_ type: Any.Type) -> Bool {
        if isEmpty.load(ordering: .relaxed) { return false }
        return counts.withLock { $0.all[ObjectIdentifier(type), default: 0] } >= Self.limit
    }

    /// Counts a value that Foundation coded.
    func note(_ type: Any.Type) {
        counts.withLock { $0.all[ObjectIdentifier(type), default: 0] += 1 }
        isEmpty.store(false, ordering: .relaxed)
    }
}

/// A value of another type than its collection is registered for.
struct NotOfType: Error, CustomStringConvertible {
    let expected: any Any.Type
    let found: any Any.Type
    var description: String { "The collection holds \(expected), not \(found)." }
}
