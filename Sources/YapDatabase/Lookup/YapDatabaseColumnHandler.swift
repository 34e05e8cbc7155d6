/// Sets the columns of an index for a row.
///
/// ```swift
/// let handler = YapDatabaseColumnHandler.withObjectBlock { transaction, dict, collection, key, object in
///     guard let person = object as? Person else { return }     // no column: the row is not in the index
///     dict["age"] = person.age
/// }
/// ```
///
/// Choose the kind of block that needs the least: rows are decoded only for blocks that need their content. A block must
/// give the same values for the same row every time. If it throws, the transaction that called it fails.
public struct YapDatabaseColumnHandler: Sendable {
    /// (transaction, columns, collection, key)
    public typealias KeyBlock =
        @Sendable (YapDatabaseReadTransaction, inout [String: Any], String, String) throws -> Void
    /// (transaction, columns, collection, key, object)
    public typealias ObjectBlock =
        @Sendable (YapDatabaseReadTransaction, inout [String: Any], String, String, Any) throws -> Void
    /// (transaction, columns, collection, key, metadata)
    public typealias MetadataBlock =
        @Sendable (YapDatabaseReadTransaction, inout [String: Any], String, String, Any?) throws -> Void
    /// (transaction, columns, collection, key, object, metadata)
    public typealias RowBlock =
        @Sendable (YapDatabaseReadTransaction, inout [String: Any], String, String, Any, Any?) throws -> Void

    let needs: RowNeeds
    let invoke: YapDatabaseBlockInvoke
    let fill: @Sendable (YapDatabaseReadTransaction, inout [String: Any], RowContent) throws -> Void

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
        Self(needs: [], invoke: options) { try keyBlock($0, &$1, $2.key.collection, $2.key.key) }
    }
    public static func withOptions(_ options: YapDatabaseBlockInvoke, objectBlock: @escaping ObjectBlock) -> Self {
        Self(needs: .object, invoke: options) { try objectBlock($0, &$1, $2.key.collection, $2.key.key, $2.object!) }
    }
    public static func withOptions(_ options: YapDatabaseBlockInvoke, metadataBlock: @escaping MetadataBlock) -> Self {
        Self(needs: .metadata, invoke: options) {
            try metadataBlock($0, &$1, $2.key.collection, $2.key.key, $2.metadata)
        }
    }
    public static func withOptions(_ options: YapDatabaseBlockInvoke, rowBlock: @escaping RowBlock) -> Self {
        Self(needs: [.object, .metadata], invoke: options) {
            try rowBlock($0, &$1, $2.key.collection, $2.key.key, $2.object!, $2.metadata)
        }
    }
}
