import FileEngine
import ListChanges
import ViewPageKeys

/// A view as one transaction sees it: the snapshot's state and, inside a read-write transaction, its edits.
///
/// Edits keep the pages that they change open as plain arrays, record each row's page in an overlay of the map table,
/// and append to the log. ``persist(number:)`` writes everything to the store.
///
/// An edit of one row costs O(log n) to find the place, and shifts one page. No edit walks a group.
final class ViewPages {
    /// The most rows of a page at commit. The original uses the same number, so its files and ours look alike.
    static let maxRowsAtCommit = 50
    /// The rows of a page when a group is filled. A full page would be cut by the first row that is inserted, and each row of its half
    /// that moves to another page is a row of the map to write, mostly on a page of the file of its own.
    static let rowsOfFilledPage = 45
    /// The most rows of a page inside a transaction. Larger pages make bulk inserts cheap and are split at commit.
    static let maxRowsWhileOpen = 1600

    let name: String
    let store: Store
    let isPersistent: Bool
    let cache: PageCache?
    // Unchecked, here and below: one thread uses them, and no body that changes one of them runs code of the app or uses it again.
    @exclusivity(unchecked) var state: ViewState
    /// The operations so far, in order.
    @exclusivity(unchecked) var log: OperationLog
    /// Whether so much was added at once that the log does not have it.
    @exclusivity(unchecked) var isUnlogged = false
    /// Whether the view's tables were made in this transaction: others may know rows of former ones, even if there are none now.
    @exclusivity(unchecked) var isMadeAgain = false
    /// Whether the transaction has filled the whole view, with pages that are in the store already.
    @exclusivity(unchecked) var isFilled = false

    /// The pages that this transaction changed. The transaction owns their content.
    @exclusivity(unchecked) var openPages: [PageName: PageContent] = [:]
    /// Pages that are not in the store yet.
    @exclusivity(unchecked) var newPages: Set<PageName> = []
    /// The keys of pages that are in the store but no longer in the view.
    @exclusivity(unchecked) var droppedPages: [PageName: String] = [:]
    /// Pages whose predecessor may differ from the one in the store.
    @exclusivity(unchecked) var relinkedPages: Set<PageName> = []
    /// Whether all that the store holds of this view is to be deleted.
    @exclusivity(unchecked) var isCleared = false
    /// Changes to the map, by rowid: the page that holds the row, nil if none does. Of the page only the key is stored.
    @exclusivity(unchecked) var mapChanges: [Int64: PageContent?] = [:]
    /// The state before this transaction.
    let before: ViewState

    init(name: String, store: Store, isPersistent: Bool, cache: PageCache?, state: ViewState, log: OperationLog) {
        self.name = name
        self.store = store
        self.isPersistent = isPersistent
        self.cache = cache
        self.state = state
        self.log = log
        before = state
        guard let earlier else { return }
        (openPages, newPages, droppedPages) = (earlier.pages, earlier.newPages, earlier.droppedPages)
        (relinkedPages, isCleared, mapChanges) = (earlier.relinkedPages, earlier.isCleared, earlier.mapChanges)
    }

    var hasChanges: Bool { !log.isEmpty || isUnlogged || isCleared }
    /// The edits of earlier commits that the store lacks; the changes above begin with them.
    var earlier: UnstoredPages? { before.unstored }
    /// Whether the store gets edits of earlier commits.
    var storesEarlierEdits: Bool { earlier != nil && state.unstored == nil }
}

/// A row's position: its group, its index there, and its page.
struct RowPlace {
    let group: String
    /// The page's place among the pages of the group, see `ViewState`.
    let label: Int64
    /// The row's position on its page.
    let offset: Int
    /// The row's position in its group.
    let index: Int
}

extension ViewPages {
    func count(inGroup group: String) -> Int { state.count(inGroup: group) }

    /// The number of groups that lost all rows in this transaction: each has one empty page until the commit.
    var emptyGroups: Int { openPages.values.count { $0.count == 0 } }

    /// Returns the row at a position of a group, or nil beyond its end.
    func rowid(at index: Int, inGroup group: String) throws -> Int64? {
        guard let place = state.groups[group]?.pages.element(atWeight: index) else { return nil }
        return try rows(of: place.value)[place.offset]
    }

    /// Returns the position of a row, or nil if it is not in the view.
    func place(ofRowid rowid: Int64) throws -> RowPlace? {
        guard let page = try page(ofRowid: rowid) else { return nil }
        guard let address = state.addresses[page], let list = state.groups[address.group],
            let content = list.pages[address.label]
        else { throw YapDatabaseError.damagedView(name, "row \(rowid) is on a page that does not exist") }
        guard let offset = try rows(of: content).firstIndex(of: rowid) else {
            throw YapDatabaseError.damagedView(
                name, "row \(rowid) is not on page \(content.key), where it should be")
        }
        return RowPlace(
            group: address.group, label: address.label, offset: offset,
            index: list.pages.weight(before: address.label) + offset)
    }

    /// Returns the group of a row, or nil if it is not in the view. Reads no page.
    func group(ofRowid rowid: Int64) throws -> String? {
        try page(ofRowid: rowid).map { try group(ofPage: $0, withRow: rowid) }
    }

    func group(ofPage page: PageName, withRow rowid: Int64) throws -> String {
        if let address = state.addresses[page] { return address.group }
        throw YapDatabaseError.damagedView(name, "row \(rowid) is on a page that does not exist")
    }

    /// - Precondition: the page is in the view.
    func address(ofPage page: PageName) -> PageAddress { state.addresses[page]! }

    func hasRow(_ rowid: Int64) throws -> Bool { try page(ofRowid: rowid) != nil }

    /// Nil for a row that is not in the view.
    func page(ofRowid rowid: Int64) throws -> PageName? {
        if let change = mapChanges[rowid] { return change?.name }
        if isCleared { return nil }
        return isPersistent ? try store.page(ofRowid: rowid, view: name) : state.map[rowid]?.page
    }

    func rows(of page: Page) throws -> [Int64] {
        try page.content.rows(cache: isPersistent ? cache : nil) { record, first in
            require(isPersistent, "A page of a view in memory must have its rows.")
            let key = page.content.pageKey
            let loaded = try store.rows(ofPage: key, at: record, count: page.count, view: name)
            guard first == nil || first == loaded.rows.first else {
                // Searches went by what a summary of the pages said.
                throw YapDatabaseError.damagedView(name, "page \(key.text) begins with another row than it should")
            }
            return loaded
        }
    }

    /// Returns the first row of a page or, if other programs left that page empty, of the next one that is not.
    ///
    /// - Throws: ``YapDatabaseError`` if neither the page nor any after it has a row.
    func firstRowid(fromPage page: Page, _ label: Int64, of list: SortedTree<Int64, Page>) throws -> Int64 {
        var (page, label) = (page, label)
        while true {
            if let first = page.content.first { return first }
            if let first = try rows(of: page).first { return first }
            // Labels increase, so the loop ends at the last page.
            guard let next = list.element(after: label) else {
                throw YapDatabaseError.damagedView(name, "the last pages of a group are empty")
            }
            (page, label) = (next.value, next.key)
        }
    }

    /// Calls `body` for the rows of a range of a group, page by page, until it returns false. O(log n + rows visited).
    func forEachRowid(
        inGroup group: String, range: Range<Int>, reversed: Bool, _ body: (Int, Int64) throws -> Bool
    ) throws {
        var index = reversed ? range.upperBound - 1 : range.lowerBound
        while range.contains(index), let place = state.groups[group]?.pages.element(atWeight: index) {
            let rows = try rows(of: place.value)
            var offset = place.offset
            while rows.indices.contains(offset), range.contains(index) {
                guard try body(index, rows[offset]) else { return }
                offset += reversed ? -1 : 1
                index += reversed ? -1 : 1
            }
        }
    }
}
