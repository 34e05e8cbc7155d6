import ListChanges

/// Texts of a collection's values that can be searched for words.
///
/// ```swift
/// let texts = YapTextIndex("texts", of: messages, on: \.text, \.author)
/// try database.register(texts)
/// let found = try transaction[texts].values(matching: "swift* list")     // the best first
/// ```
///
/// It is a ``YapDatabaseFullTextSearch`` whose columns have the names of the properties.
public struct YapTextIndex<Value: Codable & Sendable, Key: YapKey, Metadata: Codable & Sendable>: YapDeclaration {
    public let name: String
    /// The collection whose texts are searched.
    public let collection: YapCollection<Value, Key, Metadata>
    /// Changes whenever the properties change.
    public let versionTag: String
    private let columns: [FieldColumn<Value>]
    private let tokenizer: YapTokenizer

    /// - Parameters:
    ///   - name: the name of the index, unique in the file.
    ///   - collection: the collection whose texts are searched.
    ///   - first: a stored property with a text, also an optional one.
    ///   - others: more of them.
    ///   - tokenizer: how words are found in the texts.
    public init<First: YapText, each Other: YapText>(
        _ name: String, of collection: YapCollection<Value, Key, Metadata>,
        on first: KeyPath<Value, First> & Sendable, _ others: repeat KeyPath<Value, each Other> & Sendable,
        tokenizer: YapTokenizer = .words
    ) {
        var columns = [Self.column(first, tokenizer)]
        for other in repeat each others { columns.append(Self.column(other, tokenizer)) }
        self.tokenizer = tokenizer
        self.name = name
        self.collection = collection
        self.columns = columns
        versionTag =
            collection.name + columns.map { " | \($0.name)" }.joined()
            + (tokenizer.name.isEmpty ? "" : " | tokenizer: \(tokenizer.name)")
    }

    private static func column<Text: YapText>(
        _ path: KeyPath<Value, Text> & Sendable, _ tokenizer: YapTokenizer
    ) -> FieldColumn<Value> {
        FieldColumn(
            path, for: "A search", handled: { $0.searchedText.map(tokenizer.prepared) },
            stored: { $0.searchedText.map { .text(tokenizer.prepared($0)) } ?? .null })
    }

    public func use(in database: YapDatabase) { collection.use(in: database) }

    public func makeExtension() -> YapDatabaseExtension {
        let columns = columns
        return YapDatabaseFullTextSearch(
            columnNames: columns.map(\.name), options: tokenizer.option.map { ["tokenize": $0] },
            handler: .withObjectBlock { _, texts, collection, key, object in
                let value: Value = try cast(object, "object", RowKey(collection: collection, key: key))
                for column in columns { texts[column.name] = column.handled(value) }
            }, fields: FieldColumns(columns, in: collection.name, keepsEmptyRows: false),
            ftsVersion: tokenizer.option == nil ? nil : YapDatabaseFullTextSearchFTS5Version, versionTag: versionTag,
            allowedCollections: YapWhitelistBlacklist(whitelist: [collection.name]), tokenizer: tokenizer)
    }
}

/// A property that a ``YapTextIndex`` can search: a text, or an optional one.
public protocol YapText: Sendable {
    /// The text; nil for none.
    var searchedText: String? { get }
}

extension String: YapText {
    /// The text itself.
    public var searchedText: String? { self }
}

extension Optional: YapText where Wrapped == String {
    /// The text itself; nil for none.
    public var searchedText: String? { self }
}

/// One transaction's access to a ``YapTextIndex``: `transaction[texts]`. Valid as long as the transaction.
///
/// Functions throw ``YapDatabaseError`` with code `badQuery`, and name the place, if the query is not one of FTS5.
public struct YapTextMatches<Value: Codable & Sendable, Key: YapKey, Metadata: Codable & Sendable> {
    /// The declaration of the index.
    public let index: YapTextIndex<Value, Key, Metadata>
    /// The same access without types.
    public let search: YapDatabaseFullTextSearchTransaction

    /// Returns the values that match what a person typed, the best matches first. No such text is a wrong query.
    ///
    /// ```swift
    /// let found = try transaction[texts].values(matching: .prefixes(of: "o'br"), limit: 20)
    /// ```
    ///
    /// - Parameters:
    ///   - text: ``YapSearchText/words(in:)``, ``YapSearchText/prefixes(of:)`` or ``YapSearchText/phrase(_:)``.
    ///   - limit: the most values; nil for all.
    /// - Throws: ``YapDatabaseError`` with code `badQuery` only for ``YapSearchText/query(_:)``; `corrupt`, `inputOutput` or `interrupted` if
    ///   the file cannot be read.
    public func values(matching text: YapSearchText, limit: Int? = nil) throws -> [Value] {
        try values(matching: search.query(for: text), limit: limit)
    }

    /// Returns the values that have all words of a text that a person typed, the best matches first.
    ///
    /// ```swift
    /// let found = try transaction[texts].values(matchingWordsIn: "a-b \"c")
    /// ```
    ///
    /// - Parameters:
    ///   - text: what was typed.
    ///   - limit: the most values; nil for all.
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func values(matchingWordsIn text: String, limit: Int? = nil) throws -> [Value] {
        try values(matching: .words(in: text), limit: limit)
    }

    /// Returns the keys of the rows that match what a person typed, the best first. Reads no row.
    ///
    /// ```swift
    /// let keys = try transaction[texts].keys(matching: .phrase("white whale"))
    /// ```
    ///
    /// - Throws: as `values(matching:limit:)`, and `decodingFailed` if a key cannot be decoded.
    public func keys(matching text: YapSearchText) throws -> [Key] { try keys(matching: search.query(for: text)) }

    /// Returns the values that match a query, the best matches first. One that cannot be decoded, which another program put into the index,
    /// is left out and reported.
    ///
    /// ```swift
    /// let best = try transaction[texts].values(matching: "swift* list", limit: 20)
    /// ```
    ///
    /// - Parameters:
    ///   - query: words, all of which must be there; `word*`, `"two words"`, `a OR b`, `title: word`.
    ///   - limit: the most values; nil for all.
    /// - Throws: ``YapDatabaseError`` with code `badQuery` if the query is not one of FTS5; `corrupt`, `inputOutput` or `interrupted` if
    ///   the file cannot be read.
    public func values(matching query: String, limit: Int? = nil) throws -> [Value] {
        var values: [Value] = []
        guard limit.map({ $0 > 0 }) ?? true else { return [] }
        try search.forEachRow(search.cursor(query, weights: nil), .object, passesOver: true) { _, row, stop in
            values.append(try cast(row.object!, "object", row.key))
            stop = values.count == limit
        }
        return values
    }

    /// Returns the keys of the rows that match, the best first. Reads no row.
    ///
    /// ```swift
    /// let keys = try transaction[texts].keys(matching: "dun*")
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `badQuery` if the query is not one of FTS5; `decodingFailed` if a key cannot be decoded;
    ///   `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func keys(matching query: String) throws -> [Key] {
        var keys: [Key] = []
        try search.enumerateBm25OrderedKeys(matching: query) { collection, key, _ in
            keys.append(try index.collection.key(of: RowKey(collection: collection, key: key)))
        }
        return keys
    }
}

extension YapTypedTransaction {
    /// The rows that a text search finds, with their types.
    ///
    /// - Throws: ``YapDatabaseError`` with `badExtension` if the search is not registered in this state of the database.
    public subscript<Value, Key, Metadata>(
        index: YapTextIndex<Value, Key, Metadata>
    ) -> YapTextMatches<Value, Key, Metadata> {
        get throws {
            index.collection.use(in: self)
            return YapTextMatches(
                index: index, search: try registered(index, as: YapDatabaseFullTextSearchTransaction.self))
        }
    }
}
