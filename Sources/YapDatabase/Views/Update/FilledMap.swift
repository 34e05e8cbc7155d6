import FileEngine

/// On which pages the rows are of groups that are filled, until the map is written: for all groups at once, in the order of the rowids,
/// so that the map table grows at its end.
struct FilledMap {
    fileprivate private(set) var rows: [MapFill.Row] = []
    fileprivate private(set) var pageKeys: [String] = []
    /// The number of rows, of 16 bytes each, at which the map is written.
    let limit: Int

    init(limit: Int = 1 << 20) { self.limit = limit }

    var isFull: Bool { rows.count >= limit }

    mutating func add(_ rowids: [Int64], to pageKeys: [String]) {
        let first = Int32(self.pageKeys.count)
        for (index, rowid) in rowids.enumerated() {
            rows.append((rowid, first + Int32(index / ViewPages.rowsOfFilledPage)))
        }
        self.pageKeys += pageKeys
    }

    fileprivate mutating func sort() { rows.sort { $0.rowid < $1.rowid } }
}

extension ViewPages {
    /// Writes the map of groups that were filled, which then is empty.
    func write(_ map: inout FilledMap, _ tally: inout Tally) throws {
        map.sort()
        if isPersistent {
            try store.mapFill(view: name).write(map.rows, pageKeys: map.pageKeys) { try tally.add($0) }
        } else {
            let pages = map.pageKeys.map { PageName($0) }
            for (rowid, page) in map.rows { state.map[rowid] = MapEntry(page: pages[Int(page)]) }
            try tally.add(map.rows.count)
        }
        map = FilledMap(limit: map.limit)
    }
}
