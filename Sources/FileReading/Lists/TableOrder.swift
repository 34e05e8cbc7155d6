import SQLiteBridge
import FileEngine

/// The rows of any table by their rowids. Where the table is damaged, the rows that can be found.
final class TableOrder: RowSource {
    /// The most rows kept: 40 MB if the rowids are small. Further rows are left out, and `isCut` is true.
    private static let limit = 10_000_000
    private static let portion = 10_000

    private let table, rowid: String
    private let state = Locked(State())

    private struct State: Sendable {
        var walk = TableWalk()
        var rowids = PackedRowids()
        var isComplete = false
        var isCut = false
    }

    /// - Parameter table: one with rowids.
    init(_ table: FileSchema.Table) { (self.table, rowid) = (table.name.quotedSQL, table.rowidName ?? "_rowid_") }

    var count: RowCount { state.withLock { RowCount($0.rowids.count, isComplete: $0.isComplete) } }
    /// Whether there are more rows than the list holds.
    var isCut: Bool { state.withLock { $0.isCut } }
    /// Why some rows are left out, if any are.
    var damage: String? { state.withLock { $0.walk.damage?.sentence } }

    func rowids(in places: Range<Int>, _ store: Store) throws -> [Int64] { state.withLock { $0.rowids[places] } }
    func place(of rowid: Int64, _ store: Store) throws -> Int? { state.withLock { $0.rowids.place(of: rowid) } }

    /// Finds the first rows.
    func begin(_ store: Store, limit: Int) throws { _ = try load(limit, store) }

    func loadMore(_ store: Store) throws -> Bool {
        guard state.withLock({ !$0.isComplete }) else { return false }
        return try load(Self.portion, store)
    }

    private func load(_ limit: Int, _ store: Store) throws -> Bool {
        var (walk, found) = (state.withLock { $0.walk }, [Int64]())
        try walk.visit(limit, of: table, rowid: rowid, "", store) { found.append($0.int64(at: 0)) }
        return state.withLock { state in
            state.walk = walk
            for rowid in found { state.rowids.append(rowid) }
            state.isCut = !walk.isOver && state.rowids.count >= Self.limit
            state.isComplete = walk.isOver || state.isCut
            return !state.isComplete
        }
    }

    func lastRowids(_ limit: Int, _ store: Store) throws -> [Int64]? {
        let (count, isComplete) = state.withLock { ($0.rowids.count, $0.isComplete) }
        if isComplete { return try rowids(in: max(0, count - limit)..<count, store) }
        let sql = "SELECT \(rowid) FROM \(table) NOT INDEXED ORDER BY \(rowid) DESC LIMIT \(limit)"
        return try? store.all(sql) { $0.int64(at: 0) }.reversed()
    }
}
