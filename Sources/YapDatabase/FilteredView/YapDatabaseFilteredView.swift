/// A view that holds the rows of another view that pass a filter, in the same groups and the same order.
///
/// ```swift
/// let filtered = YapDatabaseFilteredView(parentViewName: "order", filtering: filtering, versionTag: "1")
/// try database.register(filtered, withName: "inStock")
/// ```
///
/// The parent may be a view of any kind, also a filtered one; it must be registered first and stay as long. A view in the file
/// (the default) needs a parent in the file.
///
/// Apps may subclass it, for initializers of their own. After `setFiltering` a plain `YapDatabaseFilteredView` with the new block
/// stands in the place of a subclass's instance.
open class YapDatabaseFilteredView: YapDatabaseView, ExtensionHooks, @unchecked Sendable {
    // @unchecked: as for YapDatabaseView.

    /// The name under which the parent view is registered.
    public let parentViewName: String
    /// The block that decides which rows of the parent are in the view.
    public let filtering: YapDatabaseViewFiltering

    /// - Parameter versionTag: change it whenever the block changes, or anything that its answers depend on. The parent's tag need
    ///   not be part of it.
    public init(
        parentViewName: String, filtering: YapDatabaseViewFiltering, versionTag: String = "",
        options: YapDatabaseViewOptions? = nil
    ) {
        self.parentViewName = parentViewName
        self.filtering = filtering
        super.init(
            className: "YapDatabaseFilteredView", versionTag: versionTag, options: options?.value ?? YapViewOptions())
    }

    /// Creates a view with options that are a value, such as a constant of the program.
    ///
    /// - Parameters:
    ///   - parentViewName: the name under which the parent view is registered.
    ///   - filtering: decides which rows of the parent are in the view.
    ///   - versionTag: change it whenever the block changes.
    ///   - options: which rows the view may have, and whether it is stored.
    public convenience init(
        parentViewName: String, filtering: YapDatabaseViewFiltering, versionTag: String = "", options: YapViewOptions
    ) {
        self.init(
            parentViewName: parentViewName, filtering: filtering, versionTag: versionTag,
            options: YapDatabaseViewOptions(options))
    }

    package var dependencies: Set<String> { [parentViewName] }

    /// Returns the same view with another block.
    func filtered(by filtering: YapDatabaseViewFiltering, _ versionTag: String) -> YapDatabaseFilteredView {
        YapDatabaseFilteredView(
            parentViewName: parentViewName, filtering: filtering, versionTag: versionTag, options: settings)
    }

    package var recovery: ExtensionRecovery { .placing }

    package func makeTransaction(
        name: String, transaction: YapDatabaseReadTransaction, state: (any ExtensionState)?
    ) -> any TransactionHooks {
        YapDatabaseFilteredViewTransaction(
            view: self, name: name, transaction: transaction, state: state)
    }
}

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
///
/// A block runs on the thread of the transaction that writes the row, and on threads of the library while the view is filled or brought
/// up to date.
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
    /// Gives the filter's answer from a row's stored bytes; nil if the filter is a block.
    var declared: DeclaredFilter?
    let includes: @Sendable (YapDatabaseReadTransaction, String, RowContent) throws -> Bool

    /// Filters by a block that needs only the key. It is called once for a row.
    ///
    /// ```swift
    /// let filtering = YapDatabaseViewFiltering.withKeyBlock { transaction, group, collection, key in key.hasPrefix("a") }
    /// ```
    public static func withKeyBlock(_ block: @escaping KeyBlock) -> Self {
        withOptions(.onInsertOnly, keyBlock: block)
    }
    /// Filters by a block that needs the object. It is called again when the object was set or touched.
    ///
    /// ```swift
    /// let filtering = YapDatabaseViewFiltering.withObjectBlock { transaction, group, collection, key, object in
    ///     (object as? Book)?.isInStock == true
    /// }
    /// ```
    public static func withObjectBlock(_ block: @escaping ObjectBlock) -> Self {
        withOptions([.ifObjectModified, .ifObjectTouched], objectBlock: block)
    }
    /// Filters by a block that needs the metadata. It is called again when the metadata were set or touched.
    ///
    /// ```swift
    /// let filtering = YapDatabaseViewFiltering.withMetadataBlock { transaction, group, collection, key, metadata in
    ///     metadata is Date
    /// }
    /// ```
    public static func withMetadataBlock(_ block: @escaping MetadataBlock) -> Self {
        withOptions([.ifMetadataModified, .ifMetadataTouched], metadataBlock: block)
    }
    /// Filters by a block that needs object and metadata. It is called again after every change of the row.
    ///
    /// ```swift
    /// let filtering = YapDatabaseViewFiltering.withRowBlock { transaction, group, collection, key, object, metadata in
    ///     object is Book && metadata is Date
    /// }
    /// ```
    public static func withRowBlock(_ block: @escaping RowBlock) -> Self {
        withOptions(.any, rowBlock: block)
    }

    /// Filters by a block that needs the key and is called again as `options` say.
    ///
    /// ```swift
    /// let filtering = YapDatabaseViewFiltering.withOptions(.ifMetadataTouched, keyBlock: { transaction, group, collection, key in
    ///     try transaction.hasObject(forKey: key, inCollection: "favourites")
    /// })
    /// ```
    ///
    /// - Parameters:
    ///   - options: when the block is called again for a row.
    ///   - keyBlock: receives the key.
    public static func withOptions(_ options: YapDatabaseBlockInvoke, keyBlock: @escaping KeyBlock) -> Self {
        Self(needs: [], invoke: options) { try keyBlock($0, $1, $2.key.collection, $2.key.key) }
    }
    /// Filters by a block that needs the object and is called again as `options` say.
    /// - Parameters:
    ///   - options: when the block is called again for a row.
    ///   - objectBlock: receives key and object.
    public static func withOptions(_ options: YapDatabaseBlockInvoke, objectBlock: @escaping ObjectBlock) -> Self {
        Self(needs: .object, invoke: options) { try objectBlock($0, $1, $2.key.collection, $2.key.key, $2.object) }
    }
    /// Filters by a block that needs the metadata and is called again as `options` say.
    /// - Parameters:
    ///   - options: when the block is called again for a row.
    ///   - metadataBlock: receives key and metadata.
    public static func withOptions(_ options: YapDatabaseBlockInvoke, metadataBlock: @escaping MetadataBlock) -> Self {
        Self(needs: .metadata, invoke: options) {
            try metadataBlock($0, $1, $2.key.collection, $2.key.key, $2.metadata)
        }
    }
    /// Filters by a block that needs object and metadata and is called again as `options` say.
    /// - Parameters:
    ///   - options: when the block is called again for a row.
    ///   - rowBlock: receives key, object and metadata.
    public static func withOptions(_ options: YapDatabaseBlockInvoke, rowBlock: @escaping RowBlock) -> Self {
        Self(needs: [.object, .metadata], invoke: options) {
            try rowBlock($0, $1, $2.key.collection, $2.key.key, $2.object, $2.metadata)
        }
    }
}

/// A filter that is declared over the values of one type.
struct DeclaredFilter: Sendable {
    /// Returns how stored bytes are asked; nil where the codings say that they are something else. The bytes need not outlive the call; those of
    /// a NULL column are nil.
    let byBytes: @Sendable (CodingTable) -> (@Sendable (UnsafeRawBufferPointer?, RowKey) throws -> Bool)?
    /// Throws `decodingFailed` for a row of another type than the filter asks.
    let check: @Sendable (RowContent) throws -> Void
    /// Whether every row that passes this filter passes another one, too.
    let implies: @Sendable (DeclaredFilter) -> Bool
    /// The rows that pass, where an index tells; nil where none does.
    let indexed: @Sendable (YapDatabaseReadTransaction) throws -> Set<Int64>?
    /// What it is made from, for ``implies``.
    let condition: any Sendable
}
