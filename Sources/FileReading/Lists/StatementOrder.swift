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

    private struct State: Sendable {
        var rowids = PackedRowids()
        /// The rows that the statement has returned in its present run, or in the one before.
        var passed = 0
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
        let runs = store.kept { StatementRuns() }
        let passed = state.withLock { $0.passed }
        let statement = try runs.statement(of: self, sql, after: passed, store, bind)
        var found: [Int64] = []
        var isComplete = false
        do {
            while found.count < Self.portion, !isComplete {
                if try statement.step() { found.append(statement.int64(at: 0)) } else { isComplete = true }
            }
        } catch {
            // It is behind rows that are not in the list.
            runs.end(of: self)
            throw error
        }
        let isFull = passed + found.count >= Self.limit
        state.withLock { state in
            state.passed += found.count
            // The first ones are in the list already.
            for rowid in found.dropFirst(max(0, state.rowids.count - passed)) { state.rowids.append(rowid) }
            state.isCut = isFull && !isComplete
            state.isComplete = isComplete || isFull
        }
        if isComplete || isFull { runs.end(of: self) }
        return !(isComplete || isFull)
    }

    private func bind(_ statement: SQLiteStatement) throws {
        if let parameter { try statement.bind(parameter, at: 1) }
    }
}

/// The statements of one store that are in the middle of their runs.
///
/// They belong to the store and not to the lists, so that nothing touches one outside of the store's lock: the last one that holds a list may be any
/// thread. The statement of a list that is gone ends when the next list is read.
private final class StatementRuns {
    private struct Run {
        weak var list: StatementOrder?
        let statement: SQLiteStatement
        let timesEnded: Int
    }

    private var runs: [Run] = []

    /// - Parameter passed: how many rows the statement has returned. If its transaction has ended meanwhile, it runs again up to there, on the
    ///   same state.
    func statement(
        of list: StatementOrder, _ sql: String, after passed: Int, _ store: Store,
        _ bind: (SQLiteStatement) throws -> Void
    ) throws -> SQLiteStatement {
        let timesEnded = store.handle.timesEnded
        end { $0.list == nil || $0.timesEnded != timesEnded }
        if let run = runs.first(where: { $0.list === list }) { return run.statement }
        let statement = try store.handle.statement(sql)
        do {
            try bind(statement)
            for _ in 0..<passed where try !statement.step() { break }
        } catch {
            statement.reset()
            throw error
        }
        runs.append(Run(list: list, statement: statement, timesEnded: timesEnded))
        return statement
    }

    func end(of list: StatementOrder) { end { $0.list === list } }

    private func end(_ isOver: (Run) -> Bool) {
        for run in runs where isOver(run) { run.statement.reset() }
        runs.removeAll(where: isOver)
    }
}
