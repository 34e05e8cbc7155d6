import ListChanges

/// The columns of an R-tree: pairs of a least and a greatest value.
///
/// A class, because programs of the original change a `let`.
public final class YapDatabaseRTreeIndexSetup {
    private(set) var columns: [String] = []

    /// Creates a setup without columns.
    public init() {}

    /// - Parameter capacity: the expected number of columns.
    public init(capacity: Int) { columns.reserveCapacity(capacity) }

    /// Sets the names of the columns: for each dimension that of the least value, then that of the greatest, such as
    /// `["minX", "maxX", "minY", "maxY"]`.
    /// - Precondition: two to ten names, in pairs, each of which a column may have.
    public func setColumns(_ columnNames: [String]) {
        require(
            (2...10).contains(columnNames.count) && columnNames.count.isMultiple(of: 2),
            "An R-tree has two to ten columns, in pairs; \(columnNames) are \(columnNames.count).")
        columns = []
        for name in columnNames {
            requireColumnName(name, others: columns)
            columns.append(name)
        }
    }

    /// The number of columns.
    public var count: Int { columns.count }

    /// Returns the names of the columns, in order.
    public func columnNames() -> [String] { columns }
}

/// Options of an R-tree index, which copies them when it is created.
public final class YapDatabaseRTreeIndexOptions {
    /// The collections whose rows the index may have; nil for all. Rows of others are skipped without calling a block.
    public var allowedCollections: YapWhitelistBlacklist?

    /// Creates options for all collections.
    public init() {}
}

/// Ranges of numbers for rows, in up to five dimensions, which queries search quickly: SQLite's R-tree.
///
/// ```swift
/// let query = YapDatabaseQuery(string: "WHERE minX >= ? AND maxX <= ?", parameters: [1, 10])
/// ```
///
/// SQLite stores the values as 32-bit floating-point numbers: it rounds the least value down and the greatest up.
public final class YapDatabaseRTreeIndex: YapDatabaseColumnExtension, ExtensionHooks, @unchecked Sendable {
    // @unchecked: as for YapDatabaseColumnExtension.

    /// Sets the columns of a row.
    public let handler: YapDatabaseRTreeIndexHandler

    /// - Parameter versionTag: change it whenever the setup or the handler changes.
    /// - Precondition: the setup has columns.
    public init(
        setup: YapDatabaseRTreeIndexSetup, handler: YapDatabaseRTreeIndexHandler, versionTag: String = "",
        options: YapDatabaseRTreeIndexOptions? = nil
    ) {
        require(setup.count > 0, "An R-tree needs columns: call `setColumns`.")
        self.handler = handler
        super.init(
            className: "YapDatabaseRTreeIndex", layout: IndexLayout(.rTree, columns: setup.columns),
            handler: handler.handler, versionTag: versionTag, allowedCollections: options?.allowedCollections)
    }

    package func makeTransaction(
        name: String, transaction: YapDatabaseReadTransaction, state: (any ExtensionState)?
    ) -> any TransactionHooks {
        YapDatabaseRTreeIndexTransaction(index: self, name: name, transaction: transaction)
    }
}

/// A transaction's access to a ``YapDatabaseRTreeIndex``.
public final class YapDatabaseRTreeIndexTransaction: YapDatabaseQueryTransaction, TransactionHooks {}

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
    /// - Parameters:
    ///   - options: when the block is called again for a row.
    ///   - keyBlock: receives the key.
    public static func withOptions(_ options: YapDatabaseBlockInvoke, keyBlock: @escaping KeyBlock) -> Self {
        Self(handler: .withOptions(options, keyBlock: { try keyBlock(&$1, $2, $3) }))
    }
    /// Sets columns by a block that needs the object and is called again as `options` say.
    /// - Parameters:
    ///   - options: when the block is called again for a row.
    ///   - objectBlock: receives key and object.
    public static func withOptions(_ options: YapDatabaseBlockInvoke, objectBlock: @escaping ObjectBlock) -> Self {
        Self(handler: .withOptions(options, objectBlock: { try objectBlock(&$1, $2, $3, $4) }))
    }
    /// Sets columns by a block that needs the metadata and is called again as `options` say.
    /// - Parameters:
    ///   - options: when the block is called again for a row.
    ///   - metadataBlock: receives key and metadata.
    public static func withOptions(_ options: YapDatabaseBlockInvoke, metadataBlock: @escaping MetadataBlock) -> Self {
        Self(handler: .withOptions(options, metadataBlock: { try metadataBlock(&$1, $2, $3, $4) }))
    }
    /// Sets columns by a block that needs object and metadata and is called again as `options` say.
    /// - Parameters:
    ///   - options: when the block is called again for a row.
    ///   - rowBlock: receives key, object and metadata.
    public static func withOptions(_ options: YapDatabaseBlockInvoke, rowBlock: @escaping RowBlock) -> Self {
        Self(handler: .withOptions(options, rowBlock: { try rowBlock(&$1, $2, $3, $4, $5) }))
    }
}
