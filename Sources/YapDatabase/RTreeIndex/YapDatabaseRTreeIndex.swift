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
public final class YapDatabaseRTreeIndex: YapDatabaseColumnExtension, @unchecked Sendable {
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

    override func makeTransaction(
        name: String, transaction: YapDatabaseReadTransaction, state: (any ExtensionState)?
    ) -> YapDatabaseExtensionTransaction {
        YapDatabaseRTreeIndexTransaction(index: self, name: name, transaction: transaction)
    }
}

/// A transaction's access to a ``YapDatabaseRTreeIndex``.
public final class YapDatabaseRTreeIndexTransaction: YapDatabaseQueryTransaction {}
