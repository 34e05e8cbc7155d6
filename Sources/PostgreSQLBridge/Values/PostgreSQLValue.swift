import Foundation

/// A parameter of a statement. It is sent in binary form and never becomes part of SQL.
package enum PostgreSQLValue: Sendable {
    case null
    case int(Int64)
    case bool(Bool)
    case text(String)
    case bytes(Data)
    case uuid(UUID)
    case ints([Int32])
    case texts([String])
    case byteArrays([Data?])
}

extension PostgreSQLValue {
    /// The server's number of the type; 0 leaves it to the server.
    var type: UInt32 {
        switch self {
        case .null: 0
        case .int: 20
        case .bool: 16
        case .text: 25
        case .bytes: 17
        case .uuid: 2950
        case .ints: 1007
        case .texts: 1009
        case .byteArrays: 1001
        }
    }

    /// Appends the value's binary form.
    /// - Returns: false for null, which has none.
    func write(to bytes: inout [UInt8]) -> Bool {
        switch self {
        case .null: return false
        case .int(let value): bytes.append(bigEndian: value)
        case .bool(let value): bytes.append(value ? 1 : 0)
        case .text(let text): bytes += text.utf8
        case .bytes(let data): bytes += data
        case .uuid(let uuid): withUnsafeBytes(of: uuid.uuid) { bytes += $0 }
        case .ints(let values):
            bytes.appendArrayHead(elementType: 23, count: values.count)
            for value in values {
                bytes.append(bigEndian: Int32(4))
                bytes.append(bigEndian: value)
            }
        case .texts(let texts):
            bytes.appendArrayHead(elementType: 25, count: texts.count)
            for text in texts {
                bytes.append(bigEndian: Int32(text.utf8.count))
                bytes += text.utf8
            }
        case .byteArrays(let values):
            bytes.appendArrayHead(elementType: 17, count: values.count)
            for value in values {
                bytes.append(bigEndian: Int32(value?.count ?? -1))
                if let value { bytes += value }
            }
        }
        return true
    }
}

extension [UInt8] {
    fileprivate mutating func append(bigEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { self += $0 }
    }

    /// Dimensions, whether there may be nulls, the type, then the count and the first index of the dimension.
    fileprivate mutating func appendArrayHead(elementType: Int32, count: Int) {
        append(bigEndian: Int32(count == 0 ? 0 : 1))
        append(bigEndian: Int32(1))
        append(bigEndian: elementType)
        guard count > 0 else { return }
        append(bigEndian: Int32(count))
        append(bigEndian: Int32(1))
    }
}
