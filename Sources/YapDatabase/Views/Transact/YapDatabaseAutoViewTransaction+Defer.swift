import ListChanges

// Many rows of one transaction are placed together, which costs a sort and a merge whatever their order is.
extension YapDatabaseAutoViewTransaction {
    /// Whether a row may get its place later. Views that follow this one need to know of each change at once.
    func canDefer() throws -> Bool {
        guard let transaction = transaction as? YapDatabaseReadWriteTransaction else { return false }
        guard deferred.isEmpty else { return true }
        guard unsettledPages.log.count >= DeferredRows.placedAtOnce,
            !followers(in: transaction).contains(where: \.followsRows)
        else {
            return false
        }
        try transaction.noteViewChange()
        return true
    }

    func `defer`(_ row: RowContent, to group: String) throws {
        let number = arranger.ordersByNumber ? try arrangement.sorting.number(of: row) : nil
        deferred.add(row, to: group, number: number, keys: unsettledPages.log.keys)
        if deferred.isFull { try placeDeferredRows() }
    }

    /// Updates a row that has no place yet. Where the blocks need not be asked again, their former answers hold.
    func updateDeferred(_ row: ChangedRow, _ former: RowContent, _ group: String) throws {
        var newGroup: String? = group
        if arrangement.grouping.invoke.includes(row) {
            guard let content = try content(of: row, arrangement.grouping.needs) else { return }
            newGroup = try arrangement.grouping.group(transaction, content)
        }
        guard let newGroup else { return }
        let isSortedAgain = !newGroup.hasSameBytes(as: group) || arrangement.sorting.invoke.includes(row)
        guard let sorted = isSortedAgain ? try content(of: row, arrangement.sorting.needs) : former else { return }
        try `defer`(sorted, to: newGroup)
    }

    /// Gives the collected rows their places. O(k log k) comparisons of them with each other, and O(k log(n / k)) with the n rows
    /// of the groups, each of which is read at most a few times.
    func placeDeferredRows() throws {
        guard !deferred.isEmpty else { return }
        let waiting = deferred
        deferred = DeferredRows()
        unsettledPages.reserveLog(waiting.count)
        try waiting.forEachGroup { group, rows in
            let sorted = try arrangement.sorting.sorted(rows) {
                try !arranger.ordersByNumber
                    && arrangement.sorting.compare(transaction, group, $0, $1) == .orderedAscending
            }
            let places = try arranger.places(for: sorted, inGroup: group)
            try unsettledPages.merge(sorted, at: places, inGroup: group)
            try arranger.remember(sorted)
        }
    }
}
