import ListChanges

/// SQLite's modules for full-text search. FTS5 orders by rank; FTS3 and FTS4 are those of older files.
public let YapDatabaseFullTextSearchFTS5Version = "fts5"
/// FTS4, the module of older files. It cannot order by rank.
public let YapDatabaseFullTextSearchFTS4Version = "fts4"
/// FTS3, the module of still older files. It cannot order by rank.
public let YapDatabaseFullTextSearchFTS3Version = "fts3"

/// Texts of rows that can be searched for words: one of SQLite's full-text tables in the file.
///
/// ```swift
/// let handler = YapDatabaseColumnHandler.withObjectBlock { _, dict, _, _, object in
///     guard let message = object as? Message else { return }
///     dict["author"] = message.author
///     dict["text"] = message.text
/// }
/// let search = YapDatabaseFullTextSearch(columnNames: ["author", "text"], handler: handler, versionTag: "1")
/// try database.register(search, withName: "fts")
///
/// try connection.read { transaction in
///     let search = transaction.ext("fts") as! YapDatabaseFullTextSearchTransaction
///     try search.iterateKeysAndObjects(matching: "board meeting") { collection, key, object, stop in
///         print(key, object)
///     }
/// }
/// ```
public final class YapDatabaseFullTextSearch: YapDatabaseColumnExtension, ExtensionHooks, @unchecked Sendable {
    // @unchecked: as for YapDatabaseColumnExtension.

    /// The module that was asked for; nil for that of the file, or FTS5 in a new one.
    public let ftsVersion: String?
    /// How a ``YapTextIndex`` has its words found.
    let tokenizer: YapTokenizer?
    /// The layouts that a file may have.
    let layouts: [IndexLayout]

    /// Sets the columns of a row.
    public var handler: YapDatabaseColumnHandler { columnHandler }

    /// The names of the columns.
    public var columnNames: [String] { layout.columns }

    /// - Parameters:
    ///   - options: of SQLite's module, such as `["tokenize": "porter"]`.
    ///   - ftsVersion: the module. Nil, the default, goes on with that of the file and takes FTS5 for a new table.
    ///   - versionTag: change it whenever the columns, the options or the handler change.
    ///   - allowedCollections: the collections whose rows may be found; nil for all.
    /// - Precondition: there is a column, and the names are those that columns can have.
    public convenience init(
        columnNames: [String], options: [String: String]? = nil, handler: YapDatabaseColumnHandler,
        ftsVersion: String? = nil, versionTag: String = "", allowedCollections: YapWhitelistBlacklist? = nil
    ) {
        self.init(
            columnNames: columnNames, options: options, handler: handler, fields: nil, ftsVersion: ftsVersion,
            versionTag: versionTag, allowedCollections: allowedCollections)
    }

    init(
        columnNames: [String], options: [String: String]?, handler: YapDatabaseColumnHandler, fields: FieldColumns?,
        ftsVersion: String?, versionTag: String, allowedCollections: YapWhitelistBlacklist?,
        tokenizer: YapTokenizer? = nil
    ) {
        self.tokenizer = tokenizer
        require(!columnNames.isEmpty, "A full-text search needs a column.")
        for (place, name) in columnNames.enumerated() {
            requireColumnName(name, others: Array(columnNames[..<place]))
        }
        let modules = ["fts5", "fts4", "fts3"]
        if let ftsVersion {
            require(modules.contains(ftsVersion), "\"\(ftsVersion)\" is no module of SQLite for full-text search.")
        }
        let settings = (options ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        self.ftsVersion = ftsVersion
        layouts = (ftsVersion.map { [$0] } ?? modules).map { module in
            IndexLayout(.fullText(module: module, options: settings), columns: columnNames)
        }
        super.init(
            className: "YapDatabaseFullTextSearch", layout: layouts[0], handler: handler, fields: fields,
            versionTag: versionTag, allowedCollections: allowedCollections)
    }

    package func makeTransaction(
        name: String, transaction: YapDatabaseReadTransaction, state: (any ExtensionState)?
    ) -> any TransactionHooks {
        YapDatabaseFullTextSearchTransaction(search: self, name: name, transaction: transaction)
    }
}
