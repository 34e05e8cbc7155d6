import Foundation

// SQLite has no form of what is not a number: it stores NULL. Where a property may be missing, NULL says that, and what is not a number is
// stored as a text, which stands after all numbers.

/// What a column has of a property that may be missing and is not a number.
private let notANumber = "NaN"

extension YapFieldValue {
    /// Whether what is not a number is stored as a text.
    static var storesNaNAsText: Bool { fieldType == .real && self is any OptionalField.Type }

    /// Returns how values of the type are stored in a column; the function gives nil for a value of which SQLite has no form.
    static func columnForm() -> @Sendable (Self) -> SQLValue? {
        let nan: SQLValue = storesNaNAsText ? .text(notANumber) : .null
        if let type = self as? any StoredWithoutBox.Type { return columnForm(as: type, nan) }
        return { value in value.fieldValue.map { SQLValue($0)?.replacing(nan: nan) } ?? .null }
    }

    private static func columnForm<Stored: StoredWithoutBox>(
        as type: Stored.Type, _ nan: SQLValue
    ) -> @Sendable (Self) -> SQLValue? {
        { unsafeBitCast($0, to: Stored.self).sqlValue.replacing(nan: nan) }
    }

    /// What a handler sets for a value.
    static func handledForm() -> @Sendable (Self) -> (any Sendable)? {
        guard storesNaNAsText else { return { $0.fieldValue } }
        let form = columnForm()
        return { value in if case .text(let text) = form(value) { text } else { value.fieldValue } }
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
    /// The value as it is stored, so that equal columns have equal values.
    fileprivate func replacing(nan: SQLValue) -> SQLValue {
        if case .real(let real) = self, real.isNaN { nan } else { self }
    }
}
