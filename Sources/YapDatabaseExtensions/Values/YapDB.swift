import Foundation
import YapDatabase

/// A namespace for the types of these extensions.
public enum YapDB {
    /// A collection and a key.
    ///
    /// It is ``ValueCoding``, so that an object can be stored with a reference to another row: `coder.encode(index.encoded,
    /// forKey: "author")`.
    public typealias Index = YapCollectionKey
}

extension YapCollectionKey: ValueCoding {
    /// The object that is stored for an index.
    public typealias Coder = YapDBIndexCoder
}

/// The archived form of a ``YapDB/Index``: two texts, `collection` and `key`.
public final class YapDBIndexCoder: NSObject, NSCoding, CodingType {
    /// The index that the object holds.
    public let value: YapDB.Index

    /// Creates the object that is stored for an index.
    public init(_ value: YapDB.Index) { self.value = value }

    /// Returns nil if one of the texts is missing.
    public init?(coder: NSCoder) {
        guard let collection = coder.decodeObject(forKey: "collection") as? String,
            let key = coder.decodeObject(forKey: "key") as? String
        else { return nil }
        value = YapDB.Index(collection: collection, key: key)
    }

    /// Encodes both texts.
    public func encode(with coder: NSCoder) {
        coder.encode(value.collection, forKey: "collection")
        coder.encode(value.key, forKey: "key")
    }
}

extension YapDB {
    /// How the values of a type are stored: which object a row holds for them, and in which bytes.
    public struct Coding {
        /// Returns what a row holds for a value.
        let stored: (Any) -> Any
        /// Returns the value of what a row holds; nil if it is of another type.
        let value: (Any) -> Any?
        /// Makes a transaction, or all later ones of a database, able to read and write the values.
        var use: (_ collection: String, _ place: Place) -> Void = { _, _ in }
        /// Nil unless the values are stored by `Codable`.
        var format: YapDatabaseCodableFormat?

        enum Place {
            case transaction(YapDatabaseReadTransaction)
            case database(YapDatabase)
        }

        /// Nothing is stored.
        static var nothing: Coding { Coding(stored: { $0 }, value: { _ in nil }) }

        /// The row holds the object, in a keyed archive.
        public static func object<Object: NSCoding & SendableMetatype>(_ type: Object.Type) -> Coding {
            Coding(stored: { $0 }, value: { $0 as? Object }, use: { _, _ in ArchivedClasses.add(type) })
        }

        /// The row holds the value's coder, in a keyed archive.
        public static func value<Value: ValueCoding & SendableMetatype>(_ type: Value.Type) -> Coding
        where Value.Coder: NSCoding {
            Coding(
                stored: { ($0 as? Value)?.encoded ?? $0 }, value: { Value.decode($0) },
                use: { _, _ in ArchivedClasses.add(Value.Coder.self) })
        }

        /// The row holds the value, in a binary property list or another format. The first use in a database makes that the
        /// encoding of the collection's objects there, as for a `YapCollection`.
        ///
        /// - Parameters:
        ///   - type: the type of the items.
        ///   - format: how values are stored.
        public static func codable<Value: Codable & Sendable>(
            _ type: Value.Type, as format: YapDatabaseCodableFormat = .propertyList
        ) -> Coding {
            collection(format) { YapCollection<Value, String, Never>($0, of: type, as: format) { _ in "" } }
        }

        /// The same for the metadata of a type's items, in their format.
        static func codableMetadata<Item: Persistable & Codable & Sendable>(of type: Item.Type) -> Coding
        where Item.MetadataType: Codable & Sendable {
            let format = Item.objectCoding.format ?? .propertyList
            return collection(format) {
                YapCollection($0, of: type, metadata: Item.MetadataType.self, as: format) { $0.key }
            }
        }

        private static func collection<Value, Metadata>(
            _ format: YapDatabaseCodableFormat,
            _ make: @escaping (String) -> YapCollection<Value, String, Metadata>
        ) -> Coding {
            Coding(
                stored: { $0 }, value: { $0 },
                use: { name, place in
                    switch place {
                    case .transaction(let transaction): make(name).use(in: transaction)
                    case .database(let database): make(name).use(in: database)
                    }
                }, format: format)
        }
    }
}
