import ListChanges

// Results in the groups and the order of a parent view: always a part of the parent's rows, in its order.
extension YapDatabaseSearchResultsViewTransaction {
    /// The most rows that are placed one by one. More are found by walking the parent.
    private static let singleRows = 64

    /// Follows what the parent did since this was last called, and one changed row.
    func followParent(and row: ChangedRow? = nil) throws {
        guard let parent = try parent() else { return }
        var changes = ParentChanges()
        let log = parent.pages.log
        for operation in log[min(followed, log.count)...] { try note(operation, &changes) }
        followed = log.count
        if let row { changes.updated[row.rowid, default: []].formUnion(row.flags) }
        if changes.isEmpty { return }
        if !changes.cleared.isEmpty { try removeRows { group, _ in !changes.cleared.contains(group) } }
        for rowid in changes.moved.sorted() {
            guard let place = try pages.place(ofRowid: rowid) else { continue }
            try pages.remove(rowid, key: existingKey(ofRowid: rowid), at: place)
        }
        guard changes.moved.count + changes.updated.count <= Self.singleRows, changes.cleared.isEmpty else {
            let matches = try matches(of: text)
            try removeRows { _, rowid in matches.rowids.contains(rowid) }
            for (rowid, flags) in changes.updated { try noteUpdate(rowid, flags) }
            return try mergeParent(matches.rowids)
        }
        for rowid in changes.moved.sorted() { try place(rowid, [], in: parent) }
        for (rowid, flags) in changes.updated where !changes.moved.contains(rowid) {
            try place(rowid, flags, in: parent)
        }
    }

    /// The rows of the parent that changed.
    private struct ParentChanges {
        /// Rows that may have another place.
        var moved: Set<Int64> = []
        /// Rows that keep their place.
        var updated: [Int64: ChangeFlags] = [:]
        /// Groups that were emptied at once.
        var cleared: Set<String> = []

        var isEmpty: Bool { moved.isEmpty && updated.isEmpty && cleared.isEmpty }
    }

    private func note(_ operation: RawOperation, _ changes: inout ParentChanges) throws {
        switch operation {
        case .insertSection: return
        case .resetSection(let group), .deleteSection(let group): changes.cleared.insert(group)
        case .insertRow(_, _, let key), .deleteRow(_, _, let key):
            // A row that is gone has left the results already.
            if let rowid = try transaction.rowid(forKey: key) { changes.moved.insert(rowid) }
        case .updateRow(_, _, let key, let flags):
            if let rowid = try transaction.rowid(forKey: key) {
                changes.updated[rowid, default: []].formUnion(flags)
            }
        }
    }

    /// Puts a row where it belongs, which is nowhere if it does not match or the parent does not have it.
    private func place(_ rowid: Int64, _ flags: ChangeFlags, in parent: YapDatabaseViewTransaction) throws {
        let key = try existingKey(ofRowid: rowid)
        let place = try pages.place(ofRowid: rowid)
        guard let wanted = try parent.pages.place(ofRowid: rowid), isAllowed(wanted.group), try isMatch(rowid, key)
        else {
            if let place { try pages.remove(rowid, key: key, at: place) }
            return
        }
        if let place { return pages.noteUpdate(key: key, at: place, flags: flags) }
        var (low, high) = (0, pages.count(inGroup: wanted.group))
        while low < high {
            let middle = (low + high) / 2
            let other = try pages.rowid(at: middle, inGroup: wanted.group).flatMap {
                try parent.pages.place(ofRowid: $0)
            }
            guard let other, other.group == wanted.group else {
                throw YapDatabaseError.damagedView(name, "it has a row that its parent view does not have")
            }
            if other.index < wanted.index { low = middle + 1 } else { high = middle }
        }
        try pages.insert(rowid, key: key, inGroup: wanted.group, at: low)
    }

    private func noteUpdate(_ rowid: Int64, _ flags: ChangeFlags) throws {
        guard let place = try pages.place(ofRowid: rowid) else { return }
        try pages.noteUpdate(key: existingKey(ofRowid: rowid), at: place, flags: flags)
    }

    /// Adds the rows of the parent that are in `rowids`. O(rows of the parent), in which no row is decoded.
    func mergeParent(_ rowids: Set<Int64>, while isWanted: () -> Bool = { true }) throws {
        guard let parent = try parent() else { return }
        for group in parent.allGroups() where isAllowed(group) {
            var present = try self.rowids(inGroup: group)[...]
            var new: [(rowid: Int64, index: Int)] = []
            var index = 0
            try parent.pages.forEachRowid(
                inGroup: group, range: 0..<parent.numberOfItems(inGroup: group), reversed: false
            ) { place, rowid in
                if place % 1_024 == 0, !isWanted() { return false }
                if rowid == present.first {
                    present.removeFirst()
                } else if rowids.contains(rowid), try isAllowedRow(rowid) {
                    new.append((rowid, index))
                } else {
                    return true
                }
                index += 1
                return true
            }
            for (count, row) in new.enumerated() {
                if count % 64 == 0, !isWanted() { return }
                try pages.insert(row.rowid, key: existingKey(ofRowid: row.rowid), inGroup: group, at: row.index)
            }
        }
    }

    /// Removes rows of an earlier launch that do not fit the parent any more.
    func removeStrayRows() throws {
        guard let parent = try parent() else { return }
        var last: (group: String, index: Int)?
        var isOrdered = true
        for group in allGroups() {
            for rowid in try rowids(inGroup: group) {
                let place = try parent.pages.place(ofRowid: rowid)
                guard let place, place.group == group, isAllowed(group) else {
                    isOrdered = false
                    continue
                }
                if let last, last.group == group, last.index > place.index { isOrdered = false }
                last = (group, place.index)
            }
        }
        if !isOrdered { pages.removeAll() }
    }

    private func isAllowed(_ group: String) -> Bool { view.allowedGroups?.isAllowed(group) ?? true }

    private func isAllowedRow(_ rowid: Int64) throws -> Bool {
        try view.settings.allowedCollections == nil || isAllowed(existingKey(ofRowid: rowid))
    }
}
