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
/// transaction that called it fails.
public struct YapDatabaseViewGrouping: Sendable {
    public typealias KeyBlock = @Sendable (YapDatabaseReadTransaction, String, String) throws -> String?
    public typealias ObjectBlock = @Sendable (YapDatabaseReadTransaction, String, String, Any) throws -> String?
    public typealias MetadataBlock = @Sendable (YapDatabaseReadTransaction, String, String, Any?) throws -> String?
    public typealias RowBlock = @Sendable (YapDatabaseReadTransaction, String, String, Any, Any?) throws -> String?

    let needs: RowNeeds
    let invoke: YapDatabaseBlockInvoke
    let group: @Sendable (YapDatabaseReadTransaction, RowContent) throws -> String?

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
        Self(needs: [], invoke: options) { try keyBlock($0, $1.key.collection, $1.key.key) }
    }
    public static func withOptions(_ options: YapDatabaseBlockInvoke, objectBlock: @escaping ObjectBlock) -> Self {
        Self(needs: .object, invoke: options) { try objectBlock($0, $1.key.collection, $1.key.key, $1.object!) }
    }
    public static func withOptions(_ options: YapDatabaseBlockInvoke, metadataBlock: @escaping MetadataBlock) -> Self {
        Self(needs: .metadata, invoke: options) { try metadataBlock($0, $1.key.collection, $1.key.key, $1.metadata) }
    }
    public static func withOptions(_ options: YapDatabaseBlockInvoke, rowBlock: @escaping RowBlock) -> Self {
        Self(needs: [.object, .metadata], invoke: options) {
            try rowBlock($0, $1.key.collection, $1.key.key, $1.object!, $1.metadata)
        }
    }
}
