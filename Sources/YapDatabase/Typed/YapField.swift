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
