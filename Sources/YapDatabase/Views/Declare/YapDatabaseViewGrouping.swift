import ListChanges

/// Decides which group of a view a row belongs to, or that it is not in the view.
///
/// ```swift
/// let grouping = YapDatabaseViewGrouping.withObjectBlock { transaction, collection, key, object in
///     (object as? Book)?.genre            // nil: not in the view
/// }
/// ```
///
/// Choose the kind of block that needs the least: a key block is called once for a row, and rows are decoded only for
/// blocks that need their content. A block must give the same answer for the same row every time. If it throws, the
/// transaction that called it fails. It is not asked about a row that cannot be decoded, which is left out
/// (``YapDatabaseOptions/undecodableRows``).
///
/// A block runs on the thread of the transaction that writes the row, and on threads of the library while the view is filled or brought
/// up to date.
public struct YapDatabaseViewGrouping: Sendable {
    /// (transaction, collection and key of the row), returns the group
    public typealias KeyBlock = @Sendable (YapDatabaseReadTransaction, String, String) throws -> String?
    /// (transaction, collection, key and object of the row), returns the group
    public typealias ObjectBlock = @Sendable (YapDatabaseReadTransaction, String, String, Any) throws -> String?
    /// (transaction, collection, key and metadata of the row), returns the group
    public typealias MetadataBlock = @Sendable (YapDatabaseReadTransaction, String, String, Any?) throws -> String?
    /// (transaction, collection, key, object and metadata of the row), returns the group
    public typealias RowBlock = @Sendable (YapDatabaseReadTransaction, String, String, Any, Any?) throws -> String?

    let needs: RowNeeds
    let invoke: YapDatabaseBlockInvoke
    let group: @Sendable (YapDatabaseReadTransaction, RowContent) throws -> String?

    /// Groups by a block that needs only the key. It is called once for a row.
    ///
    /// ```swift
    /// let grouping = YapDatabaseViewGrouping.withKeyBlock { transaction, collection, key in collection }
    /// ```
    public static func withKeyBlock(_ block: @escaping KeyBlock) -> Self {
        withOptions(.onInsertOnly, keyBlock: block)
    }
    /// Groups by a block that needs the object. It is called again when the object was set or touched.
    ///
    /// ```swift
    /// let grouping = YapDatabaseViewGrouping.withObjectBlock { transaction, collection, key, object in
    ///     (object as? Book)?.genre
    /// }
    /// ```
    public static func withObjectBlock(_ block: @escaping ObjectBlock) -> Self {
        withOptions([.ifObjectModified, .ifObjectTouched], objectBlock: block)
    }
    /// Groups by a block that needs the metadata. It is called again when the metadata were set or touched.
    ///
    /// ```swift
    /// let grouping = YapDatabaseViewGrouping.withMetadataBlock { transaction, collection, key, metadata in
    ///     metadata == nil ? nil : "dated"
    /// }
    /// ```
    public static func withMetadataBlock(_ block: @escaping MetadataBlock) -> Self {
        withOptions([.ifMetadataModified, .ifMetadataTouched], metadataBlock: block)
    }
    /// Groups by a block that needs object and metadata. It is called again after every change of the row.
    ///
    /// ```swift
    /// let grouping = YapDatabaseViewGrouping.withRowBlock { transaction, collection, key, object, metadata in
    ///     metadata is Date ? (object as? Book)?.genre : nil
    /// }
    /// ```
    public static func withRowBlock(_ block: @escaping RowBlock) -> Self {
        withOptions(.any, rowBlock: block)
    }

    /// Groups by a block that needs the key and is called again as `options` say.
    ///
    /// ```swift
    /// // Asked again whenever the object changes, though the block sees only the key.
    /// let grouping = YapDatabaseViewGrouping.withOptions(.ifObjectModified, keyBlock: { transaction, collection, key in
    ///     try transaction.hasObject(forKey: key, inCollection: "favourites") ? "favourites" : "others"
    /// })
    /// ```
    ///
    /// - Parameters:
    ///   - options: when the block is called again for a row.
    ///   - keyBlock: receives the key.
    public static func withOptions(_ options: YapDatabaseBlockInvoke, keyBlock: @escaping KeyBlock) -> Self {
        Self(needs: [], invoke: options) { try keyBlock($0, $1.key.collection, $1.key.key) }
    }
    /// Groups by a block that needs the object and is called again as `options` say.
    /// - Parameters:
    ///   - options: when the block is called again for a row.
    ///   - objectBlock: receives key and object.
    public static func withOptions(_ options: YapDatabaseBlockInvoke, objectBlock: @escaping ObjectBlock) -> Self {
        Self(needs: .object, invoke: options) { try objectBlock($0, $1.key.collection, $1.key.key, $1.object) }
    }
    /// Groups by a block that needs the metadata and is called again as `options` say.
    /// - Parameters:
    ///   - options: when the block is called again for a row.
    ///   - metadataBlock: receives key and metadata.
    public static func withOptions(_ options: YapDatabaseBlockInvoke, metadataBlock: @escaping MetadataBlock) -> Self {
        Self(needs: .metadata, invoke: options) { try metadataBlock($0, $1.key.collection, $1.key.key, $1.metadata) }
    }
    /// Groups by a block that needs object and metadata and is called again as `options` say.
    /// - Parameters:
    ///   - options: when the block is called again for a row.
    ///   - rowBlock: receives key, object and metadata.
    public static func withOptions(_ options: YapDatabaseBlockInvoke, rowBlock: @escaping RowBlock) -> Self {
        Self(needs: [.object, .metadata], invoke: options) {
            try rowBlock($0, $1.key.collection, $1.key.key, $1.object, $1.metadata)
        }
    }
}

/// When a view calls a block again for a row that the block has already answered for.
///
/// A block that looks only at the key is never called again; one that looks at the object is called again when the
/// object was set or touched. That is the default of each kind of block.
public struct YapDatabaseBlockInvoke: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Never again: the block is called once for a row.
    public static let onInsertOnly: YapDatabaseBlockInvoke = []
    /// When the object was set, also to an equal one.
    public static let ifObjectModified = YapDatabaseBlockInvoke(rawValue: 1 << 1)
    /// When the metadata were set, also to equal ones.
    public static let ifMetadataModified = YapDatabaseBlockInvoke(rawValue: 1 << 2)
    /// When the object was touched.
    public static let ifObjectTouched = YapDatabaseBlockInvoke(rawValue: 1 << 3)
    /// When the metadata were touched.
    public static let ifMetadataTouched = YapDatabaseBlockInvoke(rawValue: 1 << 4)
    /// After every change of the row.
    public static let any: YapDatabaseBlockInvoke = [
        .ifObjectModified, .ifMetadataModified, .ifObjectTouched, .ifMetadataTouched,
    ]

    /// Whether the block must be called again after this change of the row.
    func includes(_ row: ChangedRow) -> Bool {
        let object: YapDatabaseBlockInvoke = row.isTouch ? .ifObjectTouched : .ifObjectModified
        let metadata: YapDatabaseBlockInvoke = row.isTouch ? .ifMetadataTouched : .ifMetadataModified
        return row.flags.contains(.object) && contains(object) || row.flags.contains(.metadata) && contains(metadata)
    }

    /// Whether the block is called after every change of what it needs, so that its last answer still holds for each row.
    func follows(_ needs: RowNeeds) -> Bool {
        (!needs.contains(.object) || contains(.ifObjectModified))
            && (!needs.contains(.metadata) || contains(.ifMetadataModified))
    }
}
