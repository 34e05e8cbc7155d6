import FileEngine
import ListChanges

extension ViewPages {
    /// Creates a group from sorted rows and writes it to the store page by page. O(n log n).
    ///
    /// The map is written by ``write(_:_:)``, when all groups are filled.
    /// Rows without keys are not in the log: a list that shows the view is loaded again, as nothing smaller would be quicker.
    ///
    /// - Precondition: the group does not exist, and `rows` is not empty.
    func fill(_ group: String, with rows: ArrangedRows, _ map: inout FilledMap, _ tally: inout Tally) throws {
        require(state.groups[group] == nil, "The group \"\(group)\" is there already.")
        if isCleared, isPersistent { try store.removeAllPages(view: name) }
        isCleared = false
        log.append(.insertSection(group: group))
        var pages: [SortedTree<Int64, Page>.Element] = []
        let rowids = rows.rowids
        for start in stride(from: 0, to: rowids.count, by: Self.rowsOfFilledPage) {
            let page = try page(
                of: Array(rowids[start..<min(start + Self.rowsOfFilledPage, rowids.count)]),
                after: pages.last?.value.key, group)
            let label = Int64(pages.count) * pageLabelGap
            pages.append((label, page))
            state.addresses.insert(PageAddress(group: group, label: label), for: page.content.name)
        }
        state.groups.insert(PageList(pages: SortedTree(sorted: pages)), for: group)
        map.add(rowids, to: pages.map(\.value.key))
        if map.isFull { try write(&map, &tally) }
        guard let keys = rows.keys else { return isUnlogged = true }
        for (index, key) in keys.enumerated() { log.append(.insertRow(group: group, index: index, key: key)) }
    }

    private func page(of rowids: [Int64], after previous: String?, _ group: String) throws -> Page {
        let content = PageContent(.random(), rows: isPersistent ? nil : rowids, first: rowids.first)
        guard isPersistent else { return Page(count: rowids.count, content: content) }
        let record = PageRecord(key: content.key, group: group, previous: previous, count: rowids.count)
        content.record = try store.insertPage(record, rows: rowids, view: name)
        return Page(count: rowids.count, content: content)
    }
}
