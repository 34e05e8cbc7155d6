import SQLiteBridge
import YapDatabase

/// A walk over a table in the order of its rowids, which goes around what cannot be read.
struct TableWalk: Sendable {
    /// Places of a damaged stretch that are tried before the walk goes on in ever wider steps.
    private static let patience = 4_000
    /// Fewer rows than a page usually has, so that none that can be read is stepped over.
    private static let widestStep: Int64 = 16

    private(set) var isOver = false
    /// Why some rows are left out, if any are.
    private(set) var damage: (any Error)?
    private var next = Int64.min
    private var failures = 0

    /// Visits the next rows, at most so many; fewer also where something cannot be read. Repeat until `isOver`.
    /// - Parameter columns: what is read of each row behind its rowid, with a comma in front.
    mutating func visit(
        _ limit: Int, of table: String, _ columns: String, _ store: Store, _ body: (SQLiteStatement) -> Void
    ) throws {
        let start = "FROM \(table) NOT INDEXED WHERE rowid >= ? ORDER BY rowid LIMIT"
        if failures > 0 {
            let probe = try store.handle.statement("SELECT rowid \(start) 1")
            guard canRead(from: next, probe) else { return skip() }
            try turnBack(probe)
        }
        let statement = try store.handle.statement("SELECT rowid\(columns) \(start) \(limit)")
        defer { statement.reset() }
        do {
            try statement.bind(next, at: 1)
            var count = 0
            while try statement.step() {
                count += 1
                move(behind: statement.int64(at: 0))
                body(statement)
            }
            isOver = isOver || count < limit
        } catch {
            damage = damage ?? error
            skip()
        }
    }

    private func canRead(from rowid: Int64, _ probe: SQLiteStatement) -> Bool {
        defer { probe.reset() }
        return (try? probe.bind(rowid, at: 1)) != nil && (try? probe.step()) != nil
    }

    /// Finds the end of the stretch that cannot be read, within the last step.
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
        // Nobody has rowids below 0 but who chose them.
        if next == .min { next = 0 }
        failures += 1
        let (place, isTooFar) = next.addingReportingOverflow(step)
        if isTooFar { isOver = true } else { next = place }
    }

    private var step: Int64 {
        failures < Self.patience ? min(Int64(failures), Self.widestStep) : 1 << min(62, failures - Self.patience)
    }
}
