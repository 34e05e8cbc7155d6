import Foundation

extension SQLValue {
    /// The value as SQLite stores it; nil if it has no such form.
    init?(_ value: Any) {
        switch value {
        case let value as String: self = .text(value)
        case let value as Int: self = .integer(Int64(value))
        case let value as Double: self = .real(value)
        case let value as Bool: self = .integer(value ? 1 : 0)
        // As the original stores dates.
        case let value as Date: self = .real(value.timeIntervalSinceReferenceDate)
        case let value as Data: self = .blob([UInt8](value))
        default: self.init(rare: value)
        }
    }

    private init?(rare value: Any) {
        switch value {
        case let value as any BinaryInteger:
            guard let integer = Int64(exactly: value) else { return nil }
            self = .integer(integer)
        case let value as any BinaryFloatingPoint: self = .real(Double(value))
        case let value as Substring: self = .text(String(value))
        case let value as [UInt8]: self = .blob(value)
        case let value as NSNumber:
            let isReal = ["f", "d"].contains(String(cString: value.objCType))
            guard isReal || value.fitsInt64 else { return nil }
            self = isReal ? .real(value.doubleValue) : .integer(value.int64Value)
        case is NSNull: self = .null
        default:
            // An optional in an Any.
            let mirror = Mirror(reflecting: value)
            guard mirror.displayStyle == .optional else { return nil }
            guard let wrapped = mirror.children.first?.value else {
                self = .null
                return
            }
            self.init(wrapped)
        }
    }

    /// The value for the program; nil for NULL.
    var value: Any? {
        switch self {
        case .null: nil
        case .integer(let integer): Int(integer)
        case .real(let real): real
        case .text(let text): text
        case .blob(let bytes): Data(bytes)
        }
    }
}

extension NSNumber {
    /// Whether an integer is one of 64 bits with a sign. `int64Value` makes a negative number of a larger one.
    var fitsInt64: Bool { String(cString: objCType) != "Q" || uint64Value <= UInt64(Int64.max) }
}

extension YapDatabaseQuery {
    /// The query for the file, whose values have SQLite's types.
    func stored(for name: String) throws -> IndexQuery {
        let values = try queryParameters.enumerated().map { place, value in
            guard let stored = SQLValue(value) else {
                throw YapDatabaseError(
                    .badQuery,
                    "Parameter \(place + 1) of the query of the extension \"\(name)\" is a \(type(of: value)), which SQLite cannot compare. Pass a text, "
                        + "a number, a date or data.", sql: queryString)
            }
            return stored
        }
        return IndexQuery(text: queryString, parameters: values)
    }
}
