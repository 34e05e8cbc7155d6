import ListChanges

/// Fills a view from rows that are read for several extensions at once.
final class ViewReceiver: RowReceiver {
    /// Unchecked: a member is called when the one before has returned, and each row would be checked.
    @exclusivity(unchecked) private var population: ViewPopulation
    private let didEnd: (UndecodableRows) throws -> Void

    /// - Parameter didEnd: receives the rows that are left out.
    init(_ population: ViewPopulation, didEnd: @escaping (UndecodableRows) throws -> Void) throws {
        self.population = population
        self.didEnd = didEnd
        try self.population.begin()
    }

    var allowedCollections: YapWhitelistBlacklist? { population.allowed }
    var needs: RowNeeds { population.arrangement.needs }
    var isConcurrent: Bool { true }

    func receive(_ row: ScannedRow) throws { try population.add(row) }

    func receive(_ rows: [DecodedRow], in transaction: YapDatabaseReadTransaction) throws {
        try population.add(rows, in: transaction)
    }

    func sort(in transaction: YapDatabaseReadTransaction) throws { try population.sortLastBatch(in: transaction) }

    func end() throws {
        try population.fillGroups()
        try didEnd(population.undecodable)
    }
}

/// Takes the rows of a view, group by group, each in order.
protocol RowSink: AnyObject {
    /// Begins a group. Groups come in the order of their names.
    func begin(_ group: String) throws
    /// Adds the next row of the group.
    func add(_ row: SortedRow) throws
    /// Ends the group.
    func end() throws
}

/// A row that a sink receives in the order of its group, with what is known of it.
struct SortedRow {
    let rowid: Int64
    /// Nil if there are too many rows to hold their keys.
    var key: RowKey?
    /// The row's sort number, if it decides the order alone; nil otherwise.
    var number: UInt64?
    /// The content that the view's blocks need; nil if it is not held.
    var content: RowContent?
}

/// Collects the rows of a view.
final class GroupCollector: RowSink {
    private(set) var groups: [ArrangedGroup] = []
    /// The keys of some rows.
    private(set) var keys: [Int64: RowKey] = [:]
    private var group = ""
    private var rows: [Int64] = []

    /// The most keys that are held. The others are read again where they are needed.
    private static let maxKeys = 1 << 18

    func begin(_ group: String) { self.group = group }

    func add(_ row: SortedRow) {
        rows.append(row.rowid)
        if let key = row.key, keys.count < Self.maxKeys { keys[row.rowid] = key }
    }

    func end() {
        groups.append(ArrangedGroup(name: group, rows: rows))
        rows = []
    }
}

extension ViewPopulation {
    /// Passes on the present rows of each group of the view in their new order. Does not call the grouping block, and
    /// reads of the rows only what the sorting block needs.
    ///
    /// The rows are read in the order of the table, which is quick, and in which most rows of most views are nearly sorted.
    /// - Returns: the rows that cannot be decoded and are left out.
    func sortAgain(into sink: any RowSink) throws -> UndecodableRows {
        var work = self
        let groups = try work.rankRows()
        let reader = try ContentReader(transaction, arrangement.sorting.needs, isAscending: true)
        for row in work.ranks {
            let isThere = try reader.row(row.rowid) { key, read in
                let content: RowContent
                do { content = try arrangement.content(read) } catch {
                    return try work.leaveOut(row.rowid, key, error)
                }
                content.rank = row.rank
                try work.hold(content, inGroup: groups[row.group], in: transaction)
            }
            if !isThere { throw missing(row.rowid) }
        }
        try work.end(into: sink)
        return work.undecodable
    }

    /// - Returns: the groups of the view that have rows.
    private mutating func rankRows() throws -> [String] {
        var groups: [String] = []
        pages.state.groups.forEach { group, list in
            if list.weight > 0 { groups.append(group) }
            return true
        }
        for (number, group) in groups.enumerated() {
            for (rank, rowid) in try pages.rowids(inGroup: group).enumerated() {
                ranks.append(RowRank(rowid: rowid, group: number, rank: rank))
            }
        }
        ranks.sort { $0.rowid < $1.rowid }
        return groups
    }
}

/// The present group and place of a row in a view.
struct RowRank {
    let rowid: Int64
    let group: Int
    let rank: Int
}

extension [RowRank] {
    /// Returns the index of a rowid that is in the array. The array is sorted by rowid. O(log n).
    func firstIndex(ofRowid rowid: Int64) -> Int {
        var (low, high) = (0, count - 1)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].rowid < rowid { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
