import FileEngine
import ListChanges
import ViewPageKeys

/// Fills the groups of a view from sorted rows. A page is written to the store when it has its rows, so that no more than its own are in
/// memory. O(n log n).
///
/// The view has its groups when all are filled. The state of a view that is stored is made as when a file is opened, from a summary of
/// its pages: 34 bytes a page, until pages are visited.
///
/// A population of many rows is not in the log: a list that shows the view is loaded again, as nothing smaller would be quicker.
///
/// - Precondition: the view is empty.
final class GroupWriter: RowSink {
    private let pages: ViewPages
    private let map: PageMapSorter
    // Unchecked: a member is called when the one before has returned, and each row would be checked.
    @exclusivity(unchecked) private var group = ""
    /// The rows of the page that is being filled.
    @exclusivity(unchecked) private var rows: [Int64] = []
    /// The key of the page before it in its group.
    @exclusivity(unchecked) private var previous: PageKey?
    @exclusivity(unchecked) private var filled: PageCollector
    /// The number of rows of the group.
    @exclusivity(unchecked) private var count = 0
    /// The most rows that are in the log.
    private let maxLogged: Int
    @exclusivity(unchecked) private var logged = 0
    private let firstLogged: Int
    /// Gets the first rows of pages.
    private let compared: (any ComparedRows)?

    init(_ pages: ViewPages, compared: (any ComparedRows)? = nil, limit: ViewPopulation.Limit = .current) {
        require(pages.state.isEmpty, "Only an empty view can be filled.")
        (self.pages, self.compared) = (pages, compared)
        filled = PageCollector(isPersistent: pages.isPersistent)
        map = PageMapSorter(limit: 4 * limit.rows, folder: pages.store.folder)
        maxLogged = limit.rows
        firstLogged = pages.log.count
        rows.reserveCapacity(ViewPages.rowsOfFilledPage)
    }

    func begin(_ group: String) {
        self.group = group
        (count, previous) = (0, nil)
    }

    func add(_ row: SortedRow) throws {
        if count == 0 { try beginFirstPage() }
        if rows.isEmpty { try compared?.rememberFirst(row) }
        rows.append(row.rowid)
        if rows.count == ViewPages.rowsOfFilledPage { try endPage() }
        log(row.key)
        count += 1
    }

    /// Ends the group. One without rows is none.
    func end() throws { if !rows.isEmpty { try endPage() } }

    /// Gives the view its groups, and writes on which pages the rows are, when all groups are filled.
    func endAll(_ counter: inout ProgressCounter) throws {
        pages.state = filled.state()
        pages.isFilled = true
        try pages.write(map, &counter)
    }

    private func beginFirstPage() throws {
        try pages.clearStore()
        filled.begin(group)
        if !pages.isUnlogged { pages.log.append(.insertSection(group: group)) }
    }

    private func log(_ key: RowKey?) {
        if pages.isUnlogged { return }
        if let key, logged < maxLogged {
            pages.log.append(.insertRow(group: group, index: count, key: key))
            logged += 1
        } else {
            pages.isUnlogged = true
            pages.log = OperationLog(pages.log.prefix(firstLogged))
        }
    }

    private func endPage() throws {
        let key = PageKey.random()
        let page = PageRecord(key: key.text, group: group, previous: previous?.text, count: rows.count)
        let record = pages.isPersistent ? try pages.store.insertPage(page, rows: rows, view: pages.name) : nil
        filled.add(key, rows, record: record)
        try map.add(rows, to: key.name)
        previous = key
        rows.removeAll(keepingCapacity: true)
    }
}

// What a GroupWriter does to a view.
extension ViewPages {
    /// Deletes what the store holds of a view that was cleared.
    func clearStore() throws {
        if isCleared, isPersistent { try store.removeAllPages(view: name) }
        isCleared = false
    }

    /// Writes the map of groups that were filled.
    func write(_ map: PageMapSorter, _ counter: inout ProgressCounter) throws {
        if isPersistent {
            let writer = try store.pageMapWriter(view: name)
            try map.forEachPortion { rows, pages in
                try writer.write(rows, pages: pages)
                try counter.add(rows.count)
            }
        } else {
            try map.forEachPortion { rows, pages in
                for row in rows { state.map[row.rowid] = MapEntry(page: pages[Int(row.page)]) }
                try counter.add(rows.count)
            }
        }
    }
}
