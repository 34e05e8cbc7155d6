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
