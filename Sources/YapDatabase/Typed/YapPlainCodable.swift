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
/// A ``YapList`` that is grouped by a text and sorted by one number or date then reads these two out of the stored bytes and leaves the
/// rest of each row: it is filled in half of the time, and a row that moves decodes none of those that it is compared with. Rows that do
/// not have the property under its name are decoded as a whole.
///
/// Do not declare it for a type with an `init(from:)` or with `CodingKeys` of its own. The first rows are checked: a list whose
/// properties are stored otherwise stops the program with a message.
public protocol YapPlainCodable: Codable {}

/// The key of a stored property, if its type promises to have it; nil for a computed one, and for one of another property.
func storedKey<Value>(of path: FieldPath, in type: Value.Type) -> String? {
    guard Value.self is any YapPlainCodable.Type, let name = path.name, !name.contains(".") else { return nil }
    return name
}
