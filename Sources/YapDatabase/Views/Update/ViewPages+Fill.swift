import FileEngine
import ListChanges
import ViewPageKeys

// What a ViewFiller does to a view.
extension ViewPages {
    /// Deletes what the store holds of a view that was cleared.
    func clearStore() throws {
        if isCleared, isPersistent { try store.removeAllPages(view: name) }
        isCleared = false
    }

    /// Writes a page to the store.
    /// - Returns: the rowid of its record.
    func insertPage(_ key: PageKey, _ rowids: [Int64], after previous: PageKey?, _ group: String) throws -> Int64 {
        let record = PageRecord(key: key.text, group: group, previous: previous?.text, count: rowids.count)
        return try store.insertPage(record, rows: rowids, view: name)
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
