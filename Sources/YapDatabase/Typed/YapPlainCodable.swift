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
/// A ``YapList``, a ``YapIndex`` or a ``YapTextIndex`` then reads the properties that it needs out of the stored bytes and does not decode the
/// rest of each row: the group, what a condition asks for, the number or date that sorts a list, the columns of an index. It is filled in
/// half of the time, and moving a row in a list decodes no other rows. A list that is sorted by several properties, or by a text, decodes the
/// rows that fulfil its condition.
///
/// The same holds for a property of a property, such as `\.author.name`, if its type promises it, too. So it does for the rows of a join, of a list
/// whose rows stand in several groups, of one of groups, and with times: `\.row.price` is read out of the bytes if the row's type is a
/// `YapPlainCodable`.
///
/// A row is decoded as a whole if its stored bytes lack the property, or have a value of another type there. So is every row where a key
/// path goes through an optional, such as `\.author?.name`.
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

/// The key of a stored property, if its type promises to have it, and the types of the properties that contain it do, too; nil for a computed one.
func storedKey<Value>(of path: FieldPath, in type: Value.Type) -> StoredKey? {
    guard Value.self is any YapPlainCodable.Type, let name = path.name else { return nil }
    if !name.utf8.contains(UInt8(ascii: ".")) { return StoredKey(name) }
    guard let steps = path.storedSteps, steps.allSatisfy({ $0.owner is any YapPlainCodable.Type }) else { return nil }
    return StoredKey(steps[steps.count - 1].name, in: steps.dropLast().map { $0.name })
}
