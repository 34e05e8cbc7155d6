import Foundation

/// Takes the fields that an operation encodes. Foundation's own archiver stops the program on values that it does not know.
final class OperationEncoder: NSCoder {
    private var fields: [String: ArchivedObject.Field] = [:]

    static func fields(of operation: YapDatabaseCloudCoreOperation) -> [String: ArchivedObject.Field] {
        let encoder = OperationEncoder()
        operation.encode(with: encoder)
        return encoder.fields
    }

    override var allowsKeyedCoding: Bool { true }

    override func encode(_ object: Any?, forKey key: String) { fields[key] = .object(object) }
    override func encodeConditionalObject(_ object: Any?, forKey key: String) { fields[key] = .object(object) }
    override func encode(_ value: Bool, forKey key: String) { fields[key] = .inline(.bool(value)) }
    override func encode(_ value: Int32, forKey key: String) { fields[key] = .inline(.integer(Int64(value))) }
    override func encode(_ value: Int64, forKey key: String) { fields[key] = .inline(.integer(value)) }
    override func encode(_ value: Int, forKey key: String) { fields[key] = .inline(.integer(Int64(value))) }
    override func encode(_ value: Float, forKey key: String) { fields[key] = .inline(.real(Double(value))) }
    override func encode(_ value: Double, forKey key: String) { fields[key] = .inline(.real(value)) }

    override func encodeBytes(_ bytes: UnsafePointer<UInt8>?, length: Int, forKey key: String) {
        fields[key] = .object(bytes.map { Data(bytes: $0, count: length) })
    }
}

/// Gives an operation the fields that it encoded. A field of another type is nil or 0, whatever the bytes of the file.
final class OperationDecoder: NSCoder {
    private let fields: [String: ArchivedObject.Field]

    init(_ fields: [String: ArchivedObject.Field]) {
        self.fields = fields
        super.init()
    }

    override var allowsKeyedCoding: Bool { true }

    override func containsValue(forKey key: String) -> Bool { fields[key] != nil }

    override func decodeObject(forKey key: String) -> Any? {
        switch fields[key] {
        case .object(let value): value
        case .inline(let value): try? value.plain()
        case nil: nil
        }
    }

    override func decodeBool(forKey key: String) -> Bool { number(key)?.boolValue ?? false }
    override func decodeInt32(forKey key: String) -> Int32 { number(key)?.int32Value ?? 0 }
    override func decodeCInt(forKey key: String) -> Int32 { number(key)?.int32Value ?? 0 }
    override func decodeInt64(forKey key: String) -> Int64 { number(key)?.int64Value ?? 0 }
    override func decodeInteger(forKey key: String) -> Int { number(key)?.intValue ?? 0 }
    override func decodeFloat(forKey key: String) -> Float { number(key)?.floatValue ?? 0 }
    override func decodeDouble(forKey key: String) -> Double { number(key)?.doubleValue ?? 0 }

    private func number(_ key: String) -> NSNumber? { decodeObject(forKey: key) as? NSNumber }
}
