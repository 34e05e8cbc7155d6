import Foundation

/// A type whose values can be keys of a ``YapCollection``.
///
/// `String`, the integers, `UUID`, and enumerations and structures with a raw value of these types are keys already; the latter
/// only declare it: `extension BookID: YapKey {}`.
public protocol YapKey: Hashable, Sendable {
    /// The key as it is stored. Different keys have different texts.
    var storedKey: String { get }
    /// The key with this text; nil if there is none. Not an initializer, so that `map(Int.init)` stays unambiguous.
    static func key(stored text: String) -> Self?
}

extension String: YapKey {
    public var storedKey: String { self }
    public static func key(stored text: String) -> String? { text }
}

extension UUID: YapKey {
    public var storedKey: String { uuidString }
    public static func key(stored text: String) -> UUID? { UUID(uuidString: text) }
}

/// The key in decimal digits.
extension YapKey where Self: LosslessStringConvertible & BinaryInteger {
    public var storedKey: String { description }
    public static func key(stored text: String) -> Self? { Self(text) }
}

extension Int: YapKey {}
extension Int32: YapKey {}
extension Int64: YapKey {}
extension UInt: YapKey {}
extension UInt32: YapKey {}
extension UInt64: YapKey {}

extension YapKey where Self: RawRepresentable, RawValue: YapKey {
    public var storedKey: String { rawValue.storedKey }
    public static func key(stored text: String) -> Self? { RawValue.key(stored: text).flatMap(Self.init(rawValue:)) }
}
