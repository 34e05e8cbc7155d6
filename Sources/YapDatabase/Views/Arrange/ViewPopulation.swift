import Foundation
import ListChanges

/// Fills a view from all rows of the database.
///
/// Rows are read once, in batches of bounded size; each batch is sorted in memory, so that a row of it is decoded once
/// however often it is compared, and then merged: the next row of a batch is looked for only behind the one before.
struct ViewPopulation {
    /// Decoded rows that are held at once.
    static let batch = 2048

    let view: String
    let allowed: YapWhitelistBlacklist?
    let transaction: YapDatabaseReadTransaction
    let pages: ViewPages
    var arranger: ViewArranger

    mutating func run() throws {
        var batch: [String: [RowContent]] = [:]
        var held = 0
        let needs = arranger.arrangement.needs
        try transaction.enumerateRows(allowedCollections: allowed, columns: needs.isEmpty ? .keys : .values) { row, _ in
            let content = RowContent(
                rowid: row.rowid, key: row.key, object: needs.contains(.object) ? try row.object() : nil,
                metadata: needs.contains(.metadata) ? try row.metadata() : nil)
            guard let group = try arranger.arrangement.grouping.group(transaction, content) else { return }
            batch[group, default: []].append(content)
            held += 1
            if held == Self.batch {
                try merge(batch)
                batch = [:]
                held = 0
            }
        }
        try merge(batch)
    }

    private mutating func merge(_ batch: [String: [RowContent]]) throws {
        for (group, rows) in batch.sorted(by: { $0.key < $1.key }) {
            var start = 0
            for row in try sorted(rows, group: group) {
                let index = try arranger.index(for: row, inGroup: group, from: start)
                try pages.insert(row.rowid, key: row.key, inGroup: group, at: index)
                start = index + 1
            }
        }
    }

    /// A merge sort, because the standard library's sort does not promise to keep equal rows in order.
    private func sorted(_ rows: [RowContent], group: String) throws -> [RowContent] {
        if rows.count < 2 { return rows }
        let middle = rows.count / 2
        let left = try sorted(Array(rows[..<middle]), group: group)
        let right = try sorted(Array(rows[middle...]), group: group)
        var merged: [RowContent] = []
        merged.reserveCapacity(rows.count)
        var l = 0
        var r = 0
        while l < left.count, r < right.count {
            if try arranger.arrangement.sorting.compare(transaction, group, right[r], left[l]) == .orderedAscending {
                merged.append(right[r])
                r += 1
            } else {
                merged.append(left[l])
                l += 1
            }
        }
        return merged + left[l...] + right[r...]
    }
}
