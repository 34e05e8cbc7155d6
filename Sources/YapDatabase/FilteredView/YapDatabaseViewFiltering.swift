/// Decides which rows of a parent view are in a ``YapDatabaseFilteredView``.
///
/// ```swift
/// let filtering = YapDatabaseViewFiltering.withObjectBlock { transaction, group, collection, key, object in
///     (object as? Book)?.isInStock == true
/// }
/// ```
///
/// The block receives the row's group in the parent view. It is called once for a row that enters the parent or changes its group
/// there, and again for changes of what it looks at. It must give the same answer for the same row every time. If it throws, the
/// transaction that called it fails.
public struct YapDatabaseViewFiltering: Sendable {
    /// (transaction, group, collection and key of the row)
    public typealias KeyBlock = @Sendable (YapDatabaseReadTransaction, String, String, String) throws -> Bool
    /// (transaction, group, collection, key and object of the row)
    public typealias ObjectBlock = @Sendable (YapDatabaseReadTransaction, String, String, String, Any) throws -> Bool
    /// (transaction, group, collection, key and metadata of the row)
    public typealias MetadataBlock = @Sendable (YapDatabaseReadTransaction, String, String, String, Any?) throws -> Bool
    /// (transaction, group, collection, key, object and metadata of the row)
    public typealias RowBlock = @Sendable (YapDatabaseReadTransaction, String, String, String, Any, Any?) throws -> Bool

    let needs: RowNeeds
    let invoke: YapDatabaseBlockInvoke
    let includes: @Sendable (YapDatabaseReadTransaction, String, RowContent) throws -> Bool

    /// Filters by a block that needs only the key. It is called once for a row.
    public static func withKeyBlock(_ block: @escaping KeyBlock) -> Self {
        withOptions(.onInsertOnly, keyBlock: block)
    }
    /// Filters by a block that needs the object. It is called again when the object was set or touched.
    public static func withObjectBlock(_ block: @escaping ObjectBlock) -> Self {
        withOptions([.ifObjectModified, .ifObjectTouched], objectBlock: block)
    }
    /// Filters by a block that needs the metadata. It is called again when the metadata were set or touched.
    public static func withMetadataBlock(_ block: @escaping MetadataBlock) -> Self {
        withOptions([.ifMetadataModified, .ifMetadataTouched], metadataBlock: block)
    }
    /// Filters by a block that needs object and metadata. It is called again after every change of the row.
    public static func withRowBlock(_ block: @escaping RowBlock) -> Self {
        withOptions(.any, rowBlock: block)
    }

    /// Filters by a block that needs the key and is called again as `options` say.
    public static func withOptions(_ options: YapDatabaseBlockInvoke, keyBlock: @escaping KeyBlock) -> Self {
        Self(needs: [], invoke: options) { try keyBlock($0, $1, $2.key.collection, $2.key.key) }
    }
    /// Filters by a block that needs the object and is called again as `options` say.
    public static func withOptions(_ options: YapDatabaseBlockInvoke, objectBlock: @escaping ObjectBlock) -> Self {
        Self(needs: .object, invoke: options) { try objectBlock($0, $1, $2.key.collection, $2.key.key, $2.object) }
    }
    /// Filters by a block that needs the metadata and is called again as `options` say.
    public static func withOptions(_ options: YapDatabaseBlockInvoke, metadataBlock: @escaping MetadataBlock) -> Self {
        Self(needs: .metadata, invoke: options) {
            try metadataBlock($0, $1, $2.key.collection, $2.key.key, $2.metadata)
        }
    }
    /// Filters by a block that needs object and metadata and is called again as `options` say.
    public static func withOptions(_ options: YapDatabaseBlockInvoke, rowBlock: @escaping RowBlock) -> Self {
        Self(needs: [.object, .metadata], invoke: options) {
            try rowBlock($0, $1, $2.key.collection, $2.key.key, $2.object, $2.metadata)
        }
    }
}
