/// Options of a secondary index, which copies them when it is created.
public final class YapDatabaseSecondaryIndexOptions {
    /// The collections whose rows the index may have; nil for all. Rows of others are skipped without calling a block.
    public var allowedCollections: YapWhitelistBlacklist?

    /// Creates options for all collections.
    public init() {}
}

/// Columns for rows that SQL queries can search: a table in the file with an index for each column.
///
/// ```swift
/// let setup = YapDatabaseSecondaryIndexSetup()
/// setup.addColumn("age", with: .integer)
/// let index = YapDatabaseSecondaryIndex(setup: setup, handler: handler, versionTag: "1")
/// try database.register(index, withName: "people")
///
/// try connection.read { transaction in
///     let index = transaction.ext("people") as! YapDatabaseSecondaryIndexTransaction
///     let query = YapDatabaseQuery(string: "WHERE age >= ?", parameters: [62])
///     try index.iterateKeysAndObjects(matching: query) { collection, key, object, stop in print(key, object) }
/// }
/// ```
///
/// The first registration fills the index. A later one with the same `versionTag` and columns reads no row and calls no block.
public final class YapDatabaseSecondaryIndex: YapDatabaseColumnExtension, ExtensionHooks, @unchecked Sendable {
    // @unchecked: as for YapDatabaseColumnExtension.

    /// Sets the columns of a row.
    public var handler: YapDatabaseColumnHandler { columnHandler }

    /// The properties that the columns stand for, if the index was declared by key paths.
    let declaration: IndexDeclaration?

    /// - Parameter versionTag: change it whenever the setup or the handler changes.
    public convenience init(
        setup: YapDatabaseSecondaryIndexSetup, handler: YapDatabaseColumnHandler, versionTag: String = "",
        options: YapDatabaseSecondaryIndexOptions? = nil
    ) {
        self.init(
            setup: setup, handler: handler, fields: nil, indexes: nil, versionTag: versionTag, options: options,
            declaration: nil)
    }

    init(
        setup: YapDatabaseSecondaryIndexSetup, handler: YapDatabaseColumnHandler, fields: FieldColumns?,
        indexes: [[String]]?, versionTag: String, options: YapDatabaseSecondaryIndexOptions?,
        declaration: IndexDeclaration?
    ) {
        self.declaration = declaration
        super.init(
            className: "YapDatabaseSecondaryIndex",
            layout: IndexLayout(
                .secondaryIndex(types: setup.columns.map(\.type.rawValue)), columns: setup.columnNames(),
                indexes: indexes),
            handler: handler, fields: fields, versionTag: versionTag,
            allowedCollections: options?.allowedCollections)
    }

    package func makeTransaction(
        name: String, transaction: YapDatabaseReadTransaction, state: (any ExtensionState)?
    ) -> any TransactionHooks {
        YapDatabaseSecondaryIndexTransaction(index: self, name: name, transaction: transaction)
    }

    package func makeConnection(
        name: String, connection: YapDatabaseConnection
    ) -> YapDatabaseExtensionConnection {
        YapDatabaseSecondaryIndexConnection(name: name, connection: connection)
    }
}
