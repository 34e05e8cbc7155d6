import Foundation

/// The encoder that types see: a frame of a ``ValueWriter``.
struct ValueEncoder: Encoder {
    let writer: ValueWriter
    let depth: Int
    let serial: Int

    /// Not kept: a type that asks for it is left to Foundation.
    var codingPath: [any CodingKey] {
        writer.markExotic()
        return []
    }

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        writer.open(.object, depth, serial)
        return KeyedEncodingContainer(KeyedWriting(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        writer.open(.array, depth, serial)
        return UnkeyedWriting(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { SingleWriting(encoder: self) }

    /// A frame for one value inside this one. The key or the element was written.
    fileprivate func inner() -> ValueEncoder {
        guard let (depth, serial) = try? writer.push() else {
            return ValueEncoder(writer: writer, depth: -1, serial: -1)
        }
        return ValueEncoder(writer: writer, depth: depth, serial: serial)
    }

    /// An encoder to which nothing can be written.
    fileprivate var closed: ValueEncoder { ValueEncoder(writer: writer, depth: -1, serial: -1) }
}

extension ValueWriter {
    /// Writes one value: the root, or after a key or the beginning of an element.
    @inline(__always) final func write<Value: Encodable>(_ value: Value) throws {
        if try writeScalar(value) { return }
        let (depth, serial) = try push()
        try value.encode(to: ValueEncoder(writer: self, depth: depth, serial: serial))
        close(above: depth - 1)
    }

    /// Writes a value for which the format has a form of its own.
    @inline(__always) final func writeScalar<Value: Encodable>(_ value: Value) throws -> Bool {
        if Value.self == String.self {
            string(unsafeBitCast(value, to: String.self))
        } else if Value.self == Int.self {
            integer(Int64(unsafeBitCast(value, to: Int.self)))
        } else if Value.self == Double.self {
            double(unsafeBitCast(value, to: Double.self))
        } else if Value.self == Bool.self {
            bool(unsafeBitCast(value, to: Bool.self))
        } else if Value.self == Date.self {
            date(unsafeBitCast(value, to: Date.self))
        } else {
            return try writeRare(value)
        }
        return true
    }

    private final func writeRare<Value: Encodable>(_ value: Value) throws -> Bool {
        if Value.self == Data.self {
            data(unsafeBitCast(value, to: Data.self))
        } else if Value.self == Float.self {
            float(unsafeBitCast(value, to: Float.self))
        } else if hasFormOfURL, Value.self == URL.self {
            url(unsafeBitCast(value, to: URL.self))
        } else if hasFormOfURL, Value.self == Decimal.self {
            decimal(unsafeBitCast(value, to: Decimal.self))
        } else {
            return writeInteger(value)
        }
        return true
    }

    private final func writeInteger<Value>(_ value: Value) -> Bool {
        if Value.self == Int64.self {
            integer(unsafeBitCast(value, to: Int64.self))
        } else if Value.self == Int32.self {
            integer(Int64(unsafeBitCast(value, to: Int32.self)))
        } else if Value.self == Int16.self {
            integer(Int64(unsafeBitCast(value, to: Int16.self)))
        } else if Value.self == Int8.self {
            integer(Int64(unsafeBitCast(value, to: Int8.self)))
        } else if Value.self == UInt8.self {
            integer(Int64(unsafeBitCast(value, to: UInt8.self)))
        } else if Value.self == UInt16.self {
            integer(Int64(unsafeBitCast(value, to: UInt16.self)))
        } else if Value.self == UInt32.self {
            integer(Int64(unsafeBitCast(value, to: UInt32.self)))
        } else if Value.self == UInt64.self {
            unsigned(unsafeBitCast(value, to: UInt64.self))
        } else if Value.self == UInt.self {
            unsigned(UInt64(unsafeBitCast(value, to: UInt.self)))
        } else if Value.self == Int128.self || Value.self == UInt128.self {
            markExotic()
        } else {
            return false
        }
        return true
    }
}

struct KeyedWriting<Key: CodingKey>: KeyedEncodingContainerProtocol {
    fileprivate let encoder: ValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    private func write(_ key: String) -> Bool { encoder.writer.writeKey(key, encoder.depth, encoder.serial) }

    func encodeNil(forKey key: Key) throws {
        if write(key.stringValue) { encoder.writer.null() }
    }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        if write(key.stringValue) { try encoder.writer.write(value) }
    }

    private func inner(_ key: String) -> ValueEncoder { write(key) ? encoder.inner() : encoder.closed }

    func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type, forKey key: Key) -> KeyedEncodingContainer<Inner> {
        inner(key.stringValue).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        inner(key.stringValue).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { inner("super") }
    func superEncoder(forKey key: Key) -> any Encoder { inner(key.stringValue) }
}

struct UnkeyedWriting: UnkeyedEncodingContainer {
    fileprivate let encoder: ValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    var count: Int {
        encoder.writer.isOpen(encoder.depth, encoder.serial) ? encoder.writer.frames[encoder.depth].count : 0
    }

    private func begin() -> Bool { encoder.writer.beginElement(encoder.depth, encoder.serial) }

    func encodeNil() throws {
        if begin() { encoder.writer.null() }
    }

    func encode<Value: Encodable>(_ value: Value) throws {
        if begin() { try encoder.writer.write(value) }
    }

    private func inner() -> ValueEncoder { begin() ? encoder.inner() : encoder.closed }

    func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type) -> KeyedEncodingContainer<Inner> {
        inner().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { inner().unkeyedContainer() }
    func superEncoder() -> any Encoder { inner() }
}

struct SingleWriting: SingleValueEncodingContainer {
    fileprivate let encoder: ValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    /// Whether the frame still waits for its value.
    private var isWaiting: Bool {
        guard encoder.writer.isOpen(encoder.depth, encoder.serial) else { return false }
        if encoder.writer.frames[encoder.depth].kind == .slot { return true }
        encoder.writer.markExotic()
        return false
    }

    func encodeNil() throws {
        guard isWaiting else { return }
        encoder.writer.null()
        encoder.writer.frames[encoder.depth].kind = .done
    }

    func encode<Value: Encodable>(_ value: Value) throws {
        guard isWaiting else { return }
        if try encoder.writer.writeScalar(value) {
            encoder.writer.frames[encoder.depth].kind = .done
        } else {
            try value.encode(to: encoder)
        }
    }
}
