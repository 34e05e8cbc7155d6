import FileEngine

/// The rowids that stand for another row after a change than before it.
///
/// A rowid is no identity: if the row with the greatest one is removed, SQLite gives it to the next row. So the keys
/// before and after are compared, by their bytes. Only a row on a page that was written can have another key, and only
/// rows in reach, and those at another place, are told of. So the cost is that of what changed: two reads of a key for
/// each such row, about six microseconds, whatever the length of the list. No more keys are held in memory than those of
/// the rows shown.
///
/// A row that has no key, such as an edge or a row of another table, is known by its rowid.
struct ReusedRowids {
    private let before: ListContent
    private let after: ListContent
    private let touched: TouchedRows
    private var compared: Set<Int64> = []
    private(set) var rowids: Set<Int64> = []

    /// The most rows whose keys are compared, in about half a second. If more may have another key, the list is reloaded.
    private static let limit = 100_000

    init(_ before: ListContent, _ after: ListContent, _ touched: TouchedRows) {
        (self.before, self.after, self.touched) = (before, after, touched)
    }

    /// Compares the keys of some rows. Where the older state is gone and the key was not shown, the row counts as another
    /// one: a removal and an insertion are true of both.
    /// - Returns: false if there are too many.
    mutating func compare(_ candidates: [Int64]) throws -> Bool {
        guard before.subject.hasKeys else { return true }
        let unknown = candidates.filter { touched.contains($0) && compared.insert($0).inserted }
        guard compared.count <= Self.limit else { return false }
        let old = try before.keys(of: unknown)
        for (rowid, key) in try after.keys(of: unknown).found {
            guard let earlier = old.found[rowid] else {
                if old.isGone { rowids.insert(rowid) }
                continue
            }
            if earlier != key { rowids.insert(rowid) }
        }
        return true
    }
}

extension ListContent {
    /// The most keys that are kept: those of the rows that a follower reports on.
    private static let keptKeys = FileStep.reachLimit

    /// Keeps the key of a row that is shown, for the time when this state is gone.
    package func keepKey(of row: BrowsedRow) {
        guard subject.hasKeys, let address = row.address else { return }
        shownKeys.withLock { keys in
            if keys.count >= Self.keptKeys { keys = [:] }
            keys[row.rowid] = address
        }
    }

    /// Reads and keeps the keys of the rows that are shown, and of no others.
    package func keepKeys(of rowids: [Int64]) throws {
        let found = try keys(of: rowids).found
        shownKeys.withLock { $0 = found }
    }

    /// Keeps the keys that the rows had in an older state, but for those that may have others now.
    func keepKeys(of before: ListContent, except touched: TouchedRows) {
        let kept = before.shownKeys.withLock { $0 }.filter { !touched.contains($0.key) }
        shownKeys.withLock { $0 = kept }
    }

    /// Returns the keys of rows; none for a row that has none, or is not there.
    /// - Returns: also whether this state is gone, so that only the keys of rows that were shown are found.
    func keys(of rowids: [Int64]) throws -> (found: [Int64: BrowsedRow.Address], isGone: Bool) {
        guard subject.hasKeys else { return ([:], false) }
        let kept = shownKeys.withLock { $0 }
        var found: [Int64: BrowsedRow.Address] = [:]
        var unknown: [Int64] = []
        for rowid in rowids {
            if let key = kept[rowid] { found[rowid] = key } else { unknown.append(rowid) }
        }
        do {
            for start in stride(from: 0, to: unknown.count, by: Self.keysAtOnce) {
                try snapshot.work { store in
                    for rowid in unknown[start..<min(start + Self.keysAtOnce, unknown.count)] {
                        found[rowid] = try keyRow(rowid, store).address
                    }
                }
            }
            return (found, false)
        } catch let error as YapDatabaseError where error.code == .reloadNeeded {
            return (found, true)
        }
    }

    /// The keys read while others wait, in a few milliseconds.
    private static let keysAtOnce = 1_000

    /// Returns the row at a place with its key alone, as far as it is known without the file.
    func rememberedRow(at index: Int, inGroup group: String) -> BrowsedRow? {
        guard let sequence = knownSequences.withLock({ $0 })?.first(where: { $0.group.hasSameBytes(as: group) }),
            sequence.rowids.indices.contains(index)
        else { return nil }
        let rowid = sequence.rowids[index]
        return BrowsedRow(rowid: rowid, address: shownKeys.withLock { $0[rowid] })
    }
}
