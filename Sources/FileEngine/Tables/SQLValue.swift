import SQLiteBridge

/// A value of a column, or a parameter of a query.
package enum SQLValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
}

extension SQLiteStatement {
    package func bind(_ value: SQLValue, at index: Int) throws {
        switch value {
        case .null: try bind(nil, at: index)
        case .integer(let integer): try bind(integer, at: index)
        case .real(let real): try bind(real, at: index)
        case .text(let text): try bind(text, at: index)
        case .blob(let bytes): try bind(bytes, at: index)
        }
    }

    package func value(at column: Int) -> SQLValue {
        switch type(at: column) {
        case .null: .null
        case .integer: .integer(int64(at: column))
        case .real: .real(double(at: column))
        case .text: .text(text(at: column) ?? "")
        case .blob: .blob(bytes(at: column))
        }
    }
}
