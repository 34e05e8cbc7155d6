import ListChanges

// Brings a whole view to another content. The log has the fewest operations: rows that stay in their group and keep their order
// are not in it, and a row that moves is deleted once and inserted once.
extension ViewPages {
    /// Makes the view hold exactly these rows, in this order. O(n log n) for n rows; groups that stay the same cost O(n).
    ///
    /// - Parameters:
    ///   - known: the keys of some rows.
    ///   - key: the key of another row that is in the view or in the target.
    func rearrange(
        to target: [ArrangedGroup], known: [Int64: RowKey] = [:], key: (Int64) throws -> RowKey
    ) throws {
        var keys = known
        func rowKey(_ rowid: Int64) throws -> RowKey {
            if let known = keys[rowid] { return known }
            let key = try key(rowid)
            keys[rowid] = key
            return key
        }
        let wanted = target.map(\.name).exact
        var gone: [ArrangedGroup] = []
        state.groups.forEach { group, _ in
            if !wanted.contains(ExactString(group)) { gone.append(ArrangedGroup(name: group, rows: [])) }
            return true
        }
        let plans = try (gone + target).compactMap { group -> GroupPlan? in
            let before = try rowids(inGroup: group.name)
            if before == group.rows { return nil }
            guard let plan = GroupPlan(group, before: before) else {
                throw YapDatabaseError.damagedView(name, "a row occurs twice in the group \"\(group.name)\"")
            }
            return plan
        }
        // A row that changes its group must be deleted before it is inserted.
        for plan in plans { try takeOut(plan, rowKey) }
        for plan in plans { try putIn(plan, rowKey) }
    }

    /// The rows of all groups.
    var allRowids: [Int64] {
        get throws {
            var (groups, rowids) = ([String](), [Int64]())
            state.groups.forEach { group, _ in
                groups.append(group)
                return true
            }
            for group in groups { rowids += try self.rowids(inGroup: group) }
            return rowids
        }
    }

    func rowids(inGroup group: String) throws -> [Int64] {
        var rowids: [Int64] = []
        rowids.reserveCapacity(count(inGroup: group))
        guard let list = state.groups[group] else { return [] }
        try list.pages.forEach { _, page in
            rowids += try rows(of: page)
            return true
        }
        return rowids
    }

    private func takeOut(_ plan: GroupPlan, _ key: (Int64) throws -> RowKey) throws {
        for index in plan.removed.reversed() {
            let (rowid, group) = (plan.before[index], plan.group)
            if plan.isWholesale {
                if plan.leaving.contains(index) { mapChanges.updateValue(nil, forKey: rowid) }
                log.append(.deleteRow(group: group, index: index, key: try key(rowid)))
            } else {
                try remove(rowid, key: key(rowid), at: place(at: index, inGroup: group))
            }
        }
    }

    private func putIn(_ plan: GroupPlan, _ key: (Int64) throws -> RowKey) throws {
        if plan.isWholesale { replaceRows(ofGroup: plan.group, by: plan.after) }
        for index in plan.added {
            let (rowid, group) = (plan.after[index], plan.group)
            if plan.isWholesale {
                log.append(.insertRow(group: group, index: index, key: try key(rowid)))
            } else {
                try insert(rowid, key: key(rowid), inGroup: group, at: index)
            }
        }
    }

    private func place(at index: Int, inGroup group: String) -> RowPlace {
        let page = state.groups[group]!.pages.element(atWeight: index)!
        return RowPlace(group: group, label: page.key, offset: page.offset, index: index)
    }

    /// Puts the rows on filled pages, without a word in the log: on those of the group, then on new ones. An empty page stays until
    /// the commit.
    private func replaceRows(ofGroup group: String, by rows: [Int64]) {
        if state.groups[group] == nil { _ = addGroup(group) }
        var pages: [SortedTree<Int64, Page>.Element] = []
        state.groups[group]!.pages.forEach { label, page in
            pages.append((label, page))
            return true
        }
        let size = Self.rowsOfFilledPage
        let count = max(1, (rows.count + size - 1) / size)
        for place in pages.indices.reversed() where place >= count { drop(page: pages[place].key, ofGroup: group) }
        for place in 0..<count {
            let piece = Array(rows[place * size..<min((place + 1) * size, rows.count)])
            if place < pages.count {
                let label = pages[place].key
                state.groups.update(group) { $0.pages.update(label) { open(&$0, rows: piece) } }
            } else {
                let (label, page) = (pages[place - 1].key + pageLabelGap, newPage(rows: piece))
                pages.append((label, page))
                state.groups.update(group) { $0.pages.insert(page, for: label) }
                state.addresses.insert(PageAddress(group: group, label: label), for: page.content.name)
            }
            let content = pages[place].value.content
            for rowid in piece { mapChanges.updateValue(content, forKey: rowid) }
        }
    }
}

/// A group with its rows in order.
struct ArrangedGroup {
    let name: String
    let rows: [Int64]
}

/// What happens to the rows of one group.
private struct GroupPlan {
    let group: String
    let before: [Int64]
    let after: [Int64]
    /// Indexes in `before` of the rows that leave or move, ascending.
    let removed: [Int]
    /// Indexes in `before` of the rows that leave the group.
    let leaving: Set<Int>
    /// Indexes in `after` of the rows that come or move, ascending.
    let added: [Int]
    /// Whether so much changes that new pages cost less than many edits of the old ones.
    let isWholesale: Bool

    /// Nil if a row is twice in `before`.
    init?(_ target: ArrangedGroup, before: [Int64]) {
        let after = target.rows
        (group, self.after, self.before) = (target.name, after, before)
        var places = [Int64: Int](minimumCapacity: before.count)
        for (index, rowid) in before.enumerated() where places.updateValue(index, forKey: rowid) != nil { return nil }
        /// The index in `before` of each row of `after`; -1 for those that come.
        let origins = after.map { places[$0] ?? -1 }
        var (stays, isKept) = (
            [Bool](repeating: false, count: before.count), [Bool](repeating: false, count: after.count)
        )
        for index in origins.indices.filter({ origins[$0] >= 0 }).longestRising({ origins[$0] }) {
            stays[origins[index]] = true
            isKept[index] = true
        }
        removed = before.indices.filter { !stays[$0] }
        added = after.indices.filter { !isKept[$0] }
        for origin in origins where origin >= 0 { stays[origin] = true }
        leaving = Set(before.indices.filter { !stays[$0] })
        let changes = removed.count + added.count
        isWholesale = changes > 64 && changes > max(before.count, after.count) / 4
    }
}

/// A row of a view that changed, and its place from before.
struct ChangedPlace {
    let row: ChangedRow
    let place: RowPlace
}

extension ViewPages {
    /// Finds which rows are still in order after several rows changed at once. A row can be placed by a search only if all other rows are in
    /// order, so the caller first takes out the rows that are not.
    ///
    /// - Parameters:
    ///   - changed: rows of one group, in any order.
    ///   - isBetween: whether a row may stand between two rows of the group, nil at its ends.
    /// - Returns: the rows that may stay, in the order of the list. O(k) calls for k rows.
    func staying(
        _ changed: [ChangedPlace], isBetween: (_ place: ChangedPlace, _ before: Int64?, _ after: Int64?) throws -> Bool
    ) throws -> [ChangedPlace] {
        let changed = changed.sorted { $0.place.index < $1.place.index }
        // The next row after each that has not changed.
        var next = changed.map { $0.place.index + 1 }
        for index in changed.indices.dropLast().reversed() where next[index] == changed[index + 1].place.index {
            next[index] = next[index + 1]
        }
        var staying: [ChangedPlace] = []
        var before: (index: Int, position: Int) = (-1, -1)
        for (index, one) in changed.enumerated() {
            let group = one.place.group
            // The row before it that stays: its neighbour, unless that changed too; then the one that was found for that.
            let isNeighbour = index > 0 && changed[index - 1].place.index == one.place.index - 1
            let position = isNeighbour ? before.position : one.place.index - 1
            let isInOrder = try isBetween(
                one, position < 0 ? nil : rowid(at: position, inGroup: group), rowid(at: next[index], inGroup: group))
            before = (index, isInOrder ? one.place.index : position)
            if isInOrder { staying.append(one) }
        }
        return staying
    }
}
