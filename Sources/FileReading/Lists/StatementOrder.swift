import SQLiteBridge
import FileEngine

/// Rows in the order in which a statement returns them: an index by its column, a full-text match, edges, small values.
///
/// The statement runs in the background, and the list grows with it.
package final class StatementOrder: RowSource {
    /// The most rows kept: 40 MB if the rowids are small. Further rows are left out, and `isCut` is true.
    static let limit = 10_000_000
    /// The rows read at once, in some milliseconds.
    private static let portion = 10_000

    private let sql: String
    private let parameter: String?
    private let state = Locked(State())
    private let cursor = Cursor()

    private struct State: Sendable {
        var rowids = PackedRowids()
        var isComplete = false
        var isCut = false
    }

    /// - Parameters:
    ///   - sql: its first column is the rowid.
    ///   - parameter: bound to its only parameter.
    init(_ sql: String, parameter: String? = nil) {
        self.sql = sql
        self.parameter = parameter
    }

    package var count: RowCount { state.withLock { RowCount($0.rowids.count, isComplete: $0.isComplete) } }
    /// Whether there are more rows than the list holds.
    package var isCut: Bool { state.withLock { $0.isCut } }

    package func rowids(in places: Range<Int>, _ store: Store) throws -> [Int64] {
        state.withLock { $0.rowids[places] }
    }

    package func place(of rowid: Int64, _ store: Store) throws -> Int? {
        state.withLock { $0.rowids.place(of: rowid) }
    }

    /// Reads the first rows with a run of the statement that ends there.
    func begin(_ store: Store, limit: Int) throws {
        let first = try store.all("\(sql) LIMIT \(limit)", bind: bind, read: { $0.int64(at: 0) })
        state.withLock { state in
            for rowid in first { state.rowids.append(rowid) }
            state.isComplete = first.count < limit
        }
    }

    package func loadMore(_ store: Store) throws -> Bool {
        guard state.withLock({ !$0.isComplete }) else { return false }
        let statement = try cursor.statement(store, sql, bind)
        var found: [Int64] = []
        var isComplete = false
        while found.count < Self.portion, !isComplete {
            if try statement.step() { found.append(statement.int64(at: 0)) } else { isComplete = true }
        }
        let known = cursor.passed
        cursor.passed += found.count
        let isFull = cursor.passed >= Self.limit
        state.withLock { state in
            // The first ones are in the list already.
            for rowid in found.dropFirst(max(0, state.rowids.count - known)) { state.rowids.append(rowid) }
            state.isCut = isFull && !isComplete
            state.isComplete = isComplete || isFull
        }
        if isComplete || isFull { cursor.end() }
        return !(isComplete || isFull)
    }

    private func bind(_ statement: SQLiteStatement) throws {
        if let parameter { try statement.bind(parameter, at: 1) }
    }
}

/// A statement during its run.
private final class Cursor: @unchecked Sendable {
    // @unchecked: used by `loadMore` only, which runs inside the lock of the statement's store.

    private var running: SQLiteStatement?
    private var timesEnded = 0
    var passed = 0

    deinit { running?.reset() }

    func statement(_ store: Store, _ sql: String, _ bind: (SQLiteStatement) throws -> Void) throws -> SQLiteStatement {
        if let running, timesEnded == store.handle.timesEnded { return running }
        end()
        let statement = try store.handle.statement(sql)
        try bind(statement)
        // If the transaction has ended meanwhile, the statement runs again up to where it was, on the same state.
        for _ in 0..<passed where try !statement.step() { break }
        timesEnded = store.handle.timesEnded
        running = statement
        return statement
    }

    func end() {
        running?.reset()
        running = nil
    }
}
