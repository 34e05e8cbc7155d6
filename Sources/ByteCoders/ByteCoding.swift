import ByteFormats
import Foundation

/// Encodes and decodes `Codable` values straight over bytes, several times as fast as Foundation does and with the same
/// result.
///
/// What is rare is left to Foundation: every function here returns nil, or throws ``LeftToFoundation``, where it does not know
/// exactly what Foundation would do, and wherever an error would be thrown. The caller then asks Foundation, whose errors and
/// coding paths these are.
package enum ByteCoding {
    private static let jsonWriters = ThreadSpare<JSONWriter>()
    private static let listWriters = ThreadSpare<PropertyListWriter>()
    private static let jsonNodes = ThreadSpare<JSONNodes>()
    private static let listNodes = ThreadSpare<PropertyListNodes>()

    /// Encodes as JSON in the form of `JSONEncoder()`; nil if it is left to that one.
    package static func json(_ value: some Encodable) -> Data? {
        let writer = jsonWriters.take() ?? JSONWriter()
        defer { jsonWriters.give(back: writer, writer.size) }
        return writer.encode(value) ? Data(writer.out.pointee.bytes) : nil
    }

    /// Encodes as a binary property list that `PropertyListDecoder()` reads; nil if it is left to `PropertyListEncoder`.
    package static func propertyList(_ value: some Encodable) -> Data? {
        let writer = listWriters.take() ?? PropertyListWriter()
        defer { listWriters.give(back: writer, writer.size) }
        return writer.encode(value) ? writer.finish() : nil
    }

    // The decoders throw instead of returning nil: an optional of a type that the compiler does not know costs a look-up of its
    // metadata at run time, 330 instructions each time.

    /// Decodes what `JSONDecoder()` decodes.
    /// - Throws: ``LeftToFoundation``.
    package static func decodeJSON<Value: Decodable>(
        _ type: Value.Type, from bytes: UnsafeRawBufferPointer
    ) throws -> Value {
        let reader = jsonNodes.take() ?? JSONNodes()
        defer { jsonNodes.give(back: reader, reader.capacity) }
        guard reader.load(bytes) else { throw LeftToFoundation() }
        return try reader.decode(type, root: 0)
    }

    /// The same from `Data`; nil if it is left to Foundation.
    package static func decodeJSON<Value: Decodable>(_ type: Value.Type, from data: Data) -> Value? {
        try? data.withUnsafeBytes { try decodeJSON(type, from: $0) }
    }

    /// Decodes what `PropertyListDecoder()` decodes.
    /// - Throws: ``LeftToFoundation``; `DecodingError` for a binary property list that would expand beyond measure.
    package static func decodePropertyList<Value: Decodable>(
        _ type: Value.Type, from bytes: UnsafeRawBufferPointer
    ) throws -> Value {
        let reader = listNodes.take() ?? PropertyListNodes()
        defer { listNodes.give(back: reader, 0) }
        guard let root = reader.load(bytes) else { throw LeftToFoundation() }
        do {
            return try reader.decode(type, root: root)
        } catch {
            try PropertyListTable(bytes).checkExtent(bytes.count)
            throw error
        }
    }

    /// The same from `Data`; nil if it is left to Foundation.
    package static func decodePropertyList<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value? {
        do {
            return try data.withUnsafeBytes { try decodePropertyList(type, from: $0) }
        } catch is LeftToFoundation {
            return nil
        }
    }

    /// Calls the body with the object that a binary property list holds, if it holds one.
    package static func readFields(ofPropertyList bytes: UnsafeRawBufferPointer, _ body: (StoredFields) -> Void) {
        let reader = listNodes.take() ?? PropertyListNodes()
        defer { listNodes.give(back: reader, 0) }
        if let root = reader.load(bytes), let fields = StoredFields(reader, root: root) { body(fields) }
    }

    /// Calls the body with the object that a JSON text holds, if it holds one.
    package static func readFields(ofJSON bytes: UnsafeRawBufferPointer, _ body: (StoredFields) -> Void) {
        let reader = jsonNodes.take() ?? JSONNodes()
        defer { jsonNodes.give(back: reader, reader.capacity) }
        if reader.load(bytes), let fields = StoredFields(reader, root: 0) { body(fields) }
    }
}

/// The bytes are for Foundation's decoder: they hold something rare, or something wrong.
package struct LeftToFoundation: Error {}

extension ValueWriter {
    /// Returns whether the value is written as Foundation would.
    fileprivate final func encode(_ value: some Encodable) -> Bool {
        reset()
        guard (try? write(value)) != nil else { return false }
        return !state.pointee.isExotic
    }
}

extension ValueReader {
    fileprivate final func decode<Value: Decodable>(_ type: Value.Type, root: Int) throws -> Value {
        do {
            let value = try read(type, root, 0)
            if !state.pointee.isUncertain, state.pointee.valuesLeft >= 0 { return value }
        } catch {}
        throw LeftToFoundation()
    }
}

extension PropertyListTable {
    /// Throws if the list has cycles, is nested too deep or has so many references to shared objects that it would expand to
    /// many times its size, which Foundation would try.
    fileprivate func checkExtent(_ byteCount: Int) throws {
        var valuesLeft = 16 * byteCount
        try check(root, depth: 0, &valuesLeft)
    }

    private func check(_ index: Int, depth: Int, _ valuesLeft: inout Int) throws {
        valuesLeft -= 1
        guard depth <= ValueReader.depthLimit, valuesLeft >= 0, let object = try? object(index) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "The given data was not a valid property list."))
        }
        let (children, count): (PropertyListObject.Children, Int)
        switch object {
        case .array(let elements), .set(let elements): (children, count) = (elements, elements.count)
        case .dictionary(let entries): (children, count) = (entries, 2 * entries.count)
        default: return
        }
        for place in 0..<count { try check(reference(children, place), depth: depth + 1, &valuesLeft) }
    }
}

/// An object of each thread to use again. Used by one call at a time: one inside another finds none, and makes its own.
///
/// Threads share nothing here. A list of objects behind a lock costs them more than what they decode: its memory goes from processor to
/// processor with each value.
private final class ThreadSpare<Object: AnyObject>: Sendable {
    /// The most bytes that an idle object keeps.
    private static var sizeLimit: Int { 1 << 18 }

    /// Nil if the process has no key left.
    private let key: pthread_key_t?

    init() {
        var key = pthread_key_t()
        let isMade =
            pthread_key_create(&key) { if let object = $0 { Unmanaged<AnyObject>.fromOpaque(object).release() } } == 0
        self.key = isMade ? key : nil
    }

    func take() -> Object? {
        guard let key, let object = pthread_getspecific(key) else { return nil }
        pthread_setspecific(key, nil)
        return Unmanaged<Object>.fromOpaque(object).takeRetainedValue()
    }

    func give(back object: Object, _ size: Int) {
        guard let key, size < Self.sizeLimit, pthread_getspecific(key) == nil else { return }
        let spare = Unmanaged.passRetained(object)
        if pthread_setspecific(key, spare.toOpaque()) != 0 { spare.release() }
    }
}
