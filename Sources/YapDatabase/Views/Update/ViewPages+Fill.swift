import FileEngine
import ListChanges

// What a ViewFiller does to a view.
extension ViewPages {
    func requireMissing(_ group: String) {
        require(state.groups[group] == nil, "The group \"\(group)\" is there already.")
    }

    /// Deletes what the store holds of a view that was cleared.
    func clearStore() throws {
        if isCleared, isPersistent { try store.removeAllPages(view: name) }
        isCleared = false
    }

    /// Makes a page and, if the view has any there, writes it to the store.
    func page(of rowids: [Int64], after previous: String?, _ group: String) throws -> Page {
        let content = PageContent(.random(), rows: isPersistent ? nil : rowids, first: rowids.first)
        guard isPersistent else { return Page(count: rowids.count, content: content) }
        let record = PageRecord(key: content.key, group: group, previous: previous, count: rowids.count)
        content.record = try store.insertPage(record, rows: rowids, view: name)
        return Page(count: rowids.count, content: content)
    }

    /// Writes the map of groups that were filled.
    func write(_ map: FilledMap, _ tally: inout Tally) throws {
        if isPersistent {
            let fill = try store.mapFill(view: name)
            try map.forEachPortion { rows, pages in
                try fill.write(rows, pages: pages)
                try tally.add(rows.count)
            }
        } else {
            try map.forEachPortion { rows, pages in
                for row in rows { state.map[row.rowid] = MapEntry(page: pages[Int(row.page)]) }
                try tally.add(rows.count)
            }
        }
    }
}
