import Foundation
import YapDatabase

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
