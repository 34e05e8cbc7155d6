import YapDatabase

/// A value type that knows its collection and its key.
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

    /// The collection that holds the values of this type, and nothing else.
    static var collection: String { get }
    /// Identifies the value within its collection.
    var identifier: IdentifierType { get }
}

extension Persistable {
    /// The key under which the value is stored: the description of `identifier`.
    public var key: String { identifier.description }
    /// The collection and the key of the value.
    public var index: YapDB.Index { YapDB.Index(collection: Self.collection, key: key) }
}

/// A namespace for the types of these extensions.
public enum YapDB {
    /// A collection and a key.
    public typealias Index = YapCollectionKey
}

extension YapDatabase {
    /// Registers `Codable` as the encoding of a type. Call it before the first of its values is read or written.
    public func registerPersistable<Item: Persistable>(_ type: Item.Type) {
        registerCodableSerialization(type, forCollection: type.collection)
    }
}
