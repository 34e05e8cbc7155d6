import FileEngine
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
