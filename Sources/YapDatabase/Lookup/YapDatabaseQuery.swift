import Foundation
import ListChanges

/// A query for a secondary index or an R-tree, in SQL: what follows `SELECT … FROM …`, with values for its parameters.
///
/// ```swift
/// let query = YapDatabaseQuery(string: "WHERE department = ? AND salary >= ? ORDER BY salary", parameters: ["dev", 100])
/// try index.iterateKeys(matching: query) { collection, key, stop in print(key) }
/// ```
///
/// Values from outside belong into parameters. The text itself can only read; the functions that run it throw
/// ``YapDatabaseError/Code-swift.enum/badQuery`` and name the place if it is wrong.
public struct YapDatabaseQuery: @unchecked Sendable {
    // @unchecked: the parameters are values that the program gives once and nothing changes.

    /// The SQL after `SELECT … FROM …`, with one `?` for each value.
    public let queryString: String
    /// The values of the parameters, lists expanded.
    public let queryParameters: [Any]
    /// For example `max(age)`; nil for a query of rows.
    public let aggregateFunction: String?

    /// Whether the query is for `performAggregateQuery(_:)`.
    public var isAggregateQuery: Bool { aggregateFunction != nil }

    /// - Parameter parameters: texts, numbers, dates (as seconds since the reference date), data, and arrays of these: the
    ///   `?` of an array stands for all its values, as in `WHERE state IN (?)`.
    public init(string: String, parameters: [Any] = []) {
        self.init(aggregateFunction: nil, string, parameters)
    }

    /// - Parameter aggregateFunction: what to compute, in SQL, such as `sum(duration)`.
    public init(aggregateFunction: String, string: String, parameters: [Any] = []) {
        self.init(aggregateFunction: aggregateFunction as String?, string, parameters)
    }

    /// Returns the query that finds every row of the index.
    public static func matchingAll() -> YapDatabaseQuery { YapDatabaseQuery(string: "") }

    private init(aggregateFunction: String?, _ text: String, _ parameters: [Any]) {
        self.aggregateFunction = aggregateFunction
        queryString = Self.expanded(text, parameters)
        queryParameters = parameters.flatMap { value in
            value is [UInt8] ? [value] : value as? [Any] ?? [value]
        }
    }

    /// Replaces the `?` of each list by as many as it has values. By bytes, as SQLite reads the text, and not in names, texts and comments.
    private static func expanded(_ text: String, _ parameters: [Any]) -> String {
        let counts = parameters.map { $0 is [UInt8] ? 1 : ($0 as? [Any])?.count ?? 1 }
        guard counts.contains(where: { $0 != 1 }) else { return text }
        var (result, rest, place) = ([UInt8](), Array(text.utf8)[...], 0)
        while let byte = rest.first {
            if byte == UInt8(ascii: "?"), place < counts.count {
                result += repeatElement("?", count: counts[place]).joined(separator: ", ").utf8
                place += 1
                rest.removeFirst()
            } else {
                let part = rest.prefix(lengthOfOpaque(rest) ?? 1)
                result += part
                rest.removeFirst(part.count)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The bytes of the quoted name, the text or the comment with which SQL begins; nil if it begins with none. A doubled quotation mark ends one
    /// text and begins another. What is not ended goes to the end.
    private static func lengthOfOpaque(_ sql: ArraySlice<UInt8>) -> Int? {
        func length(from start: Int, to end: StaticString) -> Int {
            let end = end.withUTF8Buffer(Array.init)
            var place = sql.startIndex + start
            while place < sql.endIndex, !sql[place...].starts(with: end) { place += 1 }
            return min(place + end.count, sql.endIndex) - sql.startIndex
        }
        switch sql.first {
        case UInt8(ascii: "'"): return length(from: 1, to: "'")
        case UInt8(ascii: "\""): return length(from: 1, to: "\"")
        case UInt8(ascii: "`"): return length(from: 1, to: "`")
        case UInt8(ascii: "["): return length(from: 1, to: "]")
        case UInt8(ascii: "-") where sql.dropFirst().first == UInt8(ascii: "-"): return length(from: 2, to: "\n")
        case UInt8(ascii: "/") where sql.dropFirst().first == UInt8(ascii: "*"): return length(from: 2, to: "*/")
        default: return nil
        }
    }
}

/// A transaction's access to an extension that answers a ``YapDatabaseQuery``: ``YapDatabaseSecondaryIndexTransaction`` and
/// ``YapDatabaseRTreeIndexTransaction``.
///
/// All functions throw ``YapDatabaseError`` with code `badQuery`, and name the place, if the query's text is wrong. Rows come
/// in the order that the query asks for. In a read-write transaction a closure may write.
public class YapDatabaseQueryTransaction: YapDatabaseColumnTransaction, YapDatabaseRowFinder {
    /// Finds rows by what follows `SELECT … FROM …` in SQL, with its parameters.
    /// - Throws: ``YapDatabaseError`` with code `badQuery` if the text of the query is wrong.
    public func find(_ query: YapDatabaseQuery) throws -> YapDatabaseFoundRows {
        YapDatabaseFoundRows(self, try cursor(query))
    }

    /// Returns the number of rows that a query finds. Reads no row.
    ///
    /// ```swift
    /// let count = try index.numberOfRows(matching: YapDatabaseQuery(string: "WHERE age >= ?", parameters: [62]))
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `badQuery` if the text of the query is wrong; `corrupt`, `inputOutput` or `interrupted`
    ///   if the file cannot be read.
    public func numberOfRows(matching query: YapDatabaseQuery) throws -> Int {
        let cursor = try cursor(query, .count)
        guard try cursor.next(), case .integer(let count) = cursor.value(at: 0) else { return 0 }
        return Int(count)
    }

    /// Returns how SQLite finds the rows of a query, one sentence for each step; `SEARCH` uses an index, `SCAN` reads all.
    ///
    /// ```swift
    /// let plan = try index.explain(matching: YapDatabaseQuery(string: "WHERE age > 30"))
    /// // ["SEARCH secondaryIndex_people USING COVERING INDEX age (age>?)"]
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `badQuery` if the text of the query is wrong; `corrupt`, `inputOutput` or `interrupted`
    ///   if the file cannot be read.
    public func explain(matching query: YapDatabaseQuery) throws -> [String] {
        let cursor = try cursor(query, .plan)
        var steps: [String] = []
        while try cursor.next() { steps.append(cursor.text(at: 3)) }
        return steps
    }

    func cursor(_ query: YapDatabaseQuery, _ selection: IndexSelection = .rowids) throws -> IndexCursor {
        try transaction.store.cursor(selection, in: table, matching: query.stored(for: name), willCache: willCache)
    }

    /// Whether the compiled text of a query is kept, and the texts that make room for it.
    func willCache(_ text: String) -> (isKept: Bool, dropped: [String]) {
        (true, [])
    }
}
