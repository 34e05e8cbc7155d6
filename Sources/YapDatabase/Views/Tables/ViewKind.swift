import FileEngine
import SQLiteBridge
import ViewPageKeys

/// The tables of views.
struct ViewKind: ExtensionKind {
    private static let manual = "YapDatabaseManualView"

    var classNames: Set<String> { TableOwner.Kind.view.classes }

    /// What was put into a manual view follows from no row.
    func noteRowsChange(in collection: String?, of name: String, _ store: Store) throws -> DormantChange {
        if try store.registeredExtension(name)?.className == Self.manual {
            return try store.hasViewTables(view: name) ? .follows : .settled
        }
        if try store.excludes(collection, extension: name) { return .none }
        try store.markStale(extension: name)
        return .settled
    }

    /// Takes rows from the pages, and drops pages that become empty.
    func removeRows(_ rows: [Int64], of name: String, _ store: Store) throws {
        try store.endPageSummary(ofView: name)
        var gone: [String: Set<Int64>] = [:]
        for row in rows {
            guard let page = try store.pageKey(ofRowid: row, view: name) else { continue }
            gone[page, default: []].insert(row)
            try store.setPage(nil, ofRowid: row, view: name)
        }
        for (page, gone) in gone.sorted(by: { $0.key < $1.key }) {
            guard let (count, previous) = try store.countAndPrevious(ofPage: page, view: name) else {
                throw YapDatabaseError.damagedView(name, "page \(page) is missing")
            }
            let (rows, record) = try store.rows(ofPage: PageKey(page), count: count, view: name)
            let kept = rows.filter { !gone.contains($0) }
            if kept.isEmpty {
                try store.setPrevious(previous, ofPageAfter: page, view: name)
                try store.removePage(page, view: name)
            } else {
                try store.setRows(kept, ofPage: PageKey(page), at: record, view: name)
            }
        }
    }

    func removeAllRows(of name: String, _ store: Store) throws { try store.removeAllPages(view: name) }

    func willCommitNothing(from before: Int, to after: Int, _ store: Store) throws {
        try store.renewPageSummaries(from: before, to: after)
    }

    func check(_ check: WholeFileCheck, _ report: inout YapDatabaseCheckReport) throws {
        for name in try check.store.names(.view) {
            check.progress("the view \"\(name)\"")
            try check.checking("view", name, &report) { store, report in
                if let view = try store.viewSummary(name) { report.views.append(view) }
                report.problems += try ViewCheck(store, name).problems()
            }
        }
    }
}

extension Store {
    /// The content of a view; nil if one of its tables is missing.
    func viewSummary(_ name: String) throws -> YapDatabaseCheckReport.View? {
        guard try hasViewTables(view: name) else { return nil }
        let table = Store.quoted("view_\(name)_page")
        let groups = try first(#"SELECT count(DISTINCT "group") FROM \#(table)"#) { Int($0.int64(at: 0)) } ?? 0
        // A float, because the sum of counts in a damaged file may overflow an integer.
        let rows = try first(#"SELECT total("count") FROM \#(table)"#) { $0.double(at: 0) } ?? 0
        return try YapDatabaseCheckReport.View(
            name: name, groups: groups, rows: Int(exactly: rows.rounded()) ?? (rows < 0 ? .min : .max),
            isStale: registeredExtension(name)?.isStale ?? false)
    }
}

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
            CASE typeof("data") WHEN 'blob' THEN length("data") WHEN 'text' THEN -1 ELSE 0 END, typeof("pageKey") <> 'text' OR \
            typeof("group") <> 'text' OR typeof("prevPageKey") NOT IN ('text', 'null') FROM \(rowids.pageTable) ORDER BY rowid
            """)
        defer { pages.reset() }
        var summarized = try SummarizedPages(store, view: name)
        var order = CursorOrder(.rowid)
        while try pages.step() {
            try order.advance(to: pages)
            let key = PageName(pages, at: 1)
            let group = pages.withBytes(at: 2) { chains.group(named: $0) }
            chains.add(key, after: pages.size(at: 3) == 0 ? nil : PageName(pages, at: 3), inGroup: group)
            if pages.int64(at: 6) != 0 {
                notes.add("page \(pages.text(at: 1) ?? "") has a key, a group or a predecessor that is no text")
            }
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
