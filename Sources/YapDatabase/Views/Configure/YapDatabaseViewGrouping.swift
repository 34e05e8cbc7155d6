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
    public static func withKeyBlock(_ block: @escaping KeyBlock) -> Self {
        withOptions(.onInsertOnly, keyBlock: block)
    }
    /// Groups by a block that needs the object. It is called again when the object was set or touched.
    public static func withObjectBlock(_ block: @escaping ObjectBlock) -> Self {
        withOptions([.ifObjectModified, .ifObjectTouched], objectBlock: block)
    }
    /// Groups by a block that needs the metadata. It is called again when the metadata were set or touched.
    public static func withMetadataBlock(_ block: @escaping MetadataBlock) -> Self {
        withOptions([.ifMetadataModified, .ifMetadataTouched], metadataBlock: block)
    }
    /// Groups by a block that needs object and metadata. It is called again after every change of the row.
    public static func withRowBlock(_ block: @escaping RowBlock) -> Self {
        withOptions(.any, rowBlock: block)
    }

    /// Groups by a block that needs the key and is called again as `options` say.
    public static func withOptions(_ options: YapDatabaseBlockInvoke, keyBlock: @escaping KeyBlock) -> Self {
        Self(needs: [], invoke: options) { try keyBlock($0, $1.key.collection, $1.key.key) }
    }
    /// Groups by a block that needs the object and is called again as `options` say.
    public static func withOptions(_ options: YapDatabaseBlockInvoke, objectBlock: @escaping ObjectBlock) -> Self {
        Self(needs: .object, invoke: options) { try objectBlock($0, $1.key.collection, $1.key.key, $1.object) }
    }
    /// Groups by a block that needs the metadata and is called again as `options` say.
    public static func withOptions(_ options: YapDatabaseBlockInvoke, metadataBlock: @escaping MetadataBlock) -> Self {
        Self(needs: .metadata, invoke: options) { try metadataBlock($0, $1.key.collection, $1.key.key, $1.metadata) }
    }
    /// Groups by a block that needs object and metadata and is called again as `options` say.
    public static func withOptions(_ options: YapDatabaseBlockInvoke, rowBlock: @escaping RowBlock) -> Self {
        Self(needs: [.object, .metadata], invoke: options) {
            try rowBlock($0, $1.key.collection, $1.key.key, $1.object, $1.metadata)
        }
    }
}
