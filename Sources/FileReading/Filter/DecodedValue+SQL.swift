import FileEngine
import ObjectDecoding
import SQLiteBridge

extension DecodedValue {
    /// The value as SQLite compares it: a date is its text in UTC, a list or a dictionary its JSON.
    ///
    /// SQLite has integers of 64 bits with a sign, and reals. A whole number beyond the integers is the real that is
    /// exactly it. One that no real is counts as NULL, because the nearest real would be equal to other numbers; and so
    /// does a number beyond the reals.
    var sqlValue: SQLValue {
        switch self {
        case .null, .damaged, .omitted: .null
        case .bool(let bool): .integer(bool ? 1 : 0)
        case .integer(let integer): .integer(integer)
        case .unsigned(let integer): Double(exactly: integer).map(SQLValue.real) ?? .null
        case .double(let double): .real(double)
        case .number(let text): Self.real(text).map(SQLValue.real) ?? .null
        case .string(let text), .url(let text): .text(text)
        case .data(let bytes), .bytes(let bytes, _): .blob(bytes)
        case .uuid(let uuid): .text(uuid.uuidString)
        case .date(let date): ISODate.text(date).map(SQLValue.text) ?? .null
        case .array, .dictionary, .object, .reference: .text(json)
        case .set(let values): .text(DecodedValue.array(values).json)
        }
    }

    /// A number as it is stored, where SQLite has no such number or writes it otherwise.
    var storedNumber: String? {
        switch self {
        case .unsigned(let integer): String(integer)
        case .number(let text): text
        default: nil
        }
    }

    /// Returns the real that a number in JSON is; nil if it is whole and no real is exactly that, or if it is too large.
    private static func real(_ text: String) -> Double? {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }) else {
            return Int128(text).flatMap { Double(exactly: $0) }
        }
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }
}

/// A field as it was bound to its parameter.
enum BoundField {
    case missing
    case whole
    /// - stored: a number as it is stored, if SQLite writes it otherwise.
    /// - isNull: whether SQLite has no such number.
    case number(stored: String, isNull: Bool)

    var isMissing: Bool { if case .missing = self { true } else { false } }
}

extension SQLiteStatement {
    /// Binds what ``DecodedValue/sqlValue`` is.
    func bind(_ decoded: DecodedValue, at index: Int) throws -> BoundField {
        let value = decoded.sqlValue
        try bind(value, at: index)
        return decoded.storedNumber.map { .number(stored: $0, isNull: value == .null) } ?? .whole
    }
}
