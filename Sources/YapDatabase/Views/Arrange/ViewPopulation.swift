import Foundation
import ListChanges

/// Arranges rows in the order of a view's blocks: all rows of the database, or those of the view.
///
/// As long as the rows fit into a batch, they are read and decoded once and sorted in memory. Larger databases are
/// sorted batch by batch and then merged, for which each row is read and decoded a second time.
struct ViewPopulation {
    /// The most rows, and the most stored bytes, that a batch holds decoded at once.
    struct Limit {
        var rows = 131_072
        var bytes = 16 << 20
    }

    let view: String
    let allowed: YapWhitelistBlacklist?
    let transaction: YapDatabaseReadTransaction
    let pages: ViewPages
    let arrangement: Arrangement
    var limit = Limit()
    /// Counts three units for each row: read, sorted, stored. Cancelling takes effect between any two units, but not
    /// while a batch is sorted.
    var progress: Progress?

    /// The sorted batches of each group.
    private var runs: [String: [[ArrangedRow]]] = [:]
    private var batch: [String: [RowContent]] = [:]
    private var held = Limit(rows: 0, bytes: 0)
    /// The present places of the rows, by rowid, where rows that the block calls equal keep them.
    var ranks: [RankedRow] = []
    private var tally = Tally(nil) { 0 }

    init(
        view: String, allowed: YapWhitelistBlacklist?, transaction: YapDatabaseReadTransaction, pages: ViewPages,
        arrangement: Arrangement, limit: Limit = Limit(), progress: Progress? = nil
    ) {
        self.view = view
        self.allowed = allowed
        self.transaction = transaction
        self.pages = pages
        self.arrangement = arrangement
        self.limit = limit
        self.progress = progress
    }

    /// Fills a view from all rows of the database.
    /// - Precondition: the view is empty.
    func fill() throws {
        try arrangeAllRows { group, rows, tally in try pages.fill(group, with: rows, &tally) }
    }

    /// Calls the body with each group, in the order of their names, and its rows in order.
    func arrangeAllRows(_ body: (String, [ArrangedRow], inout Tally) throws -> Void) throws {
        var work = self
        try work.begin()
        let columns: ScanColumns = arrangement.needs.isEmpty ? .keys : .values
        try transaction.enumerateRows(allowedCollections: allowed, columns: columns) { row, _ in try work.add(row) }
        try work.end(body)
    }

    mutating func begin() throws {
        tally = try Tally(progress) { 3 * (try transaction.count(allowedCollections: allowed)) }
    }

    /// Adds the next row of the database.
    mutating func add(_ row: ScannedRow) throws {
        let content = try RowContent(row, needs: arrangement.needs)
        guard let group = try arrangement.grouping.group(transaction, content) else { return try tally.add(3) }
        try tally.add()
        try add(content, to: group)
    }

    /// Adds the next row of a group.
    mutating func add(_ content: RowContent, to group: String) throws {
        batch[group, default: []].append(content)
        held.rows += 1
        held.bytes += content.size
        if held.rows >= limit.rows || held.bytes >= limit.bytes { try endBatch() }
    }

    /// Calls the body as ``arrangeAllRows(_:)`` does.
    mutating func end(_ body: (String, [ArrangedRow], inout Tally) throws -> Void) throws {
        try endBatch()
        for (group, runs) in runs.sorted(by: { $0.key < $1.key }) {
            try body(group, merged(runs, group, &tally), &tally)
        }
    }

    private mutating func endBatch() throws {
        for (group, rows) in batch { runs[group, default: []].append(try sorted(rows, group)) }
        batch = [:]
        held = Limit(rows: 0, bytes: 0)
    }

    private func sorted(_ rows: [RowContent], _ group: String) throws -> [ArrangedRow] {
        // Sorting moves numbers; references would be counted at each move.
        try rows.indices.map(Int32.init).stablySorted { try precedes(rows[Int($0)], rows[Int($1)], group) }.map {
            ArrangedRow(rowid: rows[Int($0)].rowid, key: rows[Int($0)].key)
        }
    }

    /// Merges sorted runs. Rows of an earlier run come before equal rows of a later run.
    private func merged(_ runs: [[ArrangedRow]], _ group: String, _ tally: inout Tally) throws -> [ArrangedRow] {
        if runs.count == 1 {
            try tally.add(runs[0].count)
            return runs[0]
        }
        let reader = try ContentReader(transaction, arrangement.sorting.needs)
        var heads = try runs.indices.map { try RunHead(run: $0, content: content(of: runs[$0][0].rowid, reader)) }
        var merged: [ArrangedRow] = []
        merged.reserveCapacity(runs.reduce(0) { $0 + $1.count })
        heads = try heads.stablySorted { try precedes($0.content, $1.content, group) }
        while var head = heads.first {
            merged.append(runs[head.run][head.position])
            try tally.add()
            heads.removeFirst()
            head.position += 1
            guard head.position < runs[head.run].count else { continue }
            head.content = try content(of: runs[head.run][head.position].rowid, reader)
            try heads.insert(head, at: place(of: head, in: heads, group))
        }
        return merged
    }

    /// The next row of a run.
    private struct RunHead {
        let run: Int
        var position = 0
        var content: RowContent
    }

    /// Finds a run's place among the others. O(log runs) comparisons.
    private func place(of head: RunHead, in heads: [RunHead], _ group: String) throws -> Int {
        var low = 0
        var high = heads.count
        while low < high {
            let middle = (low + high) / 2
            let other = heads[middle]
            let isBehind =
                head.run < other.run
                ? try precedes(other.content, head.content, group) : try !precedes(head.content, other.content, group)
            if isBehind { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func precedes(_ first: RowContent, _ second: RowContent, _ group: String) throws -> Bool {
        switch try arrangement.sorting.compare(transaction, group, first, second) {
        case .orderedAscending: true
        case .orderedSame: first.rank < second.rank
        case .orderedDescending: false
        }
    }

    private func content(of rowid: Int64, _ reader: ContentReader) throws -> RowContent {
        guard let content = try reader.content(ofRowid: rowid) else { throw missing(rowid) }
        if !ranks.isEmpty { content.rank = ranks[ranks.firstIndex(ofRowid: rowid)].rank }
        return content
    }

    func missing(_ rowid: Int64) -> YapDatabaseError {
        YapDatabaseError.damagedView(view, "row \(rowid) does not exist")
    }
}
