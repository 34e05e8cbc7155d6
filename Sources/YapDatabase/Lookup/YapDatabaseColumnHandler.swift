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
///
/// A block runs on the thread of the transaction that writes the row, and on threads of the library while the index is filled or brought
/// up to date.
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
    /// - Parameters:
    ///   - options: when the block is called again for a row.
    ///   - keyBlock: receives the key.
    public static func withOptions(_ options: YapDatabaseBlockInvoke, keyBlock: @escaping KeyBlock) -> Self {
        Self(needs: [], invoke: options) { try keyBlock($0, &$1, $2.key.collection, $2.key.key) }
    }
    /// Sets columns by a block that needs the object and is called again as `options` say.
    /// - Parameters:
    ///   - options: when the block is called again for a row.
    ///   - objectBlock: receives key and object.
    public static func withOptions(_ options: YapDatabaseBlockInvoke, objectBlock: @escaping ObjectBlock) -> Self {
        Self(needs: .object, invoke: options) { try objectBlock($0, &$1, $2.key.collection, $2.key.key, $2.object) }
    }
    /// Sets columns by a block that needs the metadata and is called again as `options` say.
    /// - Parameters:
    ///   - options: when the block is called again for a row.
    ///   - metadataBlock: receives key and metadata.
    public static func withOptions(_ options: YapDatabaseBlockInvoke, metadataBlock: @escaping MetadataBlock) -> Self {
        Self(needs: .metadata, invoke: options) {
            try metadataBlock($0, &$1, $2.key.collection, $2.key.key, $2.metadata)
        }
    }
    /// Sets columns by a block that needs object and metadata and is called again as `options` say.
    /// - Parameters:
    ///   - options: when the block is called again for a row.
    ///   - rowBlock: receives key, object and metadata.
    public static func withOptions(_ options: YapDatabaseBlockInvoke, rowBlock: @escaping RowBlock) -> Self {
        Self(needs: [.object, .metadata], invoke: options) {
            try rowBlock($0, &$1, $2.key.collection, $2.key.key, $2.object, $2.metadata)
        }
    }
}

/// An extension that stores columns for rows, which a handler sets: the base class of ``YapDatabaseSecondaryIndex``,
/// ``YapDatabaseFullTextSearch`` and ``YapDatabaseRTreeIndex``.
///
/// Its table is in the file, so every transaction reads the table as it is in the transaction's snapshot. The extension has no state in memory.
public class YapDatabaseColumnExtension: YapDatabaseExtension, @unchecked Sendable {
    // @unchecked: all properties are `let`.

    let layout: IndexLayout
    let columnHandler: YapDatabaseColumnHandler
    /// The columns as a declaration by fields; nil if a block sets them.
    let fields: FieldColumns?
    let allowed: YapWhitelistBlacklist?
    private let tag: String

    init(
        className: String, layout: IndexLayout, handler: YapDatabaseColumnHandler, fields: FieldColumns? = nil,
        versionTag: String, allowedCollections: YapWhitelistBlacklist?
    ) {
        self.layout = layout
        columnHandler = handler
        self.fields = fields
        tag = versionTag
        allowed = allowedCollections
        super.init(className: className, classVersion: 1)
    }

    /// Changes when the columns or the handler change; another tag fills the table again.
    public var versionTag: String { tag }

    package var collections: YapWhitelistBlacklist? { allowed }

    package var recovery: ExtensionRecovery { .writing }
}
