import Foundation
import ListChanges

/// Fills a view from all rows of the database.
///
/// Rows are read and decoded once, and sorted in memory, as long as they fit into a batch. Larger databases are sorted
/// batch by batch, and the batches are merged, for which each row is read and decoded a second time.
struct ViewPopulation {
    /// What a batch may hold decoded at once: so many rows, of so many stored bytes.
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
    /// Gets three units for each row: it is read, it is put in order, it has its place in the file. Cancelling is heard between
    /// any two of them, but not while a batch is sorted.
    var progress: Progress?

    /// - Precondition: the view is empty.
    func run() throws {
        var runs: [String: [[ArrangedRow]]] = [:]
        var batch: [String: [RowContent]] = [:]
        var held = Limit(rows: 0, bytes: 0)
        var tally = try Tally(progress) { 3 * (try transaction.count(allowedCollections: allowed)) }
        func endBatch() throws {
            for (group, rows) in batch { runs[group, default: []].append(try sorted(rows, group)) }
            batch = [:]
            held = Limit(rows: 0, bytes: 0)
        }
        let needs = arrangement.needs
        try transaction.enumerateRows(allowedCollections: allowed, columns: needs.isEmpty ? .keys : .values) { row, _ in
            let content = try RowContent(row, needs: needs)
            guard let group = try arrangement.grouping.group(transaction, content) else { return try tally.add(3) }
            try tally.add()
            batch[group, default: []].append(content)
            held.rows += 1
            held.bytes += content.size
            if held.rows >= limit.rows || held.bytes >= limit.bytes { try endBatch() }
        }
        try endBatch()
        for (group, runs) in runs.sorted(by: { $0.key < $1.key }) {
            try pages.fill(group, with: merged(runs, group, &tally), &tally)
        }
    }

    private func sorted(_ rows: [RowContent], _ group: String) throws -> [ArrangedRow] {
        // Numbers are moved about at no cost; references would be counted each time.
        try rows.indices.map(Int32.init).stablySorted { try precedes(rows[Int($0)], rows[Int($1)], group) }.map {
            ArrangedRow(rowid: rows[Int($0)].rowid, key: rows[Int($0)].key)
        }
    }

    /// Rows of an earlier run stand before equal ones of a later run.
    private func merged(_ runs: [[ArrangedRow]], _ group: String, _ tally: inout Tally) throws -> [ArrangedRow] {
        if runs.count == 1 {
            try tally.add(runs[0].count)
            return runs[0]
        }
        var heads = try runs.indices.map { try RunHead(run: $0, content: content(of: runs[$0][0])) }
        var merged: [ArrangedRow] = []
        merged.reserveCapacity(runs.reduce(0) { $0 + $1.count })
        heads = try heads.stablySorted { try precedes($0.content, $1.content, group) }
        while var head = heads.first {
            merged.append(runs[head.run][head.position])
            try tally.add()
            heads.removeFirst()
            head.position += 1
            guard head.position < runs[head.run].count else { continue }
            head.content = try content(of: runs[head.run][head.position])
            try heads.insert(head, at: place(of: head, in: heads, group))
        }
        return merged
    }

    /// The row of a run that comes next.
    private struct RunHead {
        let run: Int
        var position = 0
        var content: RowContent
    }

    /// O(log of the runs) comparisons.
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

    private func content(of row: ArrangedRow) throws -> RowContent {
        guard let content = try transaction.content(ofRowid: row.rowid, needs: arrangement.sorting.needs) else {
            throw YapDatabaseError.damagedView(view, "row \(row.rowid) does not exist")
        }
        return content
    }
}
