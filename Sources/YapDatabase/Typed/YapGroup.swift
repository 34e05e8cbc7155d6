import Foundation
import ListChanges

/// A property that groups a ``YapList``.
///
/// Texts, whole numbers, `Bool`, `Date`, `UUID`, optionals of these, and enumerations with a raw value of these, which only declare it:
/// `extension Genre: YapGroup {}`.
public protocol YapGroup: Sendable {
    /// The name of the group; nil for a value that is not in the list.
    var groupName: String? { get }
    /// Whether the section of a group comes before that of another one: by the bytes of their names, unless the type has an order of its own.
    /// - Parameters:
    ///   - name: the name of a group.
    ///   - other: the name of another group.
    static func isGroup(_ name: String, before other: String) -> Bool
}

extension YapGroup {
    public static func isGroup(_ name: String, before other: String) -> Bool { name.precedes(other) }

    /// Orders names by what they are the texts of. Those of nothing come last.
    fileprivate static func isGroup<Meaning: Comparable>(
        _ name: String, before other: String, by meaning: (String) -> Meaning?
    ) -> Bool {
        let result = ordered(meaning(name), meaning(other), isMissingFirst: false) {
            ordered($0, $1, isDescending: false)
        }
        return result == .orderedAscending || result == .orderedSame && name.precedes(other)
    }
}

extension String: YapGroup {
    public var groupName: String? { self }
}

extension Bool: YapGroup {
    public var groupName: String? { self ? "true" : "false" }
}

/// The number in decimal digits. Sections are in the order of the numbers.
extension YapGroup where Self: BinaryInteger & LosslessStringConvertible {
    public var groupName: String? { description }
    public static func isGroup(_ name: String, before other: String) -> Bool {
        isGroup(name, before: other, by: Self.init)
    }
}

extension Int: YapGroup {}
extension Int8: YapGroup {}
extension Int16: YapGroup {}
extension Int32: YapGroup {}
extension Int64: YapGroup {}
extension UInt: YapGroup {}
extension UInt8: YapGroup {}
extension UInt16: YapGroup {}
extension UInt32: YapGroup {}
extension UInt64: YapGroup {}

/// The seconds since the reference date, as Swift writes a `Double`: `Double(section.group).map(Date.init(timeIntervalSinceReferenceDate:))`
/// is the date of a section. Sections are in the order of time.
extension Date: YapGroup {
    public var groupName: String? {
        let seconds = timeIntervalSinceReferenceDate
        // Dates that are equal have one name.
        return seconds.isNaN ? "nan" : (seconds + 0).description
    }
    public static func isGroup(_ name: String, before other: String) -> Bool {
        isGroup(name, before: other, by: Double.init)
    }
}

extension UUID: YapGroup {
    public var groupName: String? { uuidString }
}

extension Optional: YapGroup where Wrapped: YapGroup {
    public var groupName: String? { flatMap(\.groupName) }
    public static func isGroup(_ name: String, before other: String) -> Bool { Wrapped.isGroup(name, before: other) }
}

extension YapGroup where Self: RawRepresentable, RawValue: YapGroup {
    public var groupName: String? { rawValue.groupName }
    public static func isGroup(_ name: String, before other: String) -> Bool { RawValue.isGroup(name, before: other) }
}
