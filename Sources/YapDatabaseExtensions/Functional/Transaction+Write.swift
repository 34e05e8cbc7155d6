import YapDatabase

/// Writes and removes items of a ``Persistable`` type.
///
/// Functions throw `YapDatabaseError`, with code `encodingFailed` if an item or its metadata cannot be encoded.
extension YapDatabaseReadWriteTransaction {
    /// Stores an item and its metadata under its key, and replaces one that is already there.
    ///
    /// The blocks of extensions get what the row holds, as they do after the next launch: an item of a value type has its metadata only
    /// if its bytes do.
    ///
    /// ```swift
    /// try transaction.write(book)
    /// try transaction.remove(book)
    /// try transaction.removeAtIndex(YapDB.Index(collection: "books", key: "solaris"))
    /// ```
    ///
    /// - Returns: the item.
    /// - Throws: `YapDatabaseError` with code `encodingFailed` or `valueTooLarge`, after which the transaction may continue; `diskFull`,
    ///   `inputOutput`, `corrupt` or `badExtension`, after which it is lost.
    @discardableResult
    public func write<Item: Persistable>(_ item: Item) throws -> Item {
        Item.useCodings(in: .transaction(self))
        let (key, object) = (item.key, Item.objectCoding.stored(item))
        let metadata = item.metadata.flatMap(Item.storedMetadata)
        if metadata != nil, !(Item.self is AnyClass) {
            // The bytes may lack the metadata, which the row has beside them: blocks and caches must not see it in the object either.
            try setObjectAsRead(object, forKey: key, inCollection: Item.collection, withMetadata: metadata)
        } else {
            try setObject(object, forKey: key, inCollection: Item.collection, withMetadata: metadata)
        }
        return item
    }

    /// Stores items under their keys, in their order.
    /// - Returns: the items.
    /// - Throws: `YapDatabaseError` with code `encodingFailed` or `valueTooLarge`, after which the transaction may continue; `diskFull`,
    ///   `inputOutput`, `corrupt` or `badExtension`, after which it is lost.
    @discardableResult
    public func write<Items: Sequence>(_ items: Items) throws -> [Items.Element] where Items.Element: Persistable {
        try items.map { try write($0) }
    }

    /// Removes an item. Does nothing if it is not stored.
    ///
    /// Example: `write`.
    ///
    /// - Throws: `YapDatabaseError` with code `diskFull`, `inputOutput`, `corrupt` or `badExtension`, after which the transaction is
    ///   lost; `transactionFailed` if it was lost before.
    public func remove<Item: Persistable>(_ item: Item) throws { try removeAtIndex(item.index) }

    /// Removes items. Those that are not stored are ignored.
    ///
    /// Example: `write`.
    ///
    /// - Throws: `YapDatabaseError` with code `diskFull`, `inputOutput`, `corrupt` or `badExtension`, after which the transaction is
    ///   lost; `transactionFailed` if it was lost before.
    public func remove<Items: Sequence>(_ items: Items) throws where Items.Element: Persistable {
        try removeObjects(forKeys: items.map(\.key), inCollection: Items.Element.collection)
    }

    /// Removes the row at an index. Does nothing if there is none.
    ///
    /// Example: `write`.
    ///
    /// - Throws: `YapDatabaseError` with code `diskFull`, `inputOutput`, `corrupt` or `badExtension`, after which the transaction is
    ///   lost; `transactionFailed` if it was lost before.
    public func removeAtIndex(_ index: YapDB.Index) throws {
        try removeObject(forKey: index.key, inCollection: index.collection)
    }

    /// Removes the rows at indexes. Those without a row are ignored.
    ///
    /// Example: `write`.
    ///
    /// - Throws: `YapDatabaseError` with code `diskFull`, `inputOutput`, `corrupt` or `badExtension`, after which the transaction is
    ///   lost; `transactionFailed` if it was lost before.
    public func removeAtIndexes(_ indexes: some Sequence<YapDB.Index>) throws {
        for index in indexes { try removeAtIndex(index) }
    }
}

extension Persistable {
    fileprivate static func storedMetadata(_ metadata: MetadataType) -> Any? {
        MetadataType.self == Void.self ? nil : metadataCoding.stored(metadata)
    }
}
