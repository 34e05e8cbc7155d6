import SQLiteBridge

// The page and map tables of views, `view_<name>_page` and `view_<name>_map`, exactly as the original lays them out.
// `ViewPages+Persist.swift` describes their content.
extension Store {
    package func hasViewTables(view: String) throws -> Bool {
        let count = try first(
            "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN (?, ?)",
            bind: {
                try $0.bind("view_\(view)_page", at: 1)
                try $0.bind("view_\(view)_map", at: 2)
            },
            read: { $0.int64(at: 0) })
        return count == 2
    }

    package func createViewTables(view: String) throws {
        try execute(
            """
            CREATE TABLE \(mapTable(view)) ("rowid" INTEGER PRIMARY KEY, "pageKey" CHAR NOT NULL )
            """)
        try execute(
            """
            CREATE TABLE \(pageTable(view)) ("pageKey" CHAR NOT NULL PRIMARY KEY, "group" CHAR NOT NULL, \
            "prevPageKey" CHAR, "count" INTEGER, "data" BLOB )
            """)
    }

    /// Also drops the tables of older versions of the class.
    package func dropViewTables(view: String) throws {
        try removePageSummary(ofView: view)
        for ending in TableOwner.Kind.view.endings {
            try execute("DROP TABLE IF EXISTS \(Store.quoted("view_\(view)\(ending)"))")
        }
    }

    /// Returns all pages without their rows, which are not read. About 0.5 µs a page.
    package func pages(ofView view: String) throws -> StoredPages {
        let statement = try handle.statement(
            #"SELECT "pageKey", "group", "prevPageKey", "count" FROM \#(pageTable(view))"#)
        defer { statement.reset() }
        // The greatest rowid is about their number, unless rowids were chosen explicitly.
        let greatest = try greatestRowidOfPages(view: view)
        var pages = StoredPages(expecting: Int(min(max(0, greatest), 1 << 17)))
        while try statement.step() {
            guard pages.add(statement) else {
                throw YapDatabaseError.damagedView(view, "two pages have the name \(statement.text(at: 0) ?? "")")
            }
        }
        return pages
    }

    func greatestRowidOfPages(view: String) throws -> Int64 {
        try first("SELECT max(rowid) FROM \(pageTable(view))") { $0.int64(at: 0) } ?? 0
    }

    package func rows(ofPage pageKey: String, count: Int, view: String) throws -> [Int64] {
        let rows = try first(
            sql(view).rows, bind: { try $0.bind(pageKey, at: 1) },
            read: { statement in
                try statement.withBlob(at: 0) { bytes in
                    guard let bytes, bytes.count % 8 == 0, bytes.count / 8 == count else {
                        throw YapDatabaseError.damagedView(
                            view, "page \(pageKey) should hold \(count) rows and has \(bytes?.count ?? 0) bytes")
                    }
                    return (0..<count).map { index in
                        Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 8, as: Int64.self))
                    }
                }
            })
        guard let rows else { throw YapDatabaseError.damagedView(view, "page \(pageKey) is missing") }
        return rows
    }

    package func insertPage(_ page: PageRecord, rows: [Int64], view: String) throws {
        try withStoredForm(of: rows) { bytes in
            try run(sql(view).insertPage) {
                try $0.bind(page.key, at: 1)
                try $0.bind(page.group, at: 2)
                if let previous = page.previous { try $0.bind(previous, at: 3) }
                try $0.bind(Int64(page.count), at: 4)
                try $0.bind(borrowing: bytes, at: 5)
            }
        }
    }

    /// Updates the rows of a page in place.
    package func setRows(_ rows: [Int64], ofPage pageKey: String, view: String) throws {
        try withStoredForm(of: rows) { bytes in
            try run(sql(view).setRows) {
                try $0.bind(Int64(rows.count), at: 1)
                try $0.bind(borrowing: bytes, at: 2)
                try $0.bind(pageKey, at: 3)
            }
        }
        guard handle.changes == 1 else { throw YapDatabaseError.damagedView(view, "page \(pageKey) is missing") }
    }

    private func withStoredForm(of rows: [Int64], _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        // On a little-endian machine the array has the stored form.
        if 1.littleEndian == 1 { return try rows.withUnsafeBytes(body) }
        try rows.map(\.littleEndian).withUnsafeBytes(body)
    }

    package func setPreviousPage(_ previous: String?, ofPage pageKey: String, view: String) throws {
        try run(sql(view).setPreviousPage) {
            if let previous { try $0.bind(previous, at: 1) }
            try $0.bind(pageKey, at: 2)
        }
    }

    package func removePage(_ pageKey: String, view: String) throws {
        try run(sql(view).removePage) { try $0.bind(pageKey, at: 1) }
    }

    package func removeAllPages(view: String) throws {
        try removePageSummary(ofView: view)
        try execute("DELETE FROM \(pageTable(view))")
        try execute("DELETE FROM \(mapTable(view))")
    }

    package func pageKey(ofRowid rowid: Int64, view: String) throws -> String? {
        try first(sql(view).pageKey, bind: { try $0.bind(rowid, at: 1) }, read: { $0.text(at: 0) }) ?? nil
    }

    /// Like ``pageKey(ofRowid:view:)`` without a text.
    package func page(ofRowid rowid: Int64, view: String) throws -> PageName? {
        try first(sql(view).pageKey, bind: { try $0.bind(rowid, at: 1) }, read: { PageName($0, at: 0) })
    }

    package func setPageKey(_ pageKey: String?, ofRowid rowid: Int64, view: String) throws {
        try MapWriter(self, sql(view)).set(pageKey, ofRowid: rowid)
    }

    /// Writes the pages of many rows. Quickest in the order of the rowids, in which the table is.
    package func mapWriter(view: String) throws -> MapWriter { try MapWriter(self, sql(view)) }

    /// Writes the pages of all rows of a view.
    package func mapFill(view: String) throws -> MapFill { try MapFill(self, sql(view)) }

    private func sql(_ view: String) -> ViewSQL {
        if let sql = viewSQL[view] { return sql }
        let sql = ViewSQL(pages: pageTable(view), map: mapTable(view))
        viewSQL[view] = sql
        return sql
    }

    func pageTable(_ view: String) -> String { viewTable(view, "page") }
    private func mapTable(_ view: String) -> String { viewTable(view, "map") }

    private func viewTable(_ view: String, _ suffix: String) -> String {
        Store.quoted("view_\(view)_\(suffix)")
    }
}

extension YapDatabaseError {
    package static func damagedView(_ view: String, _ what: String) -> YapDatabaseError {
        YapDatabaseError(
            .corrupt,
            """
            The view "\(view)" is damaged: \(what). Register it with another version tag to rebuild it from the rows.
            """)
    }
}

/// One row of a view's page table, without its `data`.
package struct PageRecord {
    let key: String
    let group: String
    /// The page before this one in its group; nil for the first.
    let previous: String?
    let count: Int

    package init(key: String, group: String, previous: String?, count: Int) {
        self.key = key
        self.group = group
        self.previous = previous
        self.count = count
    }
}

/// The pages of a view as they are stored, without their rows, and the chains that put them in order.
package struct StoredPages {
    package struct Page {
        package let key: PageKey
        /// The index among the groups of the chains.
        package let group: Int
        package let count: Int
    }

    /// In the order of the table, which ``chains`` counts by.
    package private(set) var all: [Page] = []
    package private(set) var chains = PageChains()

    fileprivate init(expecting count: Int) {
        all.reserveCapacity(count)
        chains.expect(pages: count)
    }

    /// - Returns: false if another page has the same key.
    fileprivate mutating func add(_ row: SQLiteStatement) -> Bool {
        let key = row.withBytes(at: 0) { PageKey($0) }
        let group = row.withBytes(at: 1) { chains.group(named: $0) }
        let previous = row.withBytes(at: 2) { $0.isEmpty ? nil : PageName($0) }
        all.append(Page(key: key, group: group, count: Int(row.int64(at: 3))))
        return chains.add(key.name, after: previous, inGroup: group)
    }
}
