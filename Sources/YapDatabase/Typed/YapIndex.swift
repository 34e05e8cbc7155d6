import Foundation
import ListChanges

/// Properties of a collection's values by which rows are found and ordered without reading the others.
///
/// ```swift
/// let prices = YapIndex("prices", of: books, on: \.price, \.year)
/// try database.register(prices)
/// let cheap = try transaction[books].where(\.price < 10).order(.ascending(\.year)).values()
/// ```
///
/// Each property is in order by itself. A query that asks for one property and orders by another sorts what it finds, unless both are in order
/// ``together(_:)``.
///
/// It is a ``YapDatabaseSecondaryIndex`` whose columns have the names of the properties. Queries need not name the index: they
/// take the first, by name, that has all properties of the query.
public struct YapIndex<Value: Codable & Sendable, Key: YapKey, Metadata: Codable & Sendable>: YapDeclaration {
    public let name: String
    /// The collection whose values the index has.
    public let collection: YapCollection<Value, Key, Metadata>
    /// Changes whenever the properties or their types change.
    public let versionTag: String
    private let columns: [TypedColumn]
    /// The columns of each index of SQLite, in the order in which it compares them.
    private let indexes: [[String]]

    /// The form is the part of the version tag that says how values are stored.
    private typealias TypedColumn = (column: FieldColumn<Value>, type: YapDatabaseSecondaryIndexType, form: String)

    /// - Parameter paths: stored properties, also of properties: `\.author.name` is the column `author.name`. They must not be
    ///   computed, because nothing tells when their answers change.
    public init<each Field: YapFieldValue>(
        _ name: String, of collection: YapCollection<Value, Key, Metadata>,
        on paths: repeat KeyPath<Value, each Field> & Sendable
    ) {
        var columns: [TypedColumn] = []
        for path in repeat each paths {
            columns.append(Self.column(path))
        }
        self.init(name, collection, columns, indexes: columns.map { [$0.column.name] })
    }

    private init(
        _ name: String, _ collection: YapCollection<Value, Key, Metadata>, _ columns: [TypedColumn], indexes: [[String]]
    ) {
        (self.name, self.collection, self.columns, self.indexes) = (name, collection, columns, indexes)
        let apart = columns.map { column in
            let isInOrder = indexes.contains { $0 == [column.column.name] }
            return " | \(column.column.name) \(column.form)" + (isInOrder ? "" : " without order")
        }
        let together = indexes.filter { $0.count > 1 }.map { " | \($0.joined(separator: " + "))" }
        versionTag = collection.name + (apart + together).joined()
    }

    /// This index with rows also in order of several properties: by the first, where that is equal by the second, and so on.
    ///
    /// A query that asks for values of the first ones and orders by the next reads only the rows that it returns: O(log n + limit), and sorts
    /// nothing. One that asks only for a property behind the first does not profit. Each such order costs a write about as much as a property.
    ///
    /// ```swift
    /// let shelf = YapIndex("shelf", of: books, on: \.price).together(\.genre, \.year)
    /// try database.register(shelf)
    /// let newest = try transaction[books].where(\.genre == "sci-fi").order(.descending(\.year)).limit(20).values()
    /// ```
    ///
    /// - Parameter paths: stored properties, at least two. The index also gets those that it did not have.
    /// - Returns: the index with this order; its version tag is another one.
    public func together<each Field: YapFieldValue>(_ paths: repeat KeyPath<Value, each Field> & Sendable) -> Self {
        var named: [TypedColumn] = []
        for path in repeat each paths {
            named.append(Self.column(path))
        }
        return together(named)
    }

    // A function of its own: Swift 6.3 cannot make a key path where there is a pack of types.
    private func together(_ named: [TypedColumn]) -> Self {
        let names = named.map(\.column.name)
        guard names.count > 1, Set(names).count == names.count else {
            fatalError("Name at least two properties of \(Value.self) that are in order together, and each once.")
        }
        let new = named.filter { column in !columns.contains { $0.column.name == column.column.name } }
        return Self(name, collection, columns + new, indexes: indexes + [names])
    }

    private static func column<Field: YapFieldValue>(_ path: KeyPath<Value, Field> & Sendable) -> TypedColumn {
        let column = FieldColumn(
            path, for: "An index", handled: Field.handledForm(), stored: Field.columnForm())
        return (column, Field.fieldType, Field.fieldType.rawValue + (Field.storesNaNAsText ? " or NaN" : ""))
    }

    public func use(in database: YapDatabase) { collection.use(in: database) }

    public func makeExtension() -> YapDatabaseExtension {
        let setup = YapDatabaseSecondaryIndexSetup(capacity: columns.count)
        for (column, type, _) in columns { setup.addColumn(column.name, with: type) }
        let options = YapDatabaseSecondaryIndexOptions()
        options.allowedCollections = YapWhitelistBlacklist(whitelist: [collection.name])
        let fieldColumns = columns.map(\.column)
        return YapDatabaseSecondaryIndex(
            setup: setup,
            handler: .withObjectBlock { _, values, collection, key, object in
                let value: Value = try cast(object, "object", RowKey(collection: collection, key: key))
                // A row without a single value is in the index too: it is missing everything.
                for column in fieldColumns { values[column.name] = column.handled(value) ?? NSNull() }
            }, fields: FieldColumns(fieldColumns, in: collection.name, keepsEmptyRows: true), indexes: indexes,
            versionTag: versionTag, options: options,
            declaration: IndexDeclaration(
                collection: collection.name,
                columns: Dictionary(fieldColumns.map { ($0.field, $0.name) }, uniquingKeysWith: { first, _ in first })))
    }
}

/// The rows of a collection that a query finds: `transaction[books].where(\.price < 10).order(.ascending(\.title))`.
///
/// Nothing is read before ``values()``, ``count`` or another function that returns rows is called. These throw
/// ``YapDatabaseError`` with code `badQuery` if no registered ``YapIndex`` has all the properties, and name those.
public struct YapQuery<
    Value: Codable & Sendable, Key: YapKey, Metadata: Codable & Sendable, Transaction: YapDatabaseReadTransaction
> {
    let rows: YapRows<Value, Key, Metadata, Transaction>
    /// Which rows are wanted, in which order and how many.
    var request: YapRequest<Value, Key, Metadata>

    fileprivate func with(_ request: YapRequest<Value, Key, Metadata>) -> Self { Self(rows: rows, request: request) }
}

extension YapRows {
    /// The rows whose values fulfil a condition, found with an index.
    ///
    /// O(1): nothing is read before ``YapQuery/values()`` or another function that returns rows.
    ///
    /// ```swift
    /// let cheap = try transaction[books].where(\.price < 10).order(.ascending(\.title)).values()
    /// ```
    public func `where`(_ condition: YapCondition<Value>) -> YapQuery<Value, Key, Metadata, Transaction> {
        YapQuery(rows: self, request: collection.where(condition))
    }

    /// All rows, ordered with an index.
    ///
    /// Example: ``where(_:)``.
    public func order(_ orders: YapOrder<Value>...) -> YapQuery<Value, Key, Metadata, Transaction> {
        YapQuery(rows: self, request: YapRequest(collection: collection, orders: orders))
    }
}

extension YapQuery {
    /// The rows among these that also fulfil another condition.
    ///
    /// Example: ``values()``.
    public func `where`(_ other: YapCondition<Value>) -> Self { with(request.where(other)) }

    /// These rows in an order. Rows that are equal in it come in no particular order.
    ///
    /// Example: ``values()``.
    public func order(_ orders: YapOrder<Value>...) -> Self { with(request.ordered(by: orders)) }

    /// At most so many of them, without the first `offset`.
    ///
    /// ```swift
    /// let page = try transaction[books].order(.ascending(\.title)).limit(50, offset: 100).values()
    /// ```
    ///
    /// - Parameters:
    ///   - limit: the most rows.
    ///   - offset: the rows to skip.
    public func limit(_ limit: Int, offset: Int = 0) -> Self { with(request.limit(limit, offset: offset)) }

    /// Returns the values, in order. One that cannot be decoded, which another program put into the index, is left out and reported.
    ///
    /// ```swift
    /// let unread = transaction[books].where(\.price < 10).where(\.isRead == false).order(.ascending(\.title))
    /// print(try unread.count, try unread.values().map(\.title), try unread.keys())
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `badQuery` if no registered ``YapIndex`` has all properties of the query; `corrupt`, `inputOutput`
    ///   or `interrupted` if the file cannot be read.
    public func values() throws -> [Value] {
        let (index, query) = try prepared()
        return try index.values(of: Value.self, in: rows.collection.name, index.cursor(query))
    }

    /// Visits the rows in order, with one of them in memory at a time.
    ///
    /// The body runs on the thread of the transaction. A value that cannot be decoded is left out and reported.
    ///
    /// ```swift
    /// try transaction[books].where(\.price < 10).forEach { key, value in print(key, value.title) }
    /// ```
    ///
    /// - Throws: what the body throws; ``YapDatabaseError`` with code `badQuery` if no registered ``YapIndex`` has all properties of the
    ///   query; `decodingFailed` if a key cannot be decoded; `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func forEach(_ body: (_ key: Key, _ value: Value) throws -> Void) throws {
        let (index, query) = try prepared()
        try index.forEachRow(index.cursor(query), .object, passesOver: true) { _, row, _ in
            try body(try rows.collection.key(of: row.key), try cast(row.object!, "object", row.key))
        }
    }

    /// Returns the keys, in order. Reads no row.
    ///
    /// Example: ``values()``.
    ///
    /// - Throws: ``YapDatabaseError`` with code `badQuery` if no registered ``YapIndex`` has all properties of the query;
    ///   `decodingFailed` if a key cannot be decoded; `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func keys() throws -> [Key] {
        var keys: [Key] = []
        let (index, query) = try prepared()
        try index.iterateKeys(matching: query) { collection, key, _ in
            keys.append(try rows.collection.key(of: RowKey(collection: collection, key: key)))
        }
        return keys
    }

    /// The first of them; nil if there is none.
    ///
    /// ```swift
    /// let cheapest = try transaction[books].order(.ascending(\.price)).first()
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `badQuery` if no registered ``YapIndex`` has all properties of the query; `corrupt`, `inputOutput`
    ///   or `interrupted` if the file cannot be read.
    public func first() throws -> Value? {
        if let value = try limit(min(1, request.limit ?? 1), offset: request.offset).values().first { return value }
        // There is none, or it cannot be decoded and another one may be the first.
        var first: Value?
        let (index, query) = try prepared()
        try index.forEachRow(index.cursor(query), .object, passesOver: true) { _, row, stop in
            first = try cast(row.object!, "object", row.key)
            stop = true
        }
        return first
    }

    /// How many there are. Reads no row.
    /// - Throws: ``YapDatabaseError`` with code `badQuery` if no registered ``YapIndex`` has all properties of the query;
    ///   `decodingFailed` if a key cannot be decoded; `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public var count: Int {
        get throws {
            if request.limit != nil || request.offset > 0 { return try keys().count }
            let (index, text) = try order().prepared()
            return try index.numberOfRows(matching: text)
        }
    }

    /// Returns how SQLite finds the rows, one sentence for each step; `SEARCH` uses an index, `SCAN` reads all of it.
    ///
    /// ```swift
    /// print(try transaction[books].where(\.price < 10).explain())   // ["SEARCH secondaryIndex_prices USING …"]
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `badQuery` if no registered ``YapIndex`` has all properties of the query; `corrupt`,
    ///   `inputOutput` or `interrupted` if the file cannot be read.
    public func explain() throws -> [String] {
        let (index, query) = try prepared()
        return try index.explain(matching: query)
    }

    func prepared() throws -> (YapDatabaseSecondaryIndexTransaction, YapDatabaseQuery) {
        let (condition, orders, limit, offset) = (request.condition, request.orders, request.limit, request.offset)
        if let condition, condition.clause == nil {
            throw refusal("A condition with a closure cannot be answered by an index. Make it from key paths.")
        }
        guard orders.allSatisfy({ $0.field != nil }) else {
            throw refusal("An index cannot order by a closure, nor as a locale does. Order the values after the query.")
        }
        let fields = (condition?.clause?.fields ?? []) + orders.compactMap(\.field)
        let (index, columns) = try index(for: Set(fields))
        func quoted(_ field: FieldPath) -> String { Store.quoted(columns[field] ?? "") }
        var parameters: [Any] = []
        var text = ""
        if let clause = condition?.clause { text = "WHERE " + (try clause.sql(quoted) { parameters.append($0) }) }
        let steps = try orders.flatMap { order in
            try order.field.map { try index.steps(of: order, by: $0, column: quoted($0)) } ?? []
        }
        if !steps.isEmpty { text += " ORDER BY " + steps.joined(separator: ", ") }
        if limit != nil || offset > 0 { text += " LIMIT \(limit ?? -1) OFFSET \(offset)" }
        return (index, YapDatabaseQuery(string: text, parameters: parameters))
    }

    private func index(
        for fields: Set<FieldPath>
    ) throws -> (YapDatabaseSecondaryIndexTransaction, [FieldPath: String]) {
        let transaction = rows.transaction
        var unusable: String?
        for registered in transaction.snapshot.registrations.sorted(by: { $0.name < $1.name }) {
            guard let declaration = (registered.extension as? YapDatabaseSecondaryIndex)?.declaration,
                declaration.collection == rows.collection.name,
                fields.allSatisfy({ declaration.columns[$0] != nil })
            else { continue }
            if let access = transaction.ext(registered.name) as? YapDatabaseSecondaryIndexTransaction {
                return (access, declaration.columns)
            }
            unusable = unusable ?? registered.name
        }
        if let unusable { throw transaction.notRegistered(unusable) }
        let names = fields.map(\.description).sorted()
        let wanted = names.count == 1 ? "has \(names[0])" : "has all of \(names.joined(separator: ", "))"
        throw refusal(
            "No registered index of \"\(RowKey.shown(collection: rows.collection.name))\" \(wanted). Register a YapIndex on "
                + (names.count == 1 ? "it." : "them."))
    }

    private func refusal(_ sentence: String) -> YapDatabaseError { YapDatabaseError(.badQuery, sentence) }
}

extension YapDatabaseSecondaryIndexTransaction {
    /// Returns what orders rows by a column as a list is ordered by its property.
    fileprivate func steps<Value>(
        of order: YapOrder<Value>, by field: FieldPath, column: String
    ) throws -> [String] {
        let type = field.type as? any YapFieldValue.Type
        let isReal = type?.fieldType == .real
        // If the property is not optional, NULL stands for NaN.
        let nullsAreFirst = order.missing.map { $0 == .first } ?? (isReal ? false : nil)
        let nulls = nullsAreFirst.map { $0 ? " NULLS FIRST" : " NULLS LAST" } ?? ""
        let step = column + (order.isDescending ? " DESC" : "") + nulls
        guard order.isDescending, type?.storesNaNAsText == true else { return [step] }
        // What is not a number stands after all numbers in the column, so against its order it must be put last. Where there is none, the
        // order of the column is that of the rows.
        let isNaN = YapDatabaseQuery(string: "WHERE \(column) > ? LIMIT 1", parameters: [Double.infinity])
        var hasNaN = false
        try iterateKeys(matching: isNaN) { _, _, _ in hasNaN = true }
        return hasNaN
            ? ["\(column) IS NULL\(nullsAreFirst == true ? " DESC" : "")", "typeof(\(column)) = 'text'", step] : [step]
    }
}
