/// Sets the columns of an R-tree for a row: a ``YapDatabaseColumnHandler`` whose blocks get no transaction.
///
/// ```swift
/// let handler = YapDatabaseRTreeIndexHandler.withObjectBlock { dict, collection, key, object in
///     guard let place = object as? Place else { return }       // no column: the row is not in the index
///     dict["minX"] = place.x
///     dict["maxX"] = place.x
/// }
/// ```
public struct YapDatabaseRTreeIndexHandler: Sendable {
    /// (columns to set, collection, key)
    public typealias KeyBlock = @Sendable (inout [String: Any], String, String) throws -> Void
    /// (columns to set, collection, key, object)
    public typealias ObjectBlock = @Sendable (inout [String: Any], String, String, Any) throws -> Void
    /// (columns to set, collection, key, metadata)
    public typealias MetadataBlock = @Sendable (inout [String: Any], String, String, Any?) throws -> Void
    /// (columns to set, collection, key, object, metadata)
    public typealias RowBlock = @Sendable (inout [String: Any], String, String, Any, Any?) throws -> Void

    let handler: YapDatabaseColumnHandler

    /// Sets columns by a block that needs only the key. It is called once for a row.
    public static func withKeyBlock(_ block: @escaping KeyBlock) -> Self {
        withOptions(.onInsertOnly, keyBlock: block)
    }
    /// Sets columns by a block that needs the object. It is called again when the object was set or touched.
    public static func withObjectBlock(_ block: @escaping ObjectBlock) -> Self {
        withOptions([.ifObjectModified, .ifObjectTouched], objectBlock: block)
    }
    /// Sets columns by a block that needs the metadata. It is called again when the metadata were set or touched.
    public static func withMetadataBlock(_ block: @escaping MetadataBlock) -> Self {
        withOptions([.ifMetadataModified, .ifMetadataTouched], metadataBlock: block)
    }
    /// Sets columns by a block that needs object and metadata. It is called again after every change of the row.
    public static func withRowBlock(_ block: @escaping RowBlock) -> Self {
        withOptions(.any, rowBlock: block)
    }

    /// Sets columns by a block that needs the key and is called again as `options` say.
    public static func withOptions(_ options: YapDatabaseBlockInvoke, keyBlock: @escaping KeyBlock) -> Self {
        Self(handler: .withOptions(options, keyBlock: { try keyBlock(&$1, $2, $3) }))
    }
    /// Sets columns by a block that needs the object and is called again as `options` say.
    public static func withOptions(_ options: YapDatabaseBlockInvoke, objectBlock: @escaping ObjectBlock) -> Self {
        Self(handler: .withOptions(options, objectBlock: { try objectBlock(&$1, $2, $3, $4) }))
    }
    /// Sets columns by a block that needs the metadata and is called again as `options` say.
    public static func withOptions(_ options: YapDatabaseBlockInvoke, metadataBlock: @escaping MetadataBlock) -> Self {
        Self(handler: .withOptions(options, metadataBlock: { try metadataBlock(&$1, $2, $3, $4) }))
    }
    /// Sets columns by a block that needs object and metadata and is called again as `options` say.
    public static func withOptions(_ options: YapDatabaseBlockInvoke, rowBlock: @escaping RowBlock) -> Self {
        Self(handler: .withOptions(options, rowBlock: { try rowBlock(&$1, $2, $3, $4, $5) }))
    }
}
