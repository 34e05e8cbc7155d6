import Foundation
import YapDatabase

/// An object that holds a value and can be archived: what is stored for a ``ValueCoding`` value.
///
/// Implement it with a class that has `NSCoding` and is not private, so that archives can name it:
///
/// ```swift
/// final class BookCoder: NSObject, NSCoding, CodingType {
///     let value: Book
///     init(_ value: Book) { self.value = value }
///     init?(coder: NSCoder) {
///         guard let title = coder.decodeObject(forKey: "title") as? String else { return nil }
///         value = Book(title: title)
///     }
///     func encode(with coder: NSCoder) { coder.encode(value.title, forKey: "title") }
/// }
/// ```
public protocol CodingType: YapDatabaseArchivable {
    /// The type of the values.
    associatedtype ValueType

    /// The value that the object holds.
    var value: ValueType { get }
    /// Creates the object that is stored for a value.
    init(_ value: ValueType)
}

/// A value type that is archived as an object of another type, its coder.
///
/// A new program needs no coder: a ``Persistable`` type that is `Codable` is stored too.
public protocol ValueCoding {
    /// The type of the objects that are stored.
    associatedtype Coder: CodingType where Coder.ValueType == Self
}

extension ValueCoding {
    /// The object that is stored for the value. Encode it in the coder of a value that contains this one.
    public var encoded: Coder { Coder(self) }

    /// Returns the value of a stored object; nil if it is nil or of another type.
    public static func decode(_ object: Any?) -> Self? { (object as? Coder)?.value }

    /// Returns the values of stored objects, without those of other types; empty for nil.
    public static func decode<Objects: Sequence>(_ objects: Objects?) -> [Self] {
        objects?.compactMap { ($0 as? Coder)?.value } ?? []
    }
}

extension Sequence where Element: ValueCoding {
    /// The objects that are stored for the values, in their order.
    public var encoded: [Element.Coder] { map(\.encoded) }
}

extension Sequence where Element: CodingType {
    /// The values that the objects hold, in their order.
    public var values: [Element.ValueType] { map(\.value) }
}
