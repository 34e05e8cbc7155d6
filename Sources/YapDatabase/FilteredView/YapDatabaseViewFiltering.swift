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

    public static func withKeyBlock(_ block: @escaping KeyBlock) -> Self {
        withOptions(.onInsertOnly, keyBlock: block)
    }
    public static func withObjectBlock(_ block: @escaping ObjectBlock) -> Self {
        withOptions([.ifObjectModified, .ifObjectTouched], objectBlock: block)
    }
    public static func withMetadataBlock(_ block: @escaping MetadataBlock) -> Self {
        withOptions([.ifMetadataModified, .ifMetadataTouched], metadataBlock: block)
    }
    public static func withRowBlock(_ block: @escaping RowBlock) -> Self {
        withOptions(.any, rowBlock: block)
    }

    public static func withOptions(_ options: YapDatabaseBlockInvoke, keyBlock: @escaping KeyBlock) -> Self {
        Self(needs: [], invoke: options) { try keyBlock($0, $1, $2.key.collection, $2.key.key) }
    }
    public static func withOptions(_ options: YapDatabaseBlockInvoke, objectBlock: @escaping ObjectBlock) -> Self {
        Self(needs: .object, invoke: options) { try objectBlock($0, $1, $2.key.collection, $2.key.key, $2.object!) }
    }
    public static func withOptions(_ options: YapDatabaseBlockInvoke, metadataBlock: @escaping MetadataBlock) -> Self {
        Self(needs: .metadata, invoke: options) {
            try metadataBlock($0, $1, $2.key.collection, $2.key.key, $2.metadata)
        }
    }
    public static func withOptions(_ options: YapDatabaseBlockInvoke, rowBlock: @escaping RowBlock) -> Self {
        Self(needs: [.object, .metadata], invoke: options) {
            try rowBlock($0, $1, $2.key.collection, $2.key.key, $2.object!, $2.metadata)
        }
    }
}
