import ByteCoders

/// A type that is stored as it is declared: the compiler makes its `Codable`, and each property has a key of its own name.
///
/// ```swift
/// struct Book: YapPlainCodable, Sendable, Identifiable {
///     var id: String
///     var genre: String
///     var price: Double
/// }
/// let books = YapCollection("books", of: Book.self)
/// let prices = YapList("prices", of: books, groupedBy: \.genre, sortedBy: .ascending(\.price))
/// ```
///
/// A ``YapList``, a ``YapIndex`` or a ``YapTextIndex`` then reads the properties that it goes by out of the stored bytes and leaves the
/// rest of each row: the group, what a condition asks for, the number or date that sorts a list, the columns of an index. It is filled in
/// half of the time, and a row that moves in a list decodes none of those that it is compared with. A list that several properties or a
/// text sort decodes the rows that its condition lets in. Rows that do not have a property under its name, or not as its type is stored,
/// are decoded as a whole, as they are for properties of properties such as `\.author.name`.
///
/// Do not declare it for a type with an `init(from:)` or with `CodingKeys` of its own, nor for one with a `let` that has its value in the
/// declaration. The first rows are checked: a list or an index whose properties are stored otherwise stops the program with a message.
public protocol YapPlainCodable: Codable {}

/// The key of a stored property, if its type promises to have it; nil for a computed one, and for one of another property.
func storedKey<Value>(of path: FieldPath, in type: Value.Type) -> String? {
    guard Value.self is any YapPlainCodable.Type, let name = path.name, !name.contains(".") else { return nil }
    return name
}
