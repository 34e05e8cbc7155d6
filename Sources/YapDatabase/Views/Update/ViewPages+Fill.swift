import FileEngine
import ListChanges

extension ViewPages {
    /// Creates a group from sorted rows and writes it to the store page by page. O(n log n).
    ///
    /// Rows without keys are not in the log: a list that shows the view is loaded again, as nothing smaller would be quicker.
    ///
    /// - Precondition: the group does not exist, and `rows` is not empty.
    func fill(_ group: String, with rows: ArrangedRows, _ tally: inout Tally) throws {
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
        try map(rowids, to: pages.map(\.value.content), &tally)
        guard let keys = rows.keys else { return isUnlogged = true }
        for (index, key) in keys.enumerated() { log.append(.insertRow(group: group, index: index, key: key)) }
    }

    private func page(of rowids: [Int64], after previous: String?, _ group: String) throws -> Page {
        let key = Self.newPageKey()
        let content = PageContent(key: key, name: PageName(key), rows: isPersistent ? nil : rowids)
        guard isPersistent else { return Page(count: rowids.count, content: content) }
        let record = PageRecord(key: key, group: group, previous: previous, count: rowids.count)
        try store.insertPage(record, rows: rowids, view: name)
        return Page(count: rowids.count, content: content)
    }

    /// Writes the map in the order of the rowids, so that the map table grows at its end.
    private func map(_ rowids: [Int64], to pages: [PageContent], _ tally: inout Tally) throws {
        let writer = isPersistent ? try store.mapWriter(view: name) : nil
        let order = rowids.indices.map { (rowid: rowids[$0], page: $0 / Self.rowsOfFilledPage) }
        for (rowid, page) in order.sorted(by: { $0.rowid < $1.rowid }) {
            if let writer {
                try writer.set(pages[page].key, ofRowid: rowid)
            } else {
                state.map[rowid] = MapEntry(page: pages[page].name)
            }
            try tally.add()
        }
    }
}
