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
/// half of the time, and a row that moves in a list decodes none of those that it is compared with. A list that is sorted by several
/// properties, or by a text, decodes the rows that fulfil its condition.
///
/// A row is decoded as a whole if its stored bytes lack the property, or have a value of another type there. So is every row where a key
/// path has two steps, such as `\.author.name`.
///
/// Do not declare it for a type with an `init(from:)` or with `CodingKeys` of its own, nor for one with a `let` that has its value in the
/// declaration. The first 16 rows are checked. If the properties of one are stored otherwise, the log handler is called
/// (``YapDatabase/setLogHandler(_:)``), and whole values are decoded from then on.
///
/// The declaration is a permission, because the library cannot find out by itself whether a type may be read in this way: an `init(from:)`
/// may change one row of a thousand, such as those with a number below 0, and the first rows do not show it. Without the declaration the
/// whole value of each row is decoded. Of rows with six properties, a list then takes 1.5 times as long to fill (1.9 µs a row instead of
/// 1.3), an index 1.5 times (4.4 instead of 2.9).
public protocol YapPlainCodable: Codable {}

/// The key of a stored property, if its type promises to have it; nil for a computed one, and for one of another property.
func storedKey<Value>(of path: FieldPath, in type: Value.Type) -> String? {
    guard Value.self is any YapPlainCodable.Type, let name = path.name, !name.contains(".") else { return nil }
    return name
}
