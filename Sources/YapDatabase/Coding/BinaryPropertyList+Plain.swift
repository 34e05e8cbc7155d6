import Foundation

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

    private init(_ number: NSNumber) {
        if type(of: number) == type(of: NSNumber(value: true)) {
            self = .bool(number.boolValue)
        } else if ["f", "d"].contains(String(cString: number.objCType)) {
            self = .real(number.doubleValue)
        } else {
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
