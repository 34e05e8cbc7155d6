import SQLiteBridge
import FileEngine

/// The rows of a table without rowids, or whose rowids cannot be asked for, in the order of its key. Their numbers, from 1 on, stand for rowids.
///
/// One key in a thousand is kept, so that any row is found by a short walk.
final class OrdinalOrder: RowSource {
    private static let stride = 1_000

    let table: FileSchema.Table
    /// The columns of the key, quoted.
    private let keys: [String]
    private let maxEntries: Int
    private let state = Locked(State())

    private struct State: Sendable {
        /// The keys of the rows 1,001, 2,001 and so on.
        var anchors: [[SQLValue]] = []
        var count = RowCount(0, isComplete: false)
    }

    init(_ table: FileSchema.Table, maxEntries: Int, _ store: Store) throws {
        self.table = table
        self.maxEntries = maxEntries
        keys = try store.all(
            "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", bind: { try $0.bind(table.name, at: 1) },
            read: { ($0.text(at: 0) ?? "").quotedSQL })
    }

    /// Whether the table has a key, by which its rows are told apart.
    var hasKey: Bool { !keys.isEmpty }
    var count: RowCount { state.withLock { $0.count } }

    func rowids(in places: Range<Int>, _ store: Store) throws -> [Int64] {
        let places = places.clamped(to: 0..<count.known)
        return places.map { Int64($0) + 1 }
    }

    func place(of rowid: Int64, _ store: Store) throws -> Int? {
        let known = count.known
        return rowid >= 1 && rowid <= known ? Int(rowid) - 1 : nil
    }

    func loadMore(_ store: Store) throws -> Bool {
        let (anchor, base, isDone) = state.withLock {
            ($0.anchors.last, $0.anchors.count * Self.stride, $0.count.isComplete)
        }
        if isDone { return false }
        // In a crafted tree the same page may follow itself without end.
        if base > maxEntries { throw YapDatabaseError.endlessIndex }
        let next = try first(keys.joined(separator: ", "), from: anchor, "LIMIT 1 OFFSET \(Self.stride)", store) {
            row in
            keys.indices.map { row.value(at: $0) }
        }
        if let next {
            guard next != anchor else { throw YapDatabaseError.endlessIndex }
            state.withLock {
                $0.anchors.append(next)
                $0.count.known = base + Self.stride + 1
            }
            return true
        }
        let rest = try count(from: anchor, store)
        state.withLock { $0.count = RowCount(base + rest) }
        return false
    }

    /// Returns the columns of a row by its number; nil if there is none.
    func read<Value>(
        _ columns: String, ofRow rowid: Int64, _ store: Store, _ read: (SQLiteStatement) throws -> Value
    ) throws -> Value? {
        guard rowid >= 1 else { return nil }
        let place = Int(rowid) - 1
        let (anchor, base) = state.withLock { state -> ([SQLValue]?, Int) in
            let number = min(state.anchors.count, place / Self.stride)
            return (number == 0 ? nil : state.anchors[number - 1], number * Self.stride)
        }
        guard place - base <= 2 * Self.stride else { return nil }
        return try first(columns, from: anchor, "LIMIT 1 OFFSET \(place - base)", store, read)
    }

    private func count(from anchor: [SQLValue]?, _ store: Store) throws -> Int {
        let rows = "SELECT 1 FROM \(table.name.quotedSQL) \(condition(anchor)) LIMIT \(2 * Self.stride)"
        return try store.first("SELECT count(*) FROM (\(rows))", bind: { try bind(anchor, $0) }) {
            Int($0.int64(at: 0))
        } ?? 0
    }

    private func first<Value>(
        _ columns: String, from anchor: [SQLValue]?, _ rest: String, _ store: Store,
        _ read: (SQLiteStatement) throws -> Value
    ) throws -> Value? {
        let order = keys.isEmpty ? "" : "ORDER BY \(keys.joined(separator: ", "))"
        return try store.first(
            "SELECT \(columns) FROM \(table.name.quotedSQL) \(condition(anchor)) \(order) \(rest)",
            bind: { try bind(anchor, $0) }, read: read)
    }

    private func condition(_ anchor: [SQLValue]?) -> String {
        guard let anchor, !anchor.isEmpty else { return "" }
        let places = anchor.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        return "WHERE (\(keys.joined(separator: ", "))) >= (\(places))"
    }

    private func bind(_ anchor: [SQLValue]?, _ statement: SQLiteStatement) throws {
        for (index, value) in (anchor ?? []).enumerated() { try statement.bind(value, at: index + 1) }
    }
}
