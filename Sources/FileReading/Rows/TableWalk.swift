import SQLiteBridge
import FileEngine

/// A walk over a table in the order of its rowids that skips what cannot be read.
///
/// Rows come in ascending order whatever the file contains, so the walk ends even in a crafted tree with a cycle.
struct TableWalk: Sendable {
    /// The rowids of a damaged stretch that are tried one by one. That takes tens of milliseconds and misses no
    /// readable row.
    private static let care = 2_000
    /// The rowids tried in steps smaller than a usual page, before the walk continues in ever wider steps.
    private static let patience = 6_000
    private static let smallStep: Int64 = 16
    /// The rowids that are tried without a return to the caller, who may want to cancel.
    private static let triesAtOnce = 64

    private(set) var isOver = false
    /// Why some rows are left out, if any are.
    private(set) var damage: (any Error)?
    private var next = Int64.min
    private var failures = 0

    /// Visits at most `limit` of the next rows, fewer if something cannot be read. Repeat until `isOver`.
    /// - Parameters:
    ///   - columns: what is read of each row after its rowid, with a leading comma.
    ///   - bind: binds the parameters of the columns, from `?2` on.
    mutating func visit(
        _ limit: Int, of table: String, _ columns: String, _ store: Store,
        bind: (SQLiteStatement) throws -> Void = { _ in }, _ body: (SQLiteStatement) throws -> Void
    ) throws {
        // Some tables have a column of their own named `rowid`.
        let start = "FROM \(table) NOT INDEXED WHERE _rowid_ >= ?1 ORDER BY _rowid_ LIMIT"
        if failures > 0 {
            let probe = try store.handle.statement("SELECT _rowid_ \(start) 1")
            var tries = 0
            while !canRead(from: next, probe) {
                skip()
                tries += 1
                if isOver || tries == Self.triesAtOnce { return }
            }
            try turnBack(probe)
        }
        let statement = try store.handle.statement("SELECT _rowid_\(columns) \(start) \(limit)")
        defer { statement.reset() }
        try statement.bind(next, at: 1)
        try bind(statement)
        for _ in 0..<limit where !isOver {
            do {
                guard try statement.step() else { return isOver = true }
                if statement.int64(at: 0) < next { throw Self.disorder }
            } catch {
                damage = damage ?? error
                return skip()
            }
            move(behind: statement.int64(at: 0))
            try body(statement)
        }
    }

    private static let disorder = YapDatabaseError(
        .corrupt, "The rows of a table are not in the order of their rowids. Run `yap check` on the file.")

    /// Whether the next row from there on can be found, or is known not to exist.
    private func canRead(from rowid: Int64, _ probe: SQLiteStatement) -> Bool {
        defer { probe.reset() }
        guard (try? probe.bind(rowid, at: 1)) != nil, let hasRow = try? probe.step() else { return false }
        return !hasRow || probe.int64(at: 0) >= rowid
    }

    /// Finds the end of the unreadable stretch, within the last step.
    private mutating func turnBack(_ probe: SQLiteStatement) throws {
        var bad = next - step
        while next - bad > 1 {
            let middle = bad + (next - bad) / 2
            if canRead(from: middle, probe) { next = middle } else { bad = middle }
        }
        failures = 0
    }

    private mutating func move(behind rowid: Int64) {
        isOver = rowid == .max
        if !isOver { next = rowid + 1 }
    }

    private mutating func skip() {
        // Negative rowids are always explicit.
        if next == .min { next = 0 }
        failures += 1
        let (place, isTooFar) = next.addingReportingOverflow(step)
        if isTooFar { isOver = true } else { next = place }
    }

    private var step: Int64 {
        if failures < Self.care { return 1 }
        return failures < Self.patience ? Self.smallStep : 1 << min(62, failures - Self.patience)
    }
}
