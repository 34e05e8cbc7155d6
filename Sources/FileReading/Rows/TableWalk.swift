import SQLiteBridge
import FileEngine

/// A walk over a table in the order of its rowids that skips what cannot be read.
///
/// Rows come in ascending order whatever the file contains, so the walk ends even in a crafted tree with a cycle. A row whose
/// place can be found and whose values cannot be read is skipped alone. Where not even a place can be found, the walk tries
/// the next rowids, for a limited number of times in the whole table.
struct TableWalk: Sendable {
    /// The rowids of a damaged stretch that are tried one by one. That takes tens of milliseconds and misses no
    /// readable row.
    private static let care = 2_000
    /// The rowids tried in steps smaller than a usual page, before the walk continues in ever wider steps.
    private static let patience = 6_000
    private static let smallStep: Int64 = 16
    /// The rowids tried with care in all stretches of a table together, some tenths of a second. In the stretches after
    /// these, the steps widen at once.
    private static let careLimit = 30_000
    /// The rowids that are tried without a return to the caller, who may want to cancel.
    private static let triesAtOnce = 64

    private(set) var isOver = false
    /// Why some rows are left out, if any are.
    private(set) var damage: (any Error)?
    private var next = Int64.min
    private var failures = 0
    private var tries = 0
    /// The row that was found last without its values having been read.
    private var found: Int64?

    /// Visits at most `limit` of the next rows, fewer if something cannot be read. Repeat until `isOver`.
    /// - Parameters:
    ///   - rowid: the name of the rowid, which is a name that the table has no column of; see `rowidName`.
    ///   - columns: what is read of each row after its rowid, with a leading comma.
    ///   - bind: binds the parameters of the columns, from `?2` on.
    /// - Throws: what `bind` and `body` throw, and the error of a statement that was interrupted.
    mutating func visit(
        _ limit: Int, of table: String, rowid: String = "_rowid_", _ columns: String, _ store: Store,
        bind: (SQLiteStatement) throws -> Void = { _ in }, _ body: (SQLiteStatement) throws -> Void
    ) throws {
        let start = "FROM \(table) NOT INDEXED WHERE \(rowid) >= ?1 ORDER BY \(rowid) LIMIT"
        if damage != nil, failures > 0 {
            let probe = try store.handle.statement("SELECT \(rowid) \(start) 1")
            guard try leaveStretch(probe) else { return }
        }
        let statement = try store.handle.statement("SELECT \(rowid)\(columns) \(start) \(limit)")
        defer { statement.reset() }
        try statement.bind(next, at: 1)
        try bind(statement)
        for _ in 0..<limit where !isOver {
            do {
                guard try statement.step() else { return isOver = true }
                if statement.int64(at: 0) < next { throw Self.disorder }
            } catch {
                if (error as? YapDatabaseError)?.code == .interrupted { throw error }
                damage = damage ?? error
                statement.rewind()
                return try skipRow(store.handle.statement("SELECT \(rowid) \(start) 1"))
            }
            move(behind: statement.int64(at: 0))
            try body(statement)
        }
    }

    private static let disorder = YapDatabaseError(
        .corrupt, "The rows of a table are not in the order of their rowids. Run `yap check` on the file.")

    private enum Place {
        case row(Int64)
        case end
        case unreadable
    }

    /// Where the next row from there on is, as far as that can be found.
    private func place(from rowid: Int64, _ probe: SQLiteStatement) throws -> Place {
        defer { probe.reset() }
        do {
            try probe.bind(rowid, at: 1)
            guard try probe.step() else { return .end }
            return probe.int64(at: 0) >= rowid ? .row(probe.int64(at: 0)) : .unreadable
        } catch let error as YapDatabaseError where error.code == .interrupted {
            throw error
        } catch {
            return .unreadable
        }
    }

    /// Continues at the next row after a failed read. If that row has failed already, continues behind it: the rows of its
    /// page are in order, and only its values cannot be read.
    private mutating func skipRow(_ probe: SQLiteStatement) throws {
        switch try place(from: next, probe) {
        case .row(let rowid) where rowid == found: move(behind: rowid)
        case .row(let rowid): (found, next) = (rowid, rowid)
        // A walk that reads only rowids has a row here that another statement did not reach.
        case .end: isOver = true
        case .unreadable: skip()
        }
    }

    /// Tries the next rowids until a row can be found, or until the caller should be asked.
    /// - Returns: whether the walk can go on.
    private mutating func leaveStretch(_ probe: SQLiteStatement) throws -> Bool {
        for _ in 0..<Self.triesAtOnce {
            if try canRead(from: next, probe) {
                try turnBack(probe)
                return true
            }
            skip()
            if isOver { return false }
        }
        return false
    }

    private func canRead(from rowid: Int64, _ probe: SQLiteStatement) throws -> Bool {
        if case .unreadable = try place(from: rowid, probe) { false } else { true }
    }

    /// Finds the end of the unreadable stretch, within the last step.
    private mutating func turnBack(_ probe: SQLiteStatement) throws {
        var bad = next - lastStep
        while next - bad > 1 {
            let middle = bad + (next - bad) / 2
            if try canRead(from: middle, probe) { next = middle } else { bad = middle }
        }
        (failures, lastStep) = (0, 1)
    }

    private mutating func move(behind rowid: Int64) {
        isOver = rowid == .max
        if !isOver { next = rowid + 1 }
    }

    private var lastStep: Int64 = 1

    private mutating func skip() {
        // Negative rowids are always explicit.
        if next == .min { next = 0 }
        failures += 1
        tries += 1
        lastStep = step
        let (place, isTooFar) = next.addingReportingOverflow(lastStep)
        if isTooFar { isOver = true } else { next = place }
    }

    private var step: Int64 {
        if tries > Self.careLimit { return 1 << min(62, failures) }
        if failures < Self.care { return 1 }
        return failures < Self.patience ? Self.smallStep : 1 << min(62, failures - Self.patience)
    }
}
