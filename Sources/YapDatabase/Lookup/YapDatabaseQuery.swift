import Foundation

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

    /// Replaces the `?` of each list by as many as it has values.
    private static func expanded(_ text: String, _ parameters: [Any]) -> String {
        let counts = parameters.map { $0 is [UInt8] ? 1 : ($0 as? [Any])?.count ?? 1 }
        guard counts.contains(where: { $0 != 1 }) else { return text }
        var result = ""
        var place = 0
        var quote: Character?
        for character in text {
            if let open = quote {
                if character == open { quote = nil }
            } else if "'\"`[".contains(character) {
                quote = character == "[" ? "]" : character
            } else if character == "?", place < counts.count {
                result += repeatElement("?", count: counts[place]).joined(separator: ", ")
                place += 1
                continue
            }
            result.append(character)
        }
        return result
    }
}
