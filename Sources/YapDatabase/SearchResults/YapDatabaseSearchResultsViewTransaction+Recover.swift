import Foundation
import ListChanges

// Rows that changed while the results were not notified.
extension YapDatabaseSearchResultsViewTransaction {
    /// Whether the search has the rows. A state that is completed in memory has the table of the search as it is, which may lack rows.
    private var isSearchCurrent: Bool {
        guard let writer = transaction as? YapDatabaseReadWriteTransaction, writer.isCompleting else { return true }
        return writer.behind[view.fullTextSearchName] == nil
    }

    /// Gives rows the places that they should have. Before the search itself has them, only rows that are gone are taken out.
    func placeAgain(_ rows: RowsToPlace) throws {
        if rows.isAllGone { try didRemoveAll() }
        for row in rows.removed where try settledPages().hasRow(row.rowid) { try didRemove([row]) }
        guard isSearchCurrent, !text.isEmpty else { return }
        if rows.mayLackOthers {
            try show(matches(of: text))
            for row in rows.changed { try noteUpdate(row.rowid, row.flags) }
            return
        }
        let parent = try parent()
        for row in rows.changed { arranger?.compared.forget(row.rowid) }
        if parent == nil, rows.changed.count == 1 { return try follow(rows.changed[0]) }
        var moving = Dictionary(uniqueKeysWithValues: rows.changed.map { ($0.rowid, $0) })
        for one in try unmoved(rows.changed, parent) {
            try noteUpdate(one.row, at: one.place)
            moving[one.row.rowid] = nil
        }
        let sorted = moving.values.sorted { $0.rowid < $1.rowid }
        for row in sorted {
            if let place = try settledPages().place(ofRowid: row.rowid) { try remove(row.rowid, row.key, at: place) }
        }
        for row in sorted {
            if let parent { try place(row, from: nil, in: parent) } else { try follow(row) }
        }
        followed = parent?.settledPages().log.count ?? 0
    }

    /// The rows that match and may stay where they are.
    private func unmoved(_ rows: [ChangedRow], _ parent: YapDatabaseViewTransaction?) throws -> [ChangedPlace] {
        var groups = ExactDictionary<[ChangedPlace]>()
        for row in rows {
            guard let place = try settledPages().place(ofRowid: row.rowid) else { continue }
            groups[place.group, default: []].append(ChangedPlace(row: row, place: place))
        }
        return try groups.sorted { $0.key < $1.key }.flatMap { group, candidates in
            try settledPages().staying(candidates) { one, before, after in
                guard try isMatch(one.row.rowid, one.row.key) else { return false }
                return try parent.map { try isBetween(one.row, before, after, group, in: $0) }
                    ?? isBetween(one.row, before, after, group)
            }
        }
    }

    private func isBetween(
        _ row: ChangedRow, _ before: Int64?, _ after: Int64?, _ group: String, in parent: YapDatabaseViewTransaction
    ) throws -> Bool {
        func index(_ rowid: Int64) throws -> Int? {
            try parent.settledPages().place(ofRowid: rowid).flatMap {
                $0.group.hasSameBytes(as: group) ? $0.index : nil
            }
        }
        guard let own = try index(row.rowid) else { return false }
        return try (before.map { try index($0) ?? .max < own } ?? true)
            && (after.map { try index($0) ?? .min > own } ?? true)
    }

    private func isBetween(_ row: ChangedRow, _ before: Int64?, _ after: Int64?, _ group: String) throws -> Bool {
        let arrangement = view.arrangement!
        let content = try RowContent(row, needs: arrangement.needs)
        guard try group.isName(arrangement.grouping.group(transaction, content)) else { return false }
        func compare(_ rowid: Int64) throws -> ComparisonResult? {
            let other = try transaction.content(ofRowid: rowid, needs: arrangement.sorting.needs)
            return try other.map { try arrangement.sorting.compare(transaction, group, content, $0) }
        }
        return try (before.map { try compare($0) ?? .orderedAscending != .orderedAscending } ?? true)
            && (after.map { try compare($0) ?? .orderedDescending != .orderedDescending } ?? true)
    }
}
