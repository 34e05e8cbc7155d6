import FileEngine
import ObjectDecoding

/// Counts the rows of a list by the values of an expression over their fields, for the screen: what is counted so far can be shown at any
/// time. A thread calls ``run()``.
package final class FieldCount: Sendable {
    /// The most values that are told apart.
    package static let maxValues = 1_000_000
    /// The most values that are shown before all rows are counted.
    private static let shownMeanwhile = 1_000

    package struct Entry: Hashable, Sendable {
        package let value: SQLValue
        package let count: Int
    }

    package let content: ListContent
    package let expression: String
    private let decoder: RowDecoder
    private let state = Locked(State())

    private struct State: Sendable {
        var counts: [CountedValue: Int] = [:]
        var rows = 0
        var isOver = false
        var isCancelled = false
        var remarks: ExpressionRemarks?
    }

    package init(_ content: ListContent, _ expression: String, _ decoder: RowDecoder) {
        (self.content, self.expression, self.decoder) = (content, expression, decoder)
    }

    /// What is counted so far.
    package struct Result: Sendable {
        /// The most frequent values first.
        package var entries: [Entry] = []
        /// The number of values, shown or not.
        package var values = 0
        package var rows = 0
        package var isOver = false
        /// What is to be said of the rows, when all are counted.
        package var remarks: ExpressionRemarks?

        package init() {}
    }

    /// Returns what is counted so far; before the end only the most frequent thousand values. O(n log n) for n values.
    package func result() -> Result {
        let state = state.withLock { $0 }
        var result = Result()
        let entries = state.counts.map { Entry(value: $0.key.value, count: $0.value) }.sorted { one, other in
            one.count == other.count ? one.value.order(to: other.value) < 0 : one.count > other.count
        }
        result.entries = state.isOver ? entries : Array(entries.prefix(Self.shownMeanwhile))
        (result.values, result.rows, result.isOver) = (state.counts.count, state.rows, state.isOver)
        if state.isOver, !state.isCancelled { result.remarks = state.remarks }
        return result
    }

    /// The rows counted so far, and whether all are.
    package var progress: (rows: Int, isOver: Bool) { state.withLock { ($0.rows, $0.isOver) } }

    package func cancel() { state.withLock { $0.isCancelled = true } }

    /// Reads all rows and counts, on all processors.
    /// - Throws: ``YapDatabaseError`` with code `badQuery` if the expression is wrong, or there are more than ``maxValues`` values.
    package func run() throws {
        defer { state.withLock { $0.isOver = true } }
        let rows = try FilteredRows(
            content, where: nil, order: FilteredRows.Order(expression, isDescending: false), decoder: decoder
        ) { [state] in state.withLock { $0.isCancelled } }
        do {
            try rows.eachFound { _ in
                if self.state.withLock({ $0.isCancelled }) { throw YapDatabaseError.cancelledWork }
            } _: { found in
                let isFull = self.state.withLock { state in
                    state.counts[CountedValue(found.key), default: 0] += 1
                    state.rows += 1
                    return state.counts.count > Self.maxValues
                }
                if isFull { throw YapDatabaseError(.badQuery, "There are more than a million values. Count by fewer.") }
            }
        } catch let error as YapDatabaseError where error.code == .interrupted {}
        state.withLock { $0.remarks = rows.remarks }
    }
}

/// A value by its bytes, as SQLite tells values apart: texts that look alike are two, and 1 is 1.0.
struct CountedValue: Hashable, Sendable {
    private let stored: SQLValue
    private let isText: Bool

    init(_ value: SQLValue) {
        switch value {
        case .text(let text): (stored, isText) = (.blob(Array(text.utf8)), true)
        case .real(let number): (stored, isText) = (Int64(exactly: number).map(SQLValue.integer) ?? value, false)
        default: (stored, isText) = (value, false)
        }
    }

    var value: SQLValue {
        if isText, case .blob(let bytes) = stored { .text(String(decoding: bytes, as: UTF8.self)) } else { stored }
    }
}

extension SQLValue {
    /// The value in an expression: a number, a text in single quotes, `x'…'`, NULL.
    package var literal: String {
        switch self {
        case .null: return "NULL"
        case .integer(let number): return String(number)
        case .real(let number):
            // SQLite reads the shortest text of a number as the same number, and what is out of its range as infinite.
            return number.isFinite ? String(number) : number > 0 ? "9e999" : "-9e999"
        case .text(let text) where text.unicodeScalars.contains("\0"):
            return "CAST(x'\(Hex.text(Array(text.utf8)))' AS TEXT)"
        case .text(let text): return "'\(text.escaping("'", with: "'"))'"
        case .blob(let bytes): return "x'\(Hex.text(bytes))'"
        }
    }
}
