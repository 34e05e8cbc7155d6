import FileEngine
import SQLiteBridge
import ViewPageKeys

/// Checks the tables of one view against each other and against the rows.
///
/// A page holds rowids as little-endian 64-bit integers. The pages of a group form a list in which each names its
/// predecessor. The map names the page of each rowid.
///
/// Memory: that of ``PageChains``, a batch of rowids and, if the file has a summary of the pages, that and 48 bytes a page.
struct ViewCheck {
    let store: Store
    let name: String
    private let isStale: Bool
    private var notes = ProblemNotes()

    init(_ store: Store, _ name: String) throws {
        self.store = store
        self.name = name
        isStale = try store.registeredExtension(name)?.isStale ?? false
    }

    func problems() throws -> [YapDatabaseProblem] {
        var check = self
        try check.run()
        let followsFromRows = try store.followsFromRows(extension: name)
        return check.notes.all.map {
            .inExtension(name, "view \"\(name)\": \($0)", followsFromRows: followsFromRows)
        }
    }

    private mutating func run() throws {
        guard try store.registeredExtension(name) != nil else {
            return notes.add("has tables, but no entry in yap2")
        }
        for suffix in ["page", "map"] where try !store.hasTable("view_\(name)_\(suffix)") {
            return notes.add("has no \(suffix) table")
        }
        var chains = PageChains()
        var rowids = ViewRowidCheck(store, view: name, isStale: isStale)
        // SQLite stores the length of a blob before it, so this query reads no blob.
        let pages = try store.handle.statement(
            """
            SELECT rowid, "pageKey", "group", "prevPageKey", "count", \
            CASE typeof("data") WHEN 'blob' THEN length("data") WHEN 'text' THEN -1 ELSE 0 END FROM \(rowids.pageTable) ORDER BY rowid
            """)
        defer { pages.reset() }
        var summarized = try SummarizedPages(store, view: name)
        var order = CursorOrder(.rowid)
        while try pages.step() {
            try order.advance(to: pages)
            let key = PageName(pages, at: 1)
            let group = pages.withBytes(at: 2) { chains.group(named: $0) }
            chains.add(key, after: pages.size(at: 3) == 0 ? nil : PageName(pages, at: 3), inGroup: group)
            let first = try rowids.add(pages, key, &notes)
            summarized?.add(key, group: group, count: pages.int64(at: 4), first: first)
        }
        let chained = chains.order { notes.add($0) }
        summarized?.compare(chained, chains.groups, &notes)
        try rowids.end(&notes)
    }
}

/// The first problems that a check found; a large view may have one for every row.
struct ProblemNotes {
    private static let limit = 1_000

    private var texts: [String] = []
    private var others = 0

    /// - Parameter text: not evaluated once the limit is reached.
    mutating func add(_ text: @autoclosure () throws -> String) rethrows {
        if texts.count < Self.limit { texts.append(try text()) } else { others += 1 }
    }

    var all: [String] { others == 0 ? texts : texts + ["\(others) more problems of this kind are not listed"] }
}
