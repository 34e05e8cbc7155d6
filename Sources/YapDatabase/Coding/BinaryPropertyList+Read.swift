import ByteFormats
import Foundation

extension BinaryPropertyList {
    /// The bytes are not a complete property list.
    typealias Malformed = MalformedPropertyList

    /// Reads a complete list. Throws for any bytes that are not one; never traps.
    static func read(_ data: Data) throws -> BinaryPropertyList {
        try data.withUnsafeBytes { bytes in
            let table = try PropertyListTable(bytes)
            var reader = Reader(table, valuesLeft: 16 * bytes.count)
            return try reader.object(table.root, depth: 0)
        }
    }
}

private struct Reader {
    /// The most levels of nesting. Archives are flat, so a list with more levels is damaged.
    private static let depthLimit = 100

    private let table: PropertyListTable
    /// The number of values that may still be read. References may share objects, so few bytes could expand to a huge
    /// tree; no sound list exceeds the limit.
    private var valuesLeft: Int

    init(_ table: PropertyListTable, valuesLeft: Int) {
        self.table = table
        self.valuesLeft = valuesLeft
    }

    mutating func object(_ index: Int, depth: Int) throws -> BinaryPropertyList {
        guard depth < Self.depthLimit else { throw BinaryPropertyList.Malformed("it is nested too deep") }
        guard valuesLeft > 0 else { throw BinaryPropertyList.Malformed("it has too many values") }
        valuesLeft -= 1
        switch try table.object(index) {
        case .bool(let bool): return .bool(bool)
        case .integer(let integer): return .integer(integer)
        // Writers use only the lower half of a 16-byte integer.
        case .wideInteger(_, let low): return .integer(Int64(bitPattern: low))
        case .real(let real): return .real(real)
        case .date(let seconds): return .date(seconds)
        case .data(let piece): return .data(Data(table.bytes(piece)))
        case .string(let piece): return .string(table.string(piece))
        case .uid(let uid): return .uid(uid)
        case .array(let children): return .array(try array(children, depth: depth))
        case .dictionary(let children): return .dictionary(try dictionary(children, depth: depth))
        case .null, .set: throw BinaryPropertyList.Malformed("an object has a type that is not stored")
        }
    }

    private mutating func array(
        _ children: PropertyListObject.Children, depth: Int
    ) throws -> [BinaryPropertyList] {
        try (0..<children.count).map { try object(table.reference(children, $0), depth: depth + 1) }
    }

    private mutating func dictionary(
        _ children: PropertyListObject.Children, depth: Int
    ) throws -> [String: BinaryPropertyList] {
        var dictionary: [String: BinaryPropertyList] = [:]
        for place in 0..<children.count {
            guard let name = try object(table.reference(children, place), depth: depth + 1).string else {
                throw BinaryPropertyList.Malformed("a key is no string")
            }
            dictionary[name] = try object(table.reference(children, children.count + place), depth: depth + 1)
        }
        return dictionary
    }
}

/// A value of a binary property list, as in keyed archives. `PropertyListTable` describes the format.
enum BinaryPropertyList: Hashable, Sendable {
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    /// Seconds since 2001.
    case date(Double)
    case data(Data)
    case string(String)
    /// A reference inside a keyed archive.
    case uid(Int)
    case array([BinaryPropertyList])
    case dictionary([String: BinaryPropertyList])
}

extension BinaryPropertyList {
    var string: String? { if case .string(let string) = self { string } else { nil } }
    var uid: Int? { if case .uid(let uid) = self { uid } else { nil } }
    var array: [BinaryPropertyList]? { if case .array(let array) = self { array } else { nil } }
    var dictionary: [String: BinaryPropertyList]? {
        if case .dictionary(let dictionary) = self { dictionary } else { nil }
    }
}

/// Converts between property lists and a program's values: strings, data, dates, numbers, arrays and dictionaries.
extension BinaryPropertyList {
    init(plain value: Any) throws {
        if let scalar = BinaryPropertyList(scalar: value) {
            self = scalar
            return
        }
        switch value {
        case let date as Date: self = .date(date.timeIntervalSinceReferenceDate)
        case let array as [Any]: self = .array(try array.map(BinaryPropertyList.init(plain:)))
        case let dictionary as [String: Any]:
            self = .dictionary(try dictionary.mapValues(BinaryPropertyList.init(plain:)))
        default: throw NotAPropertyList(type: type(of: value))
        }
    }

    /// Converts a string, data or a number. Returns nil for everything else.
    init?(scalar value: Any) {
        switch value {
        case let string as String: self = .string(string)
        case let data as Data: self = .data(data)
        case let bool as Bool where type(of: value) == Bool.self: self = .bool(bool)
        case let integer as any BinaryInteger:
            guard let integer = Int64(exactly: integer) else { return nil }
            self = .integer(integer)
        case let real as any BinaryFloatingPoint: self = .real(Double(real))
        case let number as NSNumber: self.init(number)
        default: return nil
        }
    }

    private init?(_ number: NSNumber) {
        if type(of: number) == type(of: NSNumber(value: true)) {
            self = .bool(number.boolValue)
        } else if ["f", "d"].contains(String(cString: number.objCType)) {
            self = .real(number.doubleValue)
        } else {
            guard number.fitsInt64 else { return nil }
            self = .integer(number.int64Value)
        }
    }

    /// Returns the list as plain values. Numbers become `NSNumber`, which casts to any number type.
    func plain() throws -> Any {
        switch self {
        case .bool(let bool): NSNumber(value: bool)
        case .integer(let integer): NSNumber(value: integer)
        case .real(let real): NSNumber(value: real)
        case .date(let date): Date(timeIntervalSinceReferenceDate: date)
        case .data(let data): data
        case .string(let string): string
        case .array(let array): try array.map { try $0.plain() }
        case .dictionary(let dictionary): try dictionary.mapValues { try $0.plain() }
        case .uid: throw Malformed("it is part of a keyed archive")
        }
    }
}

/// A value that a property list cannot hold.
struct NotAPropertyList: Error, CustomStringConvertible {
    let type: any Any.Type
    var description: String {
        "A property list holds strings, numbers, dates, data, and arrays and dictionaries of them, not \(type)."
    }
}
