import YapDatabase

/// A value type with a place of its own in the database: its collection and its key.
///
/// ```swift
/// struct Book: Persistable {
///     static let collection = "books"
///     var identifier: String
///     var title: String
/// }
/// database.registerPersistable(Book.self)
/// try connection.write(Book(identifier: "dune", title: "Dune"))
/// let dune: Book? = try connection.readByKey("dune")
/// ```
public protocol Persistable: Codable, Sendable {
    associatedtype IdentifierType: CustomStringConvertible

    /// The collection that holds all values of the type, and nothing else.
    static var collection: String { get }
    /// What tells this value from the others of its collection.
    var identifier: IdentifierType { get }
}

extension Persistable {
    /// The key under which the value is stored.
    public var key: String { identifier.description }
    /// The collection and the key.
    public var index: YapDB.Index { YapDB.Index(collection: Self.collection, key: key) }
}

/// The names of the extensions' own types.
public enum YapDB {
    /// Where a value is stored.
    public typealias Index = YapCollectionKey
}

extension YapDatabase {
    /// Has the values of a type stored and read through `Codable`. Call it before the first of them is read or written.
    public func registerPersistable<Item: Persistable>(_ type: Item.Type) {
        registerCodableSerialization(type, forCollection: type.collection)
    }
}
