import Foundation

/// A transaction's access to a ``YapDatabaseFullTextSearch``.
///
/// A search is a text in the language of SQLite's `MATCH`: words, `"phrases"`, `beginnings*`, `column:word`, `AND`, `OR`, `NOT`.
/// All functions throw ``YapDatabaseError`` with code `badQuery`, and name the place, if it is wrong. In a read-write
/// transaction a closure may write.
public final class YapDatabaseFullTextSearchTransaction: YapDatabaseColumnTransaction, TransactionHooks {
    private let search: YapDatabaseFullTextSearch
    private var knownModule: String?

    init(search: YapDatabaseFullTextSearch, name: String, transaction: YapDatabaseReadTransaction) {
        self.search = search
        super.init(index: search, name: name, transaction: transaction)
    }

    // MARK: Registering

    override func hasTable() throws -> Bool {
        try search.layouts.contains { try transaction.store.hasTable($0, extension: name) }
    }

    override func createTable() throws {
        try super.createTable()
        guard case .fullText(let module, _) = table.layout.kind else { return }
        try transaction.store.setYapValue(.text(module), extension: name, key: "ftsVersion")
    }

    // MARK: Searching

    /// The module that stores the table of the file.
    func module() throws -> String {
        if let knownModule { return knownModule }
        guard let found = try transaction.store.fullTextModule(extension: name) else {
            throw YapDatabaseError(
                .corrupt,
                "The full-text search \"\(name)\" has no table of its own. Register it with another version tag to fill it again; "
                    + "nothing is lost.")
        }
        knownModule = found
        return found
    }

    /// Returns the query for what a person typed, in the language of the module that stores the table, for all functions that take one.
    ///
    /// ```swift
    /// let query = try search.query(for: .prefixes(of: "o'br"))
    /// try search.iterateKeys(matching: query) { collection, key, stop in print(key) }
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func query(for text: YapSearchText) throws -> String {
        let module = try module()
        var options: [String] = []
        if case .fullText(_, let given) = search.layout.kind { options = given }
        return text.query(module: module, options: options, search.tokenizer)
    }

    func cursor(_ text: String, rowid: Int64? = nil) throws -> IndexCursor {
        try transaction.store.search(text, in: table, module: "", .rowids, rowid: rowid)
    }

    func cursor(
        _ text: String, _ options: YapDatabaseFullTextSearchSnippetOptions?, rowid: Int64? = nil
    ) throws -> IndexCursor {
        let module = try module()
        let options = options ?? YapDatabaseFullTextSearchSnippetOptions()
        let form = options.form(columns: search.columnNames, module: module)
        return try transaction.store.search(text, in: table, module: module, .snippets(form), rowid: rowid)
    }

    func cursor(_ text: String, weights: [Double]?) throws -> IndexCursor {
        let module = try module()
        guard module == "fts5" else {
            throw YapDatabaseError(
                .badQuery,
                "Only FTS5 orders by rank, and the table of \"\(name)\" is one of \(module.uppercased()). Register the search with "
                    + "`ftsVersion: YapDatabaseFullTextSearchFTS5Version`.")
        }
        let weights = Array((weights ?? []).prefix(search.columnNames.count))
        return try transaction.store.search(text, in: table, module: module, .byRank(weights: weights))
    }
}

/// Searches for rows, in the order of their rowids.
extension YapDatabaseFullTextSearchTransaction: YapDatabaseRowFinder {
    /// Finds the rows that match a search, such as `board meet* author:anna`, in the order of their rowids.
    ///
    /// ```swift
    /// try search.iterateKeys(matching: "board meet*") { collection, key, stop in print(key) }
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `badQuery` if the search is wrong.
    public func find(_ query: String) throws -> YapDatabaseFoundRows { YapDatabaseFoundRows(self, try cursor(query)) }
}

/// Searches for rows, the best matches first. Needs FTS5.
///
/// The weights say how much a match in each column counts, in the order of the columns; 1 for those without a weight.
extension YapDatabaseFullTextSearchTransaction {
    /// Calls `block` for the keys of the rows that match, until it sets `stop`.
    ///
    /// ```swift
    /// // A match in the first column counts twice.
    /// try search.enumerateBm25OrderedKeys(matching: "meeting", withWeights: [2]) { collection, key, stop in print(key) }
    /// ```
    ///
    /// - Parameters:
    ///   - query: the search, such as `board meet* author:anna`.
    ///   - weights: how much a match in each column counts; nil for 1.
    ///   - block: called for each row that is found, on the thread of the transaction; sets `stop` to end.
    /// - Throws: what the block throws; ``YapDatabaseError`` with code `badQuery` if the search is wrong, or the table is not one of
    ///   FTS5; `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func enumerateBm25OrderedKeys(
        matching query: String, withWeights weights: [Double]? = nil,
        using block: (_ collection: String, _ key: String, _ stop: inout Bool) throws -> Void
    ) throws {
        try ranked(query, weights).forEachKey(block)
    }

    /// Calls `block` for keys and metadata of the rows that match, the best first, until it sets `stop`.
    /// - Parameters:
    ///   - query: the search, such as `board meet* author:anna`.
    ///   - weights: how much a match in each column counts; nil for 1.
    ///   - block: called for each row that is found, on the thread of the transaction; sets `stop` to end.
    /// - Throws: what the block throws; ``YapDatabaseError`` with code `badQuery` if the search is wrong, or the table is not one of
    ///   FTS5; `decodingFailed` if a value cannot be decoded; `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func enumerateBm25OrderedKeysAndMetadata(
        matching query: String, withWeights weights: [Double]? = nil,
        using block: (_ collection: String, _ key: String, _ metadata: Any?, _ stop: inout Bool) throws -> Void
    ) throws {
        try ranked(query, weights).forEachKeyAndMetadata(block)
    }

    /// Calls `block` for keys and objects of the rows that match, the best first, until it sets `stop`.
    /// - Parameters:
    ///   - query: the search, such as `board meet* author:anna`.
    ///   - weights: how much a match in each column counts; nil for 1.
    ///   - block: called for each row that is found, on the thread of the transaction; sets `stop` to end.
    /// - Throws: what the block throws; ``YapDatabaseError`` with code `badQuery` if the search is wrong, or the table is not one of
    ///   FTS5; `decodingFailed` if a value cannot be decoded; `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func enumerateBm25OrderedKeysAndObjects(
        matching query: String, withWeights weights: [Double]? = nil,
        using block: (_ collection: String, _ key: String, _ object: Any, _ stop: inout Bool) throws -> Void
    ) throws {
        try ranked(query, weights).forEachKeyAndObject(block)
    }

    /// Calls `block` for keys, objects and metadata of the rows that match, the best first, until it sets `stop`.
    /// - Parameters:
    ///   - query: the search, such as `board meet* author:anna`.
    ///   - weights: how much a match in each column counts; nil for 1.
    ///   - block: called for each row that is found, on the thread of the transaction; sets `stop` to end.
    /// - Throws: what the block throws; ``YapDatabaseError`` with code `badQuery` if the search is wrong, or the table is not one of
    ///   FTS5; `decodingFailed` if a value cannot be decoded; `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func enumerateBm25OrderedRows(
        matching query: String, withWeights weights: [Double]? = nil,
        using block: (
            _ collection: String, _ key: String, _ object: Any, _ metadata: Any?, _ stop: inout Bool
        ) throws -> Void
    ) throws {
        try ranked(query, weights).forEachRow(block)
    }

    private func ranked(_ query: String, _ weights: [Double]?) throws -> YapDatabaseFoundRows {
        YapDatabaseFoundRows(self, try cursor(query, weights: weights))
    }
}
