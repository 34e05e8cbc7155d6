import ListChanges

/// A view as one transaction sees it: the snapshot's state, and inside a read-write transaction the edits on top.
///
/// Edits keep the pages that they touch open as plain arrays, note which page a row is on in an overlay of the map
/// table, and append to the log. Nothing goes to the store before ``persist()``.
///
/// Cost of an edit of one row: O(log n) for the place, one page to shift. No edit walks a group.
final class ViewPages {
    /// What a page may hold at commit; the original's number, so that its files and ours look alike.
    static let maxRowsAtCommit = 50
    /// What a page may grow to inside a transaction: larger pages make bulk inserts cheap, and are cut at commit.
    static let maxRowsWhileOpen = 1600

    let name: String
    let store: Store
    let isPersistent: Bool
    let cache: PageCache?
    var state: ViewState
    /// What was done, in order.
    var log: [RawOperation] = []

    /// The pages that this transaction changed, by page key. Their content is this transaction's own.
    var openPages: [String: PageContent] = [:]
    /// Pages that are not in the store yet.
    var newPages: Set<String> = []
    /// Pages that are still in the store but no longer in the view.
    var droppedPages: Set<String> = []
    /// Pages that may follow another page than the store says.
    var relinkedPages: Set<String> = []
    /// Whether everything that was in the store is gone.
    var isCleared = false
    /// Changes to the map: the page that holds a row, or nil for none.
    var mapChanges: [Int64: String?] = [:]

    init(name: String, store: Store, isPersistent: Bool, cache: PageCache?, state: ViewState) {
        self.name = name
        self.store = store
        self.isPersistent = isPersistent
        self.cache = cache
        self.state = state
    }

    var hasChanges: Bool { !log.isEmpty || isCleared }
}

/// Where a row is in its group, and on which page.
struct RowPlace {
    let group: String
    let pageKey: String
    let label: Int64
    /// The row's position on its page.
    let offset: Int
    /// The row's position in its group.
    let index: Int
}

extension ViewPages {
    func count(inGroup group: String) -> Int { state.count(inGroup: group) }

    /// The row at a position of a group, or nil beyond its end.
    func rowid(at index: Int, inGroup group: String) throws -> Int64? {
        guard let place = state.groups[group]?.pages.element(atWeight: index) else { return nil }
        return try rows(of: place.value)[place.offset]
    }

    /// Where a row is, or nil if it is not in the view.
    func place(ofRowid rowid: Int64) throws -> RowPlace? {
        guard let pageKey = try pageKey(ofRowid: rowid) else { return nil }
        guard let address = state.addresses[pageKey], let list = state.groups[address.group],
            let page = list.pages[address.label]
        else { throw YapDatabaseError.damagedView(name, "row \(rowid) is on page \(pageKey), which does not exist") }
        guard let offset = try rows(of: page).firstIndex(of: rowid) else {
            throw YapDatabaseError.damagedView(name, "row \(rowid) is not on page \(pageKey), where it should be")
        }
        return RowPlace(
            group: address.group, pageKey: pageKey, label: address.label, offset: offset,
            index: list.pages.weight(before: address.label) + offset)
    }

    func pageKey(ofRowid rowid: Int64) throws -> String? {
        if let change = mapChanges[rowid] { return change }
        if isCleared { return nil }
        return isPersistent ? try store.pageKey(ofRowid: rowid, view: name) : state.map[rowid]?.pageKey
    }

    func rows(of page: Page) throws -> [Int64] {
        try page.content.rows(cache: isPersistent ? cache : nil) {
            require(isPersistent, "A page of a view in memory must have its rows.")
            return try store.rows(ofPage: page.key, count: page.count, view: name)
        }
    }

    /// The first row of a page; where a page is empty, as other programs may leave them, of the next one that is not.
    ///
    /// - Throws: ``YapDatabaseError`` when neither the page nor one behind it has a row.
    func firstRowid(fromPage page: Page, _ label: Int64, of list: SortedTree<Int64, Page>) throws -> Int64 {
        var (page, label) = (page, label)
        while true {
            if let first = page.content.first { return first }
            if let first = try rows(of: page).first { return first }
            // The labels rise, so this ends with the pages.
            guard let next = list.element(after: label) else {
                throw YapDatabaseError.damagedView(name, "the last pages of a group are empty")
            }
            (page, label) = (next.value, next.key)
        }
    }

    /// Visits the rows of a range of a group, page by page; stops when `body` returns false.
    /// O(log n + rows visited).
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
