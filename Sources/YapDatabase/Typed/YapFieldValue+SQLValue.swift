import Foundation

extension YapFieldValue {
    /// Returns how values of the type are stored in a column; the function gives nil for a value of which SQLite has no form.
    static func columnForm() -> @Sendable (Self) -> SQLValue? {
        if let type = self as? any StoredWithoutBox.Type { return columnForm(as: type) }
        return { value in value.fieldValue.map { SQLValue($0)?.normalized } ?? .null }
    }

    private static func columnForm<Stored: StoredWithoutBox>(as type: Stored.Type) -> @Sendable (Self) -> SQLValue? {
        { unsafeBitCast($0, to: Stored.self).sqlValue.normalized }
    }
}

/// A type whose values become those of a column without ``YapFieldValue/fieldValue``, a box whose type has to be found out.
private protocol StoredWithoutBox: Sendable {
    var sqlValue: SQLValue { get }
}

extension String: StoredWithoutBox {
    fileprivate var sqlValue: SQLValue { .text(self) }
}

extension StoredWithoutBox where Self: BinaryInteger {
    fileprivate var sqlValue: SQLValue { .integer(Int64(clamping: self)) }
}

extension Int: StoredWithoutBox {}
extension Int32: StoredWithoutBox {}
extension Int64: StoredWithoutBox {}

extension Bool: StoredWithoutBox {
    fileprivate var sqlValue: SQLValue { .integer(self ? 1 : 0) }
}

extension Double: StoredWithoutBox {
    fileprivate var sqlValue: SQLValue { .real(self) }
}

extension Date: StoredWithoutBox {
    fileprivate var sqlValue: SQLValue { .real(timeIntervalSinceReferenceDate) }
}

extension Optional: StoredWithoutBox where Wrapped: StoredWithoutBox {
    fileprivate var sqlValue: SQLValue { map(\.sqlValue) ?? .null }
}

extension SQLValue {
    /// The value as SQLite stores it, NULL for what is not a number, so that equal columns have equal values.
    fileprivate var normalized: SQLValue {
        if case .real(let real) = self, real.isNaN { .null } else { self }
    }
}
