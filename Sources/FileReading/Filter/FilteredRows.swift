import FileEngine
import ListChanges
import SQLiteBridge

/// The rows of a list that a condition is true for, in the list's order or in that of an expression, then in a range.
///
/// Several threads decode rows and evaluate. Without an order of its own, and from the beginning, rows are passed on as they are found, in
/// constant memory; otherwise some bytes are kept of each, and the rows are read again.
package final class FilteredRows {
    private let content: ListContent
    private let expressions: RowExpressions
    private let hasCondition: Bool
    private let order: Order?
    private let evaluators: RowEvaluators
    private var kept = SortBuffer()

    /// An order by an expression: NULL, numbers, texts, blobs, as SQLite compares them; equal ones in the list's order.
    package struct Order: Sendable {
        package let expression: String
        package let isDescending: Bool

        package init(_ expression: String, isDescending: Bool) {
            (self.expression, self.isDescending) = (expression, isDescending)
        }

        /// - Parameter text: an expression, behind which `ASC` or `DESC` may stand.
        package init(_ text: String) {
            let words = text.split(separator: " ")
            let last = words.last?.uppercased()
            isDescending = last == "DESC"
            expression =
                words.count > 1 && (last == "DESC" || last == "ASC")
                ? words.dropLast().last.map { String(text[..<$0.endIndex]) } ?? text : text
        }
    }

    /// - Parameters:
    ///   - decoder: decodes the values that fields are in.
    ///   - isCancelled: ends the work soon, with an error of the code `interrupted`.
    /// - Throws: ``YapDatabaseError`` with code `badQuery` if an expression is wrong.
    package init(
        _ content: ListContent, where condition: String?, order: Order?, decoder: RowDecoder = RowDecoder(),
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws {
        self.content = content
        self.order = order
        hasCondition = condition != nil
        expressions = try RowExpressions(
            [condition, order?.expression].compactMap(\.self), hasCondition: condition != nil, decoder: decoder)
        evaluators = RowEvaluators(expressions, isCancelled: isCancelled)
    }

    /// What is to be said of the rows so far.
    package var remarks: ExpressionRemarks { evaluators.remarks }

    /// Calls a closure with each row, group by group.
    /// - Parameter progress: called now and then with the number of rows that were looked at.
    package func enumerate(
        _ selection: RowSelection, progress: @escaping (Int) throws -> Void = { _ in },
        _ body: @escaping (ListContent.Stop) throws -> Void
    ) throws {
        let passesOn = order == nil && !selection.isReversed && !selection.range.isAtEnd
        var counts = ExactDictionary<Int>()
        let limit = selection.range.count
        do {
            try eachFound(progress) { found in
                guard passesOn else { return try self.kept.add(found) }
                let count = counts[found.stop.group] ?? 0
                if count >= limit {
                    if self.content.groups.count == 1 { throw Enough() }
                    return
                }
                counts[found.stop.group] = count + 1
                try body(found.stop)
            }
        } catch is Enough {}
        guard !passesOn else { return }
        for group in content.groups {
            let places = try kept.places(inGroup: group, order.map(\.isDescending), selection)
            for place in places {
                let entry = kept[place]
                let row = try content.snapshot.work {
                    try content.row(entry.rowid, valueBytes: FileSnapshot.wholeValues, $0)
                }
                try body(ListContent.Stop(group: group, index: entry.index, row: row))
            }
        }
    }

    private struct Enough: Error {}

    /// A row for which the condition is true.
    struct Found: Sendable {
        let stop: ListContent.Stop
        let key: SQLValue
    }

    /// The most rows, and bytes of values, that a thread looks at at once.
    private static let (batchRows, batchBytes) = (256, 1 << 18)

    func eachFound(_ progress: @escaping (Int) throws -> Void, _ body: @escaping (Found) throws -> Void) throws {
        var looked = 0
        let work = OrderedWork<(looked: Int, found: Result<[Found], any Error>)> { result in
            looked += result.looked
            for found in try result.found.get() { try body(found) }
            try progress(looked)
        }
        var (batch, bytes) = ([ListContent.Stop](), 0)
        func give() throws {
            let (stops, evaluators, hasCondition, hasOrder) = (batch, evaluators, hasCondition, order != nil)
            (batch, bytes) = ([], 0)
            try work.add {
                (
                    stops.count,
                    Result { try evaluators.found(in: stops, hasCondition: hasCondition, hasOrder: hasOrder) }
                )
            }
        }
        try content.enumerate(RowSelection()) { stop in
            batch.append(stop)
            bytes += (stop.row.object?.size ?? 0) + (stop.row.metadata?.size ?? 0)
            if batch.count >= Self.batchRows || bytes >= Self.batchBytes { try give() }
        }
        try give()
        try work.finish()
    }
}

extension FilteredRows {
    /// The most values that are told apart.
    private static let maxValues = 1_000_000

    /// Returns how many rows have each value of the order's expression, the most frequent first.
    /// - Throws: ``YapDatabaseError`` with code `badQuery` if there are more than a million values.
    package func counts(progress: @escaping (Int) throws -> Void) throws -> [(value: SQLValue, count: Int)] {
        var counts: [CountedValue: Int] = [:]
        try eachFound(progress) { found in
            counts[CountedValue(found.key), default: 0] += 1
            guard counts.count <= Self.maxValues else {
                throw YapDatabaseError(.badQuery, "There are more than a million values. Count by fewer.")
            }
        }
        return counts.map { ($0.key.value, $0.value) }.sorted { one, other in
            one.1 == other.1 ? one.0.order(to: other.0) < 0 : one.1 > other.1
        }
    }
}

extension YapDatabaseError {
    /// That work was cancelled whose result is not wanted any more.
    static let cancelledWork = YapDatabaseError(.interrupted, "The work was cancelled.")
}
