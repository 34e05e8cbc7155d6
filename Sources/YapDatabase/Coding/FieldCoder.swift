import Foundation

/// Takes the fields that an object encodes. Foundation's own archiver stops the program on values that it does not know.
final class FieldEncoder: NSCoder {
    private var fields: [String: ArchivedObject.Field] = [:]
    private var failure: (any Error)?

    /// - Throws: if the object encodes something without a key, or reports a failure.
    static func fields(of object: any NSCoding) throws -> [String: ArchivedObject.Field] {
        let encoder = FieldEncoder()
        object.encode(with: encoder)
        if let failure = encoder.failure { throw failure }
        return encoder.fields
    }

    override var allowsKeyedCoding: Bool { true }
    override var decodingFailurePolicy: NSCoder.DecodingFailurePolicy { .setErrorAndReturn }
    override func failWithError(_ error: any Error) { failure = failure ?? error }

    override func encode(_ object: Any?, forKey key: String) { fields[key] = .object(object) }
    override func encodeConditionalObject(_ object: Any?, forKey key: String) { fields[key] = .conditional(object) }
    override func encode(_ value: Bool, forKey key: String) { fields[key] = .inline(.bool(value)) }
    override func encode(_ value: Int32, forKey key: String) { fields[key] = .inline(.integer(Int64(value))) }
    override func encode(_ value: Int64, forKey key: String) { fields[key] = .inline(.integer(value)) }
    override func encode(_ value: Int, forKey key: String) { fields[key] = .inline(.integer(Int64(value))) }
    override func encode(_ value: Float, forKey key: String) { fields[key] = .inline(.real(Double(value))) }
    override func encode(_ value: Double, forKey key: String) { fields[key] = .inline(.real(value)) }

    override func encodeBytes(_ bytes: UnsafePointer<UInt8>?, length: Int, forKey key: String) {
        fields[key] = .object(bytes.map { Data(bytes: $0, count: length) })
    }

    override func encode(_ object: Any?) { failWithError(NoKey()) }
    override func encode(_ data: Data) { failWithError(NoKey()) }
    override func encodePropertyList(_ list: Any) { failWithError(NoKey()) }
    override func encodeValue(ofObjCType type: UnsafePointer<Int8>, at address: UnsafeRawPointer) {
        failWithError(NoKey())
    }
}

/// Gives an object the fields that it encoded. A field of another type is nil or 0, whatever the bytes of the file.
final class FieldDecoder: NSCoder {
    private let fields: [String: ArchivedObject.Field]
    /// What the object reported while it was decoded.
    private var failure: (any Error)?

    init(_ fields: [String: ArchivedObject.Field]) {
        self.fields = fields
        super.init()
    }

    /// Makes an object of the fields.
    /// - Throws: what the object reports, or that it rejects the fields.
    static func object<Object: NSCoding>(of type: Object.Type, _ fields: [String: ArchivedObject.Field]) throws
        -> Object
    {
        let decoder = FieldDecoder(fields)
        guard let object = type.init(coder: decoder), decoder.failure == nil else {
            throw decoder.failure ?? BinaryPropertyList.Malformed("\(type).init(coder:) rejected it")
        }
        return object
    }

    override var allowsKeyedCoding: Bool { true }
    override var allowedClasses: [AnyClass]? { nil }
    override var decodingFailurePolicy: NSCoder.DecodingFailurePolicy { .setErrorAndReturn }
    override var error: (any Error)? { failure }
    override func failWithError(_ error: any Error) { failure = failure ?? error }

    override func containsValue(forKey key: String) -> Bool { fields[key] != nil }

    override func decodeObject(forKey key: String) -> Any? {
        switch fields[key] {
        case .object(let value), .conditional(let value): value
        case .inline(let value): try? value.plain()
        case nil: nil
        }
    }

    override func decodePropertyList(forKey key: String) -> Any? { decodeObject(forKey: key) }
    override func decodeBool(forKey key: String) -> Bool { number(key)?.boolValue ?? false }
    override func decodeInt32(forKey key: String) -> Int32 { number(key)?.int32Value ?? 0 }
    override func decodeCInt(forKey key: String) -> Int32 { number(key)?.int32Value ?? 0 }
    override func decodeInt64(forKey key: String) -> Int64 { number(key)?.int64Value ?? 0 }
    override func decodeInteger(forKey key: String) -> Int { number(key)?.intValue ?? 0 }
    override func decodeFloat(forKey key: String) -> Float { number(key)?.floatValue ?? 0 }
    override func decodeDouble(forKey key: String) -> Double { number(key)?.doubleValue ?? 0 }

    override func withDecodedUnsafeBytes<Result>(
        forKey key: String, body: (UnsafeRawBufferPointer?) throws -> Result
    ) rethrows -> Result {
        guard let data = decodeObject(forKey: key) as? Data else { return try body(nil) }
        return try data.withUnsafeBytes(body)
    }

    override func withDecodedUnsafeBufferPointer<Result>(
        forKey key: String, body: (UnsafeBufferPointer<UInt8>?) throws -> Result
    ) rethrows -> Result {
        guard let data = decodeObject(forKey: key) as? Data else { return try body(nil) }
        return try data.withUnsafeBytes { try body($0.bindMemory(to: UInt8.self)) }
    }

    override func decodeObject() -> Any? { nil }
    override func decodeData() -> Data? { nil }
    override func decodePropertyList() -> Any? { nil }
    override func decodeValue(ofObjCType type: UnsafePointer<Int8>, at address: UnsafeMutableRawPointer) {
        failWithError(NoKey())
    }

    private func number(_ key: String) -> NSNumber? { decodeObject(forKey: key) as? NSNumber }
}

/// An object encodes or decodes a value without a key.
private struct NoKey: Error, CustomStringConvertible {
    var description: String { "The object uses a coder without keys. Use the functions with `forKey:`." }
}
