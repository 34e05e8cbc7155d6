import FileEngine
import ListChanges

/// Sorts the rows of a list by an expression over their fields, for the screen: what is sorted so far can be shown at any time.
///
/// A thread calls ``run(after:)``; others may read ``progress`` and ``sorted()`` meanwhile. The order is that of ``FilteredRows``: NULL, numbers,
/// texts, blobs, and equal ones in the list's order.
package final class FieldSort: Sendable {
    /// The most rows that are sorted, about fifty bytes each and what their texts take.
    package static let maxRows = 4_000_000

    package let content: ListContent
    package let order: FilteredRows.Order
    private let decoder: RowDecoder
    private let state = Locked(State())

    private struct Entry: Sendable {
        let rowid: Int64
        let key: SQLValue
    }

    private struct State: Sendable {
        /// The entries of each group, in the list's order.
        var entries = ExactDictionary<[Entry]>()
        var count = 0
        var isOver = false
        var isCut = false
        var isCancelled = false
        var remarks: ExpressionRemarks?
    }

    private struct Enough: Error {}

    package init(_ content: ListContent, _ order: FilteredRows.Order, _ decoder: RowDecoder) {
        (self.content, self.order, self.decoder) = (content, order, decoder)
    }

    package struct Progress: Sendable {
        package let rows: Int
        package let isOver: Bool
        /// Whether there are more than ``FieldSort/maxRows``.
        package let isCut: Bool
        /// What is to be said of the rows, when all are sorted.
        package let remarks: ExpressionRemarks?
    }

    package var progress: Progress {
        state.withLock {
            Progress(rows: $0.count, isOver: $0.isOver, isCut: $0.isCut, remarks: $0.isOver ? $0.remarks : nil)
        }
    }

    /// Ends the work soon. Nothing more is shown of it.
    package func cancel() { state.withLock { $0.isCancelled = true } }

    /// Reads all rows and evaluates the expression, on all processors.
    /// - Parameter earlier: the same in an older state of the list, whose keys count for rows that were not touched since.
    /// - Throws: ``YapDatabaseError``; with code `badQuery` if the expression is wrong.
    package func run(after earlier: (sort: FieldSort, touched: TouchedRows)? = nil) throws {
        defer { state.withLock { $0.isOver = true } }
        do {
            if let earlier, case .some(let rowids) = earlier.touched, content.subject.hasStoredRows {
                try evaluate(touched: rowids, earlier.sort.keys)
            } else {
                try evaluateAll()
            }
        } catch is Enough {
            state.withLock { $0.isCut = true }
        } catch let error as YapDatabaseError where error.code == .interrupted {
        }
    }

    private func evaluateAll() throws {
        let rows = try FilteredRows(content, where: nil, order: order, decoder: decoder, isCancelled: isCancelled)
        try rows.eachFound { _ in
            if self.isCancelled() { throw YapDatabaseError.cancelledWork }
        } _: { found in
            try self.add([Entry(rowid: found.stop.row.rowid, key: found.key)], to: found.stop.group)
        }
        state.withLock { $0.remarks = rows.remarks }
    }

    private var isCancelled: @Sendable () -> Bool { { [state] in state.withLock { $0.isCancelled } } }

    private static let portion = 1_000

    /// Evaluates only what is not known.
    private func evaluate(touched: Set<Int64>, _ known: [Int64: SQLValue]) throws {
        let evaluators = RowEvaluators(
            try RowExpressions([order.expression], decoder: decoder), isCancelled: isCancelled)
        for group in content.groups {
            guard let source = content.sources[group] else { continue }
            while try content.snapshot.work({ try source.loadMore($0) }) {}
            for start in stride(from: 0, to: source.count.known, by: Self.portion) {
                let rowids = try content.snapshot.work { try source.rowids(in: start..<start + Self.portion, $0) }
                let unknown = rowids.filter { known[$0] == nil || touched.contains($0) }
                let rows = try content.snapshot.work { store in
                    try unknown.map { try content.row($0, valueBytes: FileSnapshot.wholeValues, store) }
                }
                let values = Dictionary(
                    zip(unknown, try evaluators.values(of: rows).map { $0[0] }), uniquingKeysWith: { $1 })
                try add(rowids.map { Entry(rowid: $0, key: values[$0] ?? known[$0] ?? .null) }, to: group)
            }
        }
    }

    private func add(_ entries: [Entry], to group: String) throws {
        let (isCancelled, isFull) = state.withLock { state in
            state.entries[group, default: []] += entries
            state.count += entries.count
            return (state.isCancelled, state.count >= Self.maxRows)
        }
        if isCancelled { throw YapDatabaseError.cancelledWork }
        if isFull { throw Enough() }
    }

    private var keys: [Int64: SQLValue] {
        let all = state.withLock { $0.entries }
        return Dictionary(all.values.flatMap { $0.map { ($0.rowid, $0.key) } }, uniquingKeysWith: { $1 })
    }

    /// Returns a newer state of the list with its rows in the order of this one. Rows that are new are missing.
    package static func keeping(_ sorted: ListContent, in newer: ListContent) -> ListContent {
        ListContent(newer, showing: sorted.sources)
    }

    /// Returns the list with the rows evaluated so far, in their order. O(n log n); call it in the background.
    package func sorted() -> ListContent {
        let (entries, isOver) = state.withLock { ($0.entries, $0.isOver) }
        let isDescending = order.isDescending
        let orders = content.groups.map { group in
            let found = FoundOrder()
            let rows = entries[group] ?? []
            // Places make the order stable.
            let places = rows.indices.sorted { one, other in
                let order = rows[one].key.order(to: rows[other].key)
                return order == 0 ? one < other : isDescending ? order > 0 : order < 0
            }
            found.append(places.map { rows[$0].rowid })
            if isOver { found.end() }
            return (group, found)
        }
        return content.showing(ExactDictionary(orders))
    }
}

extension SQLValue {
    /// Compares as SQLite does: NULL, numbers, texts by their bytes, blobs. Negative if this value comes first.
    func order(to other: SQLValue) -> Int {
        switch (self, other) {
        case (.integer(let a), .integer(let b)): a == b ? 0 : a < b ? -1 : 1
        case (.real(let a), .real(let b)): a == b ? 0 : a < b ? -1 : 1
        case (.integer(let a), .real(let b)): Self.order(a, b)
        case (.real(let a), .integer(let b)): -Self.order(b, a)
        case (.text(let a), .text(let b)): Self.order(a.utf8, b.utf8)
        case (.blob(let a), .blob(let b)): Self.order(a, b)
        default: rank - other.rank
        }
    }

    private static func order(_ a: some Sequence<UInt8>, _ b: some Sequence<UInt8>) -> Int {
        a.lexicographicallyPrecedes(b) ? -1 : b.lexicographicallyPrecedes(a) ? 1 : 0
    }

    /// Exact, also beyond the integers that a real has.
    private static func order(_ integer: Int64, _ real: Double) -> Int {
        if real >= 0x1p63 { return -1 }
        if real < -0x1p63 { return 1 }
        let whole = Int64(real.rounded(.towardZero))
        if integer != whole { return integer < whole ? -1 : 1 }
        let rest = real - Double(whole)
        return rest > 0 ? -1 : rest < 0 ? 1 : 0
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .integer, .real: 1
        case .text: 2
        case .blob: 3
        }
    }
}
