import Foundation
import YapDatabase

/// A type whose values, its items, know their collection and their key.
///
/// ```swift
/// struct Book: Persistable, Codable {
///     static let collection = "books"
///     var identifier: String
///     var title: String
/// }
/// try connection.write(Book(identifier: "dune", title: "Dune"))
/// let dune: Book? = try connection.readByKey("dune")
/// ```
///
/// An item is stored in one of three ways, and its metadata in one of these or not at all:
///
/// | the type has | a row holds | in these bytes |
/// |---|---|---|
/// | `NSCoding` | the object | a keyed archive |
/// | ``ValueCoding``, with a coder that has `NSCoding` | the coder | a keyed archive |
/// | `Codable` and `Sendable` | the value | a binary property list |
///
/// They are the bytes of a program that uses YapDatabase without these extensions, which reads the object, the coder or the value
/// with `transaction.object(forKey:inCollection:)`. A type that fits none of them does not compile; one that fits several says which
/// it means: `static var objectCoding: YapDB.Coding { .codable(Book.self) }`. Metadata that is `Codable` needs items that are.
///
/// An object of a class is that of the connection's cache: the same one is returned as long as it is there, and each read sets its
/// metadata. Do not change it without writing it.
public protocol Persistable: Identifiable, YapDatabaseArchivable, SendableMetatype {
    /// The type of the metadata. `Void`, if the type does not declare the property, for none.
    associatedtype MetadataType: SendableMetatype = Void

    /// The collection that holds the items of this type, and nothing else.
    static var collection: String { get }
    /// What is stored beside the item: set it before writing; reading sets it.
    var metadata: MetadataType? { get set }

    /// How items are stored.
    static var objectCoding: YapDB.Coding { get }
    /// How metadata is stored.
    static var metadataCoding: YapDB.Coding { get }
}

extension Persistable {
    /// The key under which the item is stored: the description of `identifier`.
    public var key: String { identifier.description }
    /// The collection and the key of the item.
    public var index: YapDB.Index { Self.indexWithKey(key) }

    /// Returns the index of the item with a key.
    public static func indexWithKey(_ key: String) -> YapDB.Index { YapDB.Index(collection: collection, key: key) }

    /// Returns the indexes of the items with these keys, in their order, each once.
    public static func indexesWithKeys(_ keys: some Sequence<String>) -> [YapDB.Index] {
        var known: Set<YapDB.Index> = []
        return keys.map(indexWithKey).filter { known.insert($0).inserted }
    }
}

extension Persistable where MetadataType == Void {
    /// Nil: the type has no metadata.
    public var metadata: Void? {
        get { nil }
        set {}
    }
}

// The codings that a type's other conformances give it: three for items, four for metadata.

extension Persistable where Self: NSCoding {
    /// Items are stored as they are.
    public static var objectCoding: YapDB.Coding { .object(Self.self) }
}

extension Persistable where Self: ValueCoding, Coder: NSCoding {
    /// Items are stored as their coders.
    public static var objectCoding: YapDB.Coding { .value(Self.self) }
}

extension Persistable where Self: Codable & Sendable {
    /// Items are stored as binary property lists.
    public static var objectCoding: YapDB.Coding { .codable(Self.self) }
}

extension Persistable where MetadataType == Void {
    /// No metadata is stored.
    public static var metadataCoding: YapDB.Coding { .nothing }
}

extension Persistable where MetadataType: NSCoding {
    /// Metadata is stored as it is.
    public static var metadataCoding: YapDB.Coding { .object(MetadataType.self) }
}

extension Persistable where MetadataType: ValueCoding, MetadataType.Coder: NSCoding {
    /// Metadata is stored as its coders.
    public static var metadataCoding: YapDB.Coding { .value(MetadataType.self) }
}

extension Persistable where Self: Codable & Sendable, MetadataType: Codable & Sendable {
    /// Metadata is stored in the format of the items.
    public static var metadataCoding: YapDB.Coding { .codableMetadata(of: Self.self) }
}

extension YapDatabase {
    /// Makes a type's encoding known. Reading and writing its items does it too: call this before extensions whose blocks get
    /// the items are registered, and before rows are read without their type.
    ///
    /// ```swift
    /// database.registerPersistable(Book.self)
    /// ```
    public func registerPersistable<Item: Persistable>(_ type: Item.Type) {
        type.useCodings(in: .database(self))
    }
}

extension Persistable {
    /// Metadata first: where both are `Codable`, its coding is that of the whole row.
    static func useCodings(in place: YapDB.Coding.Place) {
        metadataCoding.use(collection, place)
        objectCoding.use(collection, place)
    }
}
