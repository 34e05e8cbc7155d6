import FileEngine
import ListChanges

/// Fills the groups of a view from sorted rows. A page is written to the store when it has its rows, so that no more than its own are in
/// memory. O(n log n).
///
/// A population of many rows is not in the log: a list that shows the view is loaded again, as nothing smaller would be quicker.
///
/// - Precondition: the groups do not exist.
final class ViewFiller: RowSink {
    private let pages: ViewPages
    private let map: FilledMap
    private var group = ""
    /// The rows of the page that is being filled.
    private var rows: [Int64] = []
    private var filled: [SortedTree<Int64, Page>.Element] = []
    private var addresses: [SortedTree<PageName, PageAddress>.Element] = []
    /// The number of rows of the group.
    private var count = 0
    /// The most rows that are in the log.
    private let mostLogged: Int
    private var logged = 0
    private let firstLogged: Int

    init(_ pages: ViewPages, limit: ViewPopulation.Limit = .current) {
        self.pages = pages
        map = FilledMap(limit: 4 * limit.rows, folder: pages.store.folder)
        mostLogged = limit.rows
        firstLogged = pages.log.count
        rows.reserveCapacity(ViewPages.rowsOfFilledPage)
    }

    func begin(_ group: String) {
        pages.requireMissing(group)
        self.group = group
        count = 0
    }

    func add(_ rowid: Int64, _ key: RowKey?) throws {
        if count == 0 { try beginFirstPage() }
        rows.append(rowid)
        if rows.count == ViewPages.rowsOfFilledPage { try endPage() }
        log(key)
        count += 1
    }

    /// Ends the group. One without rows is none.
    func end() throws {
        if !rows.isEmpty { try endPage() }
        guard !filled.isEmpty else { return }
        pages.state.groups.insert(PageList(pages: SortedTree(sorted: filled)), for: group)
        filled = []
    }

    /// Notes where the pages are, and writes on which of them the rows are, when all groups are filled.
    func endAll(_ tally: inout Tally) throws {
        if pages.state.addresses.isEmpty {
            // A tree that is made at once is half as large as one whose keys come in random order.
            addresses.sort { $0.key < $1.key }
            pages.state.addresses = SortedTree(sorted: addresses)
        } else {
            for (page, address) in addresses { pages.state.addresses.insert(address, for: page) }
        }
        addresses = []
        try pages.write(map, &tally)
    }

    private func beginFirstPage() throws {
        try pages.clearStore()
        if !pages.isUnlogged { pages.log.append(.insertSection(group: group)) }
    }

    private func log(_ key: RowKey?) {
        if pages.isUnlogged { return }
        if let key, logged < mostLogged {
            pages.log.append(.insertRow(group: group, index: count, key: key))
            logged += 1
        } else {
            pages.isUnlogged = true
            pages.log.removeSubrange(firstLogged...)
        }
    }

    private func endPage() throws {
        let page = try pages.page(of: rows, after: filled.last?.value.key, group)
        let label = Int64(filled.count) * pageLabelGap
        filled.append((label, page))
        addresses.append((page.content.name, PageAddress(group: group, label: label)))
        try map.add(rows, to: page.content.name)
        rows.removeAll(keepingCapacity: true)
    }
}
