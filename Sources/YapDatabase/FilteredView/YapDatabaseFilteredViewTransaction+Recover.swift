import ListChanges

// Rows that changed while the view was not notified.
extension YapDatabaseFilteredViewTransaction {
    /// Gives rows the places that they should have. If the parent placed them in this transaction, it told of all of them. If not, no other rows
    /// of it have changed their places.
    func placeAgain(_ rows: RowsToPlace, in parent: YapDatabaseViewTransaction) throws {
        let write = transaction as? YapDatabaseReadWriteTransaction
        let isRearranged = write?.rearranging.contains(name) == true
        let isTold = !isRearranged && write?.placed.contains(parent.name) == true
        // First: rows that were removed later may have rowids of those that are shown.
        if rows.isAllGone, !isTold {
            settledPages().removeAll()
            try notifyFollowers(.cleared)
        }
        // Another row may have the rowid of one that is gone, and stand in the parent. Where the parent tells, the former one has left by now.
        for row in rows.removed where try !isTold || !parent.settledPages().hasRow(row.rowid) {
            try takeOut(row.rowid, row.key)
        }
        if rows.mayLackOthers || isRearranged {
            try rearrange(rows, after: parent, asksAll: write?.asking.contains(name) == true)
            for row in rows.changed where isRearranged {
                if let place = try settledPages().place(ofRowid: row.rowid) { try noteUpdate(row, at: place) }
            }
            return
        }
        guard !isTold else { return }
        var moving = Dictionary(uniqueKeysWithValues: rows.changed.map { ($0.rowid, $0) })
        for one in try unmoved(rows.changed, in: parent) {
            try noteUpdate(one.row, at: one.place)
            moving[one.row.rowid] = nil
        }
        for row in moving.values.sorted(by: { $0.rowid > $1.rowid }) { try takeOut(row.rowid, row.key) }
        for row in moving.values.sorted(by: { $0.rowid < $1.rowid }) where try parent.settledPages().hasRow(row.rowid) {
            try place(row, from: nil, in: parent)
        }
    }

    /// Brings the whole view into the parent's order.
    /// - Parameter asksAll: whether the filter is asked about all rows that are not shown, and not only about the changed ones.
    private func rearrange(_ rows: RowsToPlace, after parent: YapDatabaseViewTransaction, asksAll: Bool) throws {
        let reader = try ContentReader(transaction, filtering.needs)
        let asked = Set(rows.changed.map(\.rowid))
        try rearrange(after: parent) { rowid, group in
            try asked.contains(rowid) || asksAll && !settledPages().hasRow(rowid)
                ? content(of: rowid, reader).map { try isIncluded($0, group) } ?? false
                : settledPages().hasRow(rowid)
        }
    }

    /// The changed rows that the filter still includes, and that stand between their neighbours as in the parent: they are updated in place.
    private func unmoved(
        _ rows: [ChangedRow], in parent: YapDatabaseViewTransaction
    ) throws -> [ChangedPlace] {
        var candidates = ExactDictionary<[ChangedPlace]>()
        for row in rows {
            guard let place = try settledPages().place(ofRowid: row.rowid) else { continue }
            candidates[place.group, default: []].append(ChangedPlace(row: row, place: place))
        }
        return try candidates.sorted(by: { $0.key < $1.key }).flatMap { group, candidates in
            func index(_ rowid: Int64) throws -> Int? {
                try parent.settledPages().place(ofRowid: rowid).flatMap {
                    $0.group.hasSameBytes(as: group) ? $0.index : nil
                }
            }
            return try settledPages().staying(candidates) { one, before, after in
                guard let place = try index(one.row.rowid),
                    try !filtering.invoke.includes(one.row)
                        || isIncluded(RowContent(one.row, needs: filtering.needs), group)
                else { return false }
                return try (before.map { try index($0) ?? .max < place } ?? true)
                    && (after.map { try index($0) ?? .min > place } ?? true)
            }
        }
    }

    private func takeOut(_ rowid: Int64, _ key: RowKey) throws {
        if let place = try settledPages().place(ofRowid: rowid) { try remove(rowid, key, at: place) }
    }

    /// The rows of the parent for which the filter answers otherwise than the view shows.
    func misplacedRows(of parent: YapDatabaseViewTransaction, _ check: () throws -> Void) throws -> RowComparison {
        var (found, unnoted) = (RowComparison(), UndecodableNotes(of: self))
        let reader = try ContentReader(transaction, filtering.needs)
        for (number, group) in parent.allGroups().enumerated() {
            if number % 256 == 0 { try check() }
            try forEachRowid(of: parent, group) { rowid in
                var isUnnoted = false
                let content = try unnoted.ifDecodable(rowid, &isUnnoted) { try reader.content(ofRowid: rowid) } ?? nil
                let isWanted = try content.map { try isIncluded($0, group) } ?? false
                // Here it may still stand in the group that it had in the parent before.
                let here = try settledPages().place(ofRowid: rowid)
                let isRight = here.map { isWanted && $0.group.hasSameBytes(as: group) } ?? !isWanted
                guard !isRight || isUnnoted, let key = try transaction.store.key(forRowid: rowid) else { return }
                found.misplaced.append(key)
            }
        }
        found.gone = try settledPages().allRowids.filter { try !parent.settledPages().hasRow($0) }
        return found
    }
}
