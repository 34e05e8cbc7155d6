import ListChanges

/// A row to be added to a view, with its key.
struct ArrangedRow {
    let rowid: Int64
    let key: RowKey
}

extension ViewPages {
    /// Creates a group from sorted rows and writes it to the store page by page. O(n log n).
    ///
    /// - Precondition: the group does not exist, and `rows` is not empty.
    func fill(_ group: String, with rows: [ArrangedRow], _ tally: inout Tally) throws {
        require(state.groups[group] == nil, "The group \"\(group)\" is there already.")
        if isCleared, isPersistent { try store.removeAllPages(view: name) }
        isCleared = false
        log.append(.insertSection(group: group))
        var pages: [SortedTree<Int64, Page>.Element] = []
        for start in stride(from: 0, to: rows.count, by: Self.maxRowsAtCommit) {
            let page = try page(
                of: rows[start..<min(start + Self.maxRowsAtCommit, rows.count)], after: pages.last?.value.key, group)
            let label = Int64(pages.count) * pageLabelGap
            pages.append((label, page))
            state.addresses.insert(PageAddress(group: group, label: label), for: page.key)
        }
        state.groups.insert(PageList(pages: SortedTree(sorted: pages)), for: group)
        try map(rows, to: pages.map(\.value.key), &tally)
        for (index, row) in rows.enumerated() { log.append(.insertRow(group: group, index: index, key: row.key)) }
    }

    private func page(of rows: ArraySlice<ArrangedRow>, after previous: String?, _ group: String) throws -> Page {
        let (key, rowids) = (Self.newPageKey(), rows.map(\.rowid))
        guard isPersistent else { return Page(key: key, count: rowids.count, content: PageContent(rowids)) }
        let record = PageRecord(key: key, group: group, previous: previous, count: rowids.count)
        try store.insertPage(record, rows: rowids, view: name)
        return Page(key: key, count: rowids.count, content: PageContent())
    }

    /// Writes the map in the order of the rowids, so that the map table grows at its end.
    private func map(_ rows: [ArrangedRow], to pageKeys: [String], _ tally: inout Tally) throws {
        let writer = isPersistent ? try store.mapWriter(view: name) : nil
        let order = rows.indices.map { (rowid: rows[$0].rowid, page: $0 / Self.maxRowsAtCommit) }
        for (rowid, page) in order.sorted(by: { $0.rowid < $1.rowid }) {
            if let writer {
                try writer.set(pageKeys[page], ofRowid: rowid)
            } else {
                state.map[rowid] = MapEntry(pageKey: pageKeys[page])
            }
            try tally.add()
        }
    }
}
