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
    public typealias KeyBlock = @Sendable (inout [String: Any], String, String) throws -> Void
    public typealias ObjectBlock = @Sendable (inout [String: Any], String, String, Any) throws -> Void
    public typealias MetadataBlock = @Sendable (inout [String: Any], String, String, Any?) throws -> Void
    public typealias RowBlock = @Sendable (inout [String: Any], String, String, Any, Any?) throws -> Void

    let handler: YapDatabaseColumnHandler

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
        Self(handler: .withOptions(options, keyBlock: { try keyBlock(&$1, $2, $3) }))
    }
    public static func withOptions(_ options: YapDatabaseBlockInvoke, objectBlock: @escaping ObjectBlock) -> Self {
        Self(handler: .withOptions(options, objectBlock: { try objectBlock(&$1, $2, $3, $4) }))
    }
    public static func withOptions(_ options: YapDatabaseBlockInvoke, metadataBlock: @escaping MetadataBlock) -> Self {
        Self(handler: .withOptions(options, metadataBlock: { try metadataBlock(&$1, $2, $3, $4) }))
    }
    public static func withOptions(_ options: YapDatabaseBlockInvoke, rowBlock: @escaping RowBlock) -> Self {
        Self(handler: .withOptions(options, rowBlock: { try rowBlock(&$1, $2, $3, $4, $5) }))
    }
}
