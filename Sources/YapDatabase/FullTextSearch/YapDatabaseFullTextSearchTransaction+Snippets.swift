/// Searches for rows with the part of each row's text that matches best. Without options the defaults apply.
extension YapDatabaseFullTextSearchTransaction {
    /// Calls `block` for the snippets and keys of the rows that match, until it sets `stop`.
    ///
    /// ```swift
    /// let options = YapDatabaseFullTextSearchSnippetOptions()
    /// options.numberOfTokens = 8
    /// try search.enumerateKeys(matching: "meeting", with: options) { snippet, collection, key, stop in print(key, snippet) }
    /// ```
    ///
    /// - Parameters:
    ///   - query: the search, such as `board meet* author:anna`.
    ///   - options: how snippets are cut and marked; nil for the defaults.
    ///   - block: called for each row that is found, on the thread of the transaction; sets `stop` to end.
    /// - Throws: what the block throws; ``YapDatabaseError`` with code `badQuery` if the search is wrong; `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    public func enumerateKeys(
        matching query: String, with options: YapDatabaseFullTextSearchSnippetOptions?,
        using block: (_ snippet: String, _ collection: String, _ key: String, _ stop: inout Bool) throws -> Void
    ) throws {
        try forEachKey(cursor(query, options), hasSnippets: true) {
            try block($0, $1.collection, $1.key, &$2)
        }
    }

    /// Calls `block` for snippets, keys and metadata of the rows that match, until it sets `stop`.
    /// - Parameters:
    ///   - query: the search, such as `board meet* author:anna`.
    ///   - options: how snippets are cut and marked; nil for the defaults.
    ///   - block: called for each row that is found, on the thread of the transaction; sets `stop` to end.
    /// - Throws: what the block throws; ``YapDatabaseError`` with code `badQuery` if the search is wrong; `decodingFailed` if a value
    ///   cannot be decoded; `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func enumerateKeysAndMetadata(
        matching query: String, with options: YapDatabaseFullTextSearchSnippetOptions?,
        using block: (
            _ snippet: String, _ collection: String, _ key: String, _ metadata: Any?, _ stop: inout Bool
        ) throws -> Void
    ) throws {
        try forEachRow(cursor(query, options), .metadata, hasSnippets: true) {
            try block($0, $1.key.collection, $1.key.key, $1.metadata, &$2)
        }
    }

    /// Calls `block` for snippets, keys and objects of the rows that match, until it sets `stop`.
    /// - Parameters:
    ///   - query: the search, such as `board meet* author:anna`.
    ///   - options: how snippets are cut and marked; nil for the defaults.
    ///   - block: called for each row that is found, on the thread of the transaction; sets `stop` to end.
    /// - Throws: what the block throws; ``YapDatabaseError`` with code `badQuery` if the search is wrong; `decodingFailed` if a value
    ///   cannot be decoded; `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func enumerateKeysAndObjects(
        matching query: String, with options: YapDatabaseFullTextSearchSnippetOptions?,
        using block: (
            _ snippet: String, _ collection: String, _ key: String, _ object: Any, _ stop: inout Bool
        ) throws -> Void
    ) throws {
        try forEachRow(cursor(query, options), .object, hasSnippets: true) {
            try block($0, $1.key.collection, $1.key.key, $1.object!, &$2)
        }
    }

    /// Calls `block` for snippets, keys, objects and metadata of the rows that match, until it sets `stop`.
    /// - Parameters:
    ///   - query: the search, such as `board meet* author:anna`.
    ///   - options: how snippets are cut and marked; nil for the defaults.
    ///   - block: called for each row that is found, on the thread of the transaction; sets `stop` to end.
    /// - Throws: what the block throws; ``YapDatabaseError`` with code `badQuery` if the search is wrong; `decodingFailed` if a value
    ///   cannot be decoded; `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func enumerateRows(
        matching query: String, with options: YapDatabaseFullTextSearchSnippetOptions?,
        using block: (
            _ snippet: String, _ collection: String, _ key: String, _ object: Any, _ metadata: Any?, _ stop: inout Bool
        ) throws -> Void
    ) throws {
        try forEachRow(cursor(query, options), [.object, .metadata], hasSnippets: true) {
            try block($0, $1.key.collection, $1.key.key, $1.object!, $1.metadata, &$2)
        }
    }
}

/// How a snippet, the part of a row's text that matches a search best, is cut and marked.
///
/// A class, because programs of the original set the properties of a `let`.
public final class YapDatabaseFullTextSearchSnippetOptions {
    /// What is put before a word that matches, unless set.
    public static let defaultStartMatchText = "<b>"
    /// What is put after a word that matches, unless set.
    public static let defaultEndMatchText = "</b>"
    /// What is put where text is left out, unless set.
    public static let defaultEllipsesText = "..."
    /// The most words of a snippet, unless set.
    public static let defaultNumberOfTokens = 15

    /// What is put before a word that matches.
    public var startMatchText = defaultStartMatchText
    /// What is put after it.
    public var endMatchText = defaultEndMatchText
    /// What is put where text is left out.
    public var ellipsesText = defaultEllipsesText
    /// The column to take the snippet from; nil, or an unknown name, for the one that matches best.
    public var columnName: String?
    /// The most words of a snippet, 1 to 64. In FTS3 and FTS4 a negative number is for each part of a snippet.
    public var numberOfTokens = defaultNumberOfTokens

    /// Creates options with the defaults.
    public init() {}

    func copy() -> YapDatabaseFullTextSearchSnippetOptions {
        let copy = YapDatabaseFullTextSearchSnippetOptions()
        copy.startMatchText = startMatchText
        copy.endMatchText = endMatchText
        copy.ellipsesText = ellipsesText
        copy.columnName = columnName
        copy.numberOfTokens = numberOfTokens
        return copy
    }

    func form(columns: [String], module: String) -> SnippetForm {
        let tokens = numberOfTokens == 0 ? 1 : min(64, max(module == "fts5" ? 1 : -64, numberOfTokens))
        return SnippetForm(
            start: startMatchText, end: endMatchText, ellipsis: ellipsesText,
            column: columnName.flatMap { columns.firstIndex(of: $0) } ?? -1, tokens: tokens)
    }
}
