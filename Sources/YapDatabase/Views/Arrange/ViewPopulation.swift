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

    /// Calls the body with each group of the view and its present rows in their new order. Does not call the grouping block, and
    /// reads of the rows only what the sorting block needs.
    func sortAgain(_ body: (String, [ArrangedRow]) throws -> Void) throws {
        var tally = Tally(nil) { 0 }
        var groups: [String] = []
        pages.state.groups.forEach { group, list in
            if list.weight > 0 { groups.append(group) }
            return true
        }
        for group in groups {
            let rowids = try pages.rowids(inGroup: group)
            if let contents = try contents(of: rowids) {
                try body(group, sorted(contents, group))
            } else {
                try body(group, merged(sortedRuns(of: rowids, group), group, &tally))
            }
        }
    }

    /// The rows in the given order, read in the order of the table; nil if they are too many for a batch.
    private func contents(of rowids: [Int64]) throws -> [RowContent]? {
        if rowids.count > limit.rows { return nil }
        var contents = [RowContent?](repeating: nil, count: rowids.count)
        var bytes = 0
        for index in rowids.indices.sorted(by: { rowids[$0] < rowids[$1] }) {
            let content = try content(of: rowids[index])
            bytes += content.size
            if bytes > limit.bytes { return nil }
            contents[index] = content
        }
        return contents.map { $0! }
    }

    private func sortedRuns(of rowids: [Int64], _ group: String) throws -> [[ArrangedRow]] {
        var runs: [[ArrangedRow]] = []
        var (batch, bytes): ([RowContent], Int) = ([], 0)
        for rowid in rowids {
            batch.append(try content(of: rowid))
            bytes += batch[batch.count - 1].size
            guard batch.count >= limit.rows || bytes >= limit.bytes else { continue }
            runs.append(try sorted(batch, group))
            (batch, bytes) = ([], 0)
        }
        if !batch.isEmpty { runs.append(try sorted(batch, group)) }
        return runs
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
        var heads = try runs.indices.map { try RunHead(run: $0, content: content(of: runs[$0][0].rowid)) }
        var merged: [ArrangedRow] = []
        merged.reserveCapacity(runs.reduce(0) { $0 + $1.count })
        heads = try heads.stablySorted { try precedes($0.content, $1.content, group) }
        while var head = heads.first {
            merged.append(runs[head.run][head.position])
            try tally.add()
            heads.removeFirst()
            head.position += 1
            guard head.position < runs[head.run].count else { continue }
            head.content = try content(of: runs[head.run][head.position].rowid)
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
        try arrangement.sorting.compare(transaction, group, first, second) == .orderedAscending
    }

    private func content(of rowid: Int64) throws -> RowContent {
        guard let content = try transaction.content(ofRowid: rowid, needs: arrangement.sorting.needs) else {
            throw YapDatabaseError.damagedView(view, "row \(rowid) does not exist")
        }
        return content
    }
}
