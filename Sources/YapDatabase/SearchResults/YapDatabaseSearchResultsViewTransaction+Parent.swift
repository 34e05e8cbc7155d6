import ListChanges

// Results in the groups and the order of a parent view: always a part of the parent's rows, in its order.
extension YapDatabaseSearchResultsViewTransaction {
    /// The most rows that are searched one by one. More are found by walking the parent.
    private static let singleRows = 64

    /// Follows what the parent did since this was last called, and one changed row.
    func followParent(and row: ChangedRow? = nil) throws {
        guard let parent = try parent() else { return }
        var changes = ParentChanges()
        let log = parent.settledPages().log
        for operation in log[min(followed, log.count)...] { try note(operation, &changes) }
        followed = log.count
        if let row { changes.updated[row.rowid, default: []].formUnion(row.flags) }
        if changes.isEmpty { return }
        guard changes.isSmall else {
            try arrange(matches(of: text).rowids)
            for (rowid, flags) in changes.sortedUpdates { try noteUpdate(rowid, flags) }
            return
        }
        if let rowid = changes.moved.first {
            let place = try settledPages().place(ofRowid: rowid)
            if let place { try settledPages().remove(rowid, key: existingKey(ofRowid: rowid), at: place) }
            let row = try changedRow(rowid, changes.updated[rowid] ?? [])
            try self.place(row, from: place?.group, in: parent)
        }
        for (rowid, flags) in changes.sortedUpdates where !changes.moved.contains(rowid) {
            try place(changedRow(rowid, flags), from: nil, in: parent)
        }
    }

    /// The rows of the parent that changed.
    private struct ParentChanges {
        /// Rows that may have another place.
        var moved: Set<Int64> = []
        /// Rows that keep their place.
        var updated: [Int64: ChangeFlags] = [:]
        /// Whether a group was emptied at once.
        var isCleared = false

        var isEmpty: Bool { moved.isEmpty && updated.isEmpty && !isCleared }
        /// Whether rows can be placed one by one: no two of them are in the wrong place.
        var isSmall: Bool { moved.count <= 1 && updated.count <= singleRows && !isCleared }
        var sortedUpdates: [(Int64, ChangeFlags)] { updated.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
    }

    private func note(_ operation: RawOperation, _ changes: inout ParentChanges) throws {
        switch operation {
        case .insertSection: return
        case .resetSection, .deleteSection: changes.isCleared = true
        case .insertRow(_, _, let key), .deleteRow(_, _, let key):
            // A row that is gone has left the results already.
            if let rowid = try transaction.rowid(forKey: key) { changes.moved.insert(rowid) }
        case .updateRow(_, _, let key, let flags):
            if let rowid = try transaction.rowid(forKey: key) {
                changes.updated[rowid, default: []].formUnion(flags)
            }
        }
    }

    private func changedRow(_ rowid: Int64, _ flags: ChangeFlags) throws -> ChangedRow {
        ChangedRow(
            rowid: rowid, key: try existingKey(ofRowid: rowid), flags: flags, isTouch: false, given: (nil, nil),
            size: 0,
            transaction: transaction)
    }

    /// Puts a row where it belongs, which is nowhere if it does not match or the parent does not have it.
    func place(_ row: ChangedRow, from former: String?, in parent: YapDatabaseViewTransaction) throws {
        let place = try settledPages().place(ofRowid: row.rowid)
        guard let wanted = try parent.settledPages().place(ofRowid: row.rowid), isAllowed(wanted.group),
            try isMatch(row.rowid, row.key)
        else {
            if let place { return try remove(row.rowid, row.key, at: place) }
            if former != nil { try notifyFollowers(.left(row.rowid, row.key)) }
            return
        }
        if let place { return try noteUpdate(row, at: place) }
        var (low, high) = (0, settledPages().count(inGroup: wanted.group))
        while low < high {
            let middle = (low + high) / 2
            let other = try settledPages().rowid(at: middle, inGroup: wanted.group).flatMap {
                try parent.settledPages().place(ofRowid: $0)
            }
            guard let other, other.group.hasSameBytes(as: wanted.group) else {
                throw YapDatabaseError.damagedView(name, "it has a row that its parent view does not have")
            }
            if other.index < wanted.index { low = middle + 1 } else { high = middle }
        }
        try settledPages().insert(row.rowid, key: row.key, inGroup: wanted.group, at: low)
        try notifyFollowers(.placed(row, from: former))
    }

    /// Records that a row changed, if it is in the results.
    func noteUpdate(_ rowid: Int64, _ flags: ChangeFlags) throws {
        guard let place = try settledPages().place(ofRowid: rowid) else { return }
        try noteUpdate(changedRow(rowid, flags), at: place)
    }

    /// Makes the results hold exactly the rows of the parent that are in `rowids`. O(rows of the parent), in which no row is
    /// decoded.
    func arrange(_ rowids: Set<Int64>, while isWanted: () -> Bool = { true }) throws {
        guard let parent = try parent() else { return }
        var groups: [ArrangedGroup] = []
        for group in parent.allGroups() where isAllowed(group) && !rowids.isEmpty {
            let rows = try parent.settledPages().rowids(inGroup: group).filter {
                try rowids.contains($0) && isAllowedRow($0)
            }
            guard isWanted() else { return }
            if !rows.isEmpty { groups.append(ArrangedGroup(name: group, rows: rows)) }
        }
        let before = settledPages().log.count
        try settledPages().rearrange(to: groups, key: existingKey)
        if settledPages().log.count > before { try notifyFollowers(.rearranged(.groups)) }
    }

    private func isAllowed(_ group: String) -> Bool { view.allowedGroups?.isAllowed(group) ?? true }

    private func isAllowedRow(_ rowid: Int64) throws -> Bool {
        try view.settings.allowedCollections == nil || isAllowed(existingKey(ofRowid: rowid))
    }
}
