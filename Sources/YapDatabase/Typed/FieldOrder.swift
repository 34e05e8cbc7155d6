import Foundation
import ListChanges

/// Part of the version tag of each list that compares fields, because files may have lists that were made by another rule. Before, texts were
/// compared by Swift, and what is not a number had no place.
let comparisonRule = "order 2"

/// Compares two fields, as an index of them does: texts by their bytes, the others by `<`.
///
/// Total if `<` orders all values that are equal to themselves: those that are not, such as NaN, come last, in descending order too.
@inline(__always) func ordered<Field: Comparable>(_ a: Field, _ b: Field, isDescending: Bool) -> ComparisonResult {
    if Field.self == String.self {
        let order = unsafeBitCast(a, to: String.self).byteOrder(to: unsafeBitCast(b, to: String.self))
        return order == 0 ? .orderedSame : (order < 0) != isDescending ? .orderedAscending : .orderedDescending
    }
    if a < b { return isDescending ? .orderedDescending : .orderedAscending }
    if b < a { return isDescending ? .orderedAscending : .orderedDescending }
    if a == b || isUnordered(a) == isUnordered(b) { return .orderedSame }
    return isUnordered(a) ? .orderedDescending : .orderedAscending
}

/// Compares two fields of which one may be missing.
@inline(__always) func ordered<Field>(
    _ a: Field?, _ b: Field?, isMissingFirst: Bool, _ compare: (Field, Field) -> ComparisonResult
) -> ComparisonResult {
    switch (a, b) {
    case (let a?, let b?): compare(a, b)
    case (nil, nil): .orderedSame
    case (nil, _?): isMissingFirst ? .orderedAscending : .orderedDescending
    case (_?, nil): isMissingFirst ? .orderedDescending : .orderedAscending
    }
}

/// Whether a value is not equal to itself.
@inline(__always) private func isUnordered<Field: Equatable>(_ value: Field) -> Bool { !(value == value) }

extension YapFieldValue where Self: Equatable {
    /// Returns whether a field equals a value, as in an index: texts by their bytes, and nil equals nil.
    static func equals(_ value: Self) -> @Sendable (Self) -> Bool {
        guard fieldType == .text, let text = value.fieldValue as? String else { return { $0 == value } }
        if self == String.self { return { unsafeBitCast($0, to: String.self).hasSameBytes(as: text) } }
        return { $0 == value && ($0.fieldValue as? String)?.hasSameBytes(as: text) ?? false }
    }
}

extension YapFieldValue where Self: Hashable {
    /// Returns whether a field is one of the values, compared as by ``equals(_:)``.
    static func isAmong(_ values: [Self]) -> @Sendable (Self) -> Bool {
        let set = Set(values)
        guard fieldType == .text else { return { set.contains($0) } }
        let texts = Set(values.compactMap { $0.fieldValue as? String }.map(ExactString.init))
        return { field in
            guard let text = field.fieldValue as? String else { return set.contains(field) }
            return texts.contains(ExactString(text))
        }
    }
}

extension Comparable {
    /// Whether a value is less than another: texts by their bytes.
    @inline(__always) static func isLess(_ a: Self, _ b: Self) -> Bool {
        if Self.self == String.self {
            return unsafeBitCast(a, to: String.self).precedes(unsafeBitCast(b, to: String.self))
        }
        return a < b
    }

    /// Whether a value is less than another or equal. Of what is not a number neither is true; `<=` of a type whose `<` is all that it declares
    /// would say otherwise, as that of `Date` does.
    @inline(__always) static func isAtMost(_ a: Self, _ b: Self) -> Bool {
        Self.self == String.self ? !isLess(b, a) : a < b || a == b
    }
}
