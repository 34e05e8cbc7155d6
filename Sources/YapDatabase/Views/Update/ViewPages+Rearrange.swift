import ListChanges

// Brings a whole view to another content. The log has the fewest operations: rows that stay in their group and keep their order
// are not in it, and a row that moves is deleted once and inserted once.
extension ViewPages {
    /// Makes the view hold exactly these rows, in this order. O(n log n) for n rows; groups that stay the same cost O(n).
    ///
    /// - Parameter key: the key of a row that is in the view or in the target.
    func rearrange(to target: [ArrangedGroup], key: (Int64) throws -> RowKey) throws {
        var keys: [Int64: RowKey] = [:]
        func rowKey(_ rowid: Int64) throws -> RowKey {
            if let known = keys[rowid] { return known }
            let key = try key(rowid)
            keys[rowid] = key
            return key
        }
        let wanted = Set(target.map(\.name))
        var gone: [ArrangedGroup] = []
        state.groups.forEach { group, _ in
            if !wanted.contains(group) { gone.append(ArrangedGroup(name: group, rows: [])) }
            return true
        }
        let plans = try (gone + target).compactMap { group -> GroupPlan? in
            let before = try rowids(inGroup: group.name)
            if before == group.rows { return nil }
            guard Set(before).count == before.count else {
                throw YapDatabaseError.damagedView(name, "a row occurs twice in the group \"\(group.name)\"")
            }
            return GroupPlan(group, before: before)
        }
        // A row that changes its group must be deleted before it is inserted.
        for plan in plans { try takeOut(plan, rowKey) }
        for plan in plans { try putIn(plan, rowKey) }
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
                mapChanges.updateValue(nil, forKey: rowid)
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
        return RowPlace(group: group, pageKey: page.value.key, label: page.key, offset: page.offset, index: index)
    }

    /// Puts the rows on new pages, without a word in the log. An empty page stays until the commit.
    private func replaceRows(ofGroup group: String, by rows: [Int64]) {
        if state.groups[group] == nil { _ = addGroup(group) }
        state.groups[group]!.pages.forEach { _, page in
            state.addresses.remove(page.key)
            forget(page.key)
            return true
        }
        var pages: [SortedTree<Int64, Page>.Element] = []
        for start in stride(from: 0, to: max(rows.count, 1), by: Self.maxRowsAtCommit) {
            let page = newPage(rows: Array(rows[start..<min(start + Self.maxRowsAtCommit, rows.count)]))
            let label = Int64(pages.count) * pageLabelGap
            for rowid in rows[start..<(start + page.count)] { mapChanges.updateValue(page.key, forKey: rowid) }
            state.addresses.insert(PageAddress(group: group, label: label), for: page.key)
            pages.append((label, page))
        }
        state.groups.update(group) { $0.pages = SortedTree(sorted: pages) }
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
    /// Indexes in `after` of the rows that come or move, ascending.
    let added: [Int]
    /// Whether so much changes that new pages cost less than many edits of the old ones.
    let isWholesale: Bool

    /// - Parameter before: each row once.
    init(_ target: ArrangedGroup, before: [Int64]) {
        let after = target.rows
        (group, self.after, self.before) = (target.name, after, before)
        let places = Dictionary(uniqueKeysWithValues: zip(before, before.indices))
        let common = after.indices.filter { places[after[$0]] != nil }
        let kept = common.longestRising { places[after[$0]]! }
        var (stays, isKept) = (
            [Bool](repeating: false, count: before.count), [Bool](repeating: false, count: after.count)
        )
        for index in kept {
            stays[places[after[index]]!] = true
            isKept[index] = true
        }
        removed = before.indices.filter { !stays[$0] }
        added = after.indices.filter { !isKept[$0] }
        let changes = removed.count + added.count
        isWholesale = changes > 64 && changes > max(before.count, after.count) / 4
    }
}
