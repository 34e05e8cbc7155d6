import Foundation

/// A type whose values SQLite can compare: the type of a property in an ordering, a condition or an index.
///
/// Texts, numbers, `Bool`, `Date`, `UUID`, `Data`, optionals of these, and enumerations with a raw value of these, which only
/// declare it: `extension Genre: YapFieldValue {}`.
///
/// A type of your own that is `Comparable` orders its values as their `fieldValue`s are ordered: lists go by `<`, and indexes by what they
/// store.
public protocol YapFieldValue: Sendable {
    /// The value as an index stores it: a text, a number, a `Date` or `Data`; nil for none.
    var fieldValue: (any Sendable)? { get }
    /// The type of the index's column.
    static var fieldType: YapDatabaseSecondaryIndexType { get }
}

extension String: YapFieldValue {
    public var fieldValue: (any Sendable)? { self }
    public static var fieldType: YapDatabaseSecondaryIndexType { .text }
}

extension YapFieldValue where Self: BinaryInteger {
    public var fieldValue: (any Sendable)? { Int64(clamping: self) }
    public static var fieldType: YapDatabaseSecondaryIndexType { .integer }
}

extension Int: YapFieldValue {}
extension Int8: YapFieldValue {}
extension Int16: YapFieldValue {}
extension Int32: YapFieldValue {}
extension Int64: YapFieldValue {}
extension UInt8: YapFieldValue {}
extension UInt16: YapFieldValue {}
extension UInt32: YapFieldValue {}

extension Double: YapFieldValue {
    public var fieldValue: (any Sendable)? { self }
    public static var fieldType: YapDatabaseSecondaryIndexType { .real }
}

extension Float: YapFieldValue {
    public var fieldValue: (any Sendable)? { Double(self) }
    public static var fieldType: YapDatabaseSecondaryIndexType { .real }
}

extension Bool: YapFieldValue {
    public var fieldValue: (any Sendable)? { self ? 1 : 0 }
    public static var fieldType: YapDatabaseSecondaryIndexType { .integer }
}

extension Date: YapFieldValue {
    public var fieldValue: (any Sendable)? { self }
    public static var fieldType: YapDatabaseSecondaryIndexType { .real }
}

extension UUID: YapFieldValue {
    public var fieldValue: (any Sendable)? { uuidString }
    public static var fieldType: YapDatabaseSecondaryIndexType { .text }
}

extension Data: YapFieldValue {
    public var fieldValue: (any Sendable)? { self }
    public static var fieldType: YapDatabaseSecondaryIndexType { .blob }
}

extension Optional: YapFieldValue where Wrapped: YapFieldValue {
    public var fieldValue: (any Sendable)? { flatMap(\.fieldValue) }
    public static var fieldType: YapDatabaseSecondaryIndexType { Wrapped.fieldType }
}

/// An optional, whose nil a condition can ask for.
protocol OptionalField {}

extension Optional: OptionalField {}

extension YapFieldValue where Self: RawRepresentable, RawValue: YapFieldValue {
    public var fieldValue: (any Sendable)? { rawValue.fieldValue }
    public static var fieldType: YapDatabaseSecondaryIndexType { RawValue.fieldType }
}

// SQLite has no form of what is not a number: it stores NULL. Where a property may be missing, NULL says that, and what is not a number is
// stored as a text, which stands after all numbers.

/// What a column has of a property that may be missing and is not a number.
private let notANumber = "NaN"

extension YapFieldValue {
    /// Whether what is not a number is stored as a text.
    static var storesNaNAsText: Bool { fieldType == .real && self is any OptionalField.Type }

    /// Returns a function that converts values of the type to those of a column. It returns nil for a value that SQLite cannot store.
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
