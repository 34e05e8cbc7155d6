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

    /// - Parameters:
    ///   - first: a stored property with a text, also an optional one.
    ///   - others: more of them.
    public init<First: YapText, each Other: YapText>(
        _ name: String, of collection: YapCollection<Value, Key, Metadata>,
        on first: KeyPath<Value, First> & Sendable, _ others: repeat KeyPath<Value, each Other> & Sendable
    ) {
        var columns = [Self.column(first)]
        for other in repeat each others { columns.append(Self.column(other)) }
        self.name = name
        self.collection = collection
        self.columns = columns
        versionTag = collection.name + columns.map { " | \($0.name)" }.joined()
    }

    private static func column<Text: YapText>(_ path: KeyPath<Value, Text> & Sendable) -> FieldColumn<Value> {
        FieldColumn(
            path, for: "A search", handled: { $0.searchedText }, stored: { $0.searchedText.map(SQLValue.text) ?? .null }
        )
    }

    public func use(in database: YapDatabase) { collection.use(in: database) }

    public func makeExtension() -> YapDatabaseExtension {
        let columns = columns
        return YapDatabaseFullTextSearch(
            columnNames: columns.map(\.name), options: nil,
            handler: .withObjectBlock { _, texts, collection, key, object in
                let value: Value = try cast(object, "object", RowKey(collection: collection, key: key))
                for column in columns { texts[column.name] = column.handled(value) }
            }, fields: FieldColumns(columns, in: collection.name, keepsEmptyRows: false), ftsVersion: nil,
            versionTag: versionTag, allowedCollections: YapWhitelistBlacklist(whitelist: [collection.name]))
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
            guard let search = ext(index.name) as? YapDatabaseFullTextSearchTransaction else {
                throw notRegistered(index)
            }
            return YapTextMatches(index: index, search: search)
        }
    }
}
