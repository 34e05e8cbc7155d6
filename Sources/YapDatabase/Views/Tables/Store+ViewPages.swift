import FileEngine
import SQLiteBridge
import ViewPageKeys

// The page and map tables of views, `view_<name>_page` and `view_<name>_map`, exactly as the original lays them out.
// `ViewPages+Persist.swift` describes their content.
extension Store {
    func hasViewTables(view: String) throws -> Bool {
        let count = try first(
            "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN (?, ?)",
            bind: {
                try $0.bind("view_\(view)_page", at: 1)
                try $0.bind("view_\(view)_map", at: 2)
            },
            read: { $0.int64(at: 0) })
        return count == 2
    }

    func createViewTables(view: String) throws {
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
    func dropViewTables(view: String) throws {
        try removePageSummary(ofView: view)
        for ending in TableOwner.Kind.view.endings {
            try execute("DROP TABLE IF EXISTS \(Store.quoted("view_\(view)\(ending)"))")
        }
    }

    /// Returns all pages, of their rows only the first. About 0.5 µs a page.
    func pages(ofView view: String) throws -> StoredPages {
        // The length of a blob stands before it, so that no page of more bytes than one of ours is read.
        let statement = try handle.statement(
            #"""
            SELECT "pageKey", "group", "prevPageKey", "count", rowid, CASE WHEN length("data") <= 1024 THEN "data" END \#
            FROM \#(pageTable(view))
            """#)
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

    /// The rows of the view whose rowids the next new rows will get, because rows were lost that nothing told the view of. Four searches by
    /// rowid in the usual case, in which there is none.
    func rowidsBehindRows(view: String) throws -> [Int64] {
        let map = mapTable(view)
        let last = RowTable.lastRowid
        let found = try first(
            #"SELECT coalesce((SELECT max("rowid") FROM \#(map)), 0) > \#(last), coalesce((SELECT min("rowid") FROM \#(map)), 0) < 0"#
        ) { ($0.int64(at: 0) != 0, $0.int64(at: 1) != 0) }
        let (isBehind, isDerived) = found ?? (false, false)
        func rowids(_ condition: String) throws -> [Int64] {
            try all("SELECT \"rowid\" FROM \(map) WHERE \(condition)") { $0.int64(at: 0) }
        }
        var behind = isBehind ? try rowids(#""rowid" > \#(last)"#) : []
        if isDerived {
            let least = try hasTable(RowTable.derivedName) ? RowTable.leastDerivedRowid : "0"
            behind += try rowids("\"rowid\" < 0 AND \"rowid\" < \(least)")
        }
        return behind
    }

    func greatestRowidOfPages(view: String) throws -> Int64 {
        try first("SELECT max(rowid) FROM \(pageTable(view))") { $0.int64(at: 0) } ?? 0
    }

    /// Returns the rows of a page and the rowid of its record.
    ///
    /// - Parameter record: the rowid that the record had when it was seen last; nil if it never was. By it the page is found without a
    ///   search in the index of keys. A vacuum can give records other rowids, so the key is compared.
    func rows(
        ofPage key: PageKey, at record: Int64? = nil, count: Int, view: String
    ) throws -> (rows: [Int64], record: Int64) {
        try key.withBytes { bytes in
            func read(_ sql: String, at record: Int64?) throws -> (rows: [Int64], record: Int64)? {
                try first(
                    sql,
                    bind: {
                        try $0.bind(borrowingText: bytes, at: 1)
                        if let record { try $0.bind(record, at: 2) }
                    },
                    read: { (try rows(in: $0, key, count, view), $0.int64(at: 1)) })
            }
            if let record, let found = try read(sql(view).rowsAt, at: record) { return found }
            if let found = try read(sql(view).rows, at: nil) { return found }
            throw YapDatabaseError.damagedView(view, "page \(key.text) is missing")
        }
    }

    private func rows(in statement: SQLiteStatement, _ key: PageKey, _ count: Int, _ view: String) throws -> [Int64] {
        try statement.withBlob(at: 0) { bytes in
            guard let bytes, bytes.count % 8 == 0, bytes.count / 8 == count else {
                throw YapDatabaseError.damagedView(
                    view, "page \(key.text) should hold \(count) rows and has \(bytes?.count ?? 0) bytes")
            }
            return (0..<count).map { index in
                Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 8, as: Int64.self))
            }
        }
    }

    /// - Returns: the rowid of the page's record.
    func insertPage(_ page: PageRecord, rows: [Int64], view: String) throws -> Int64 {
        try withStoredForm(of: rows) { bytes in
            try run(sql(view).insertPage) {
                try $0.bind(page.key, at: 1)
                try $0.bind(page.group, at: 2)
                if let previous = page.previous { try $0.bind(previous, at: 3) }
                try $0.bind(Int64(page.count), at: 4)
                try $0.bind(borrowing: bytes, at: 5)
            }
        }
        return handle.lastInsertRowid
    }

    /// Updates the rows of a page in place.
    /// - Parameter record: as for ``rows(ofPage:at:count:view:)``.
    func setRows(_ rows: [Int64], ofPage key: PageKey, at record: Int64? = nil, view: String) throws {
        try noteWrite()
        try withStoredForm(of: rows) { form in
            try key.withBytes { bytes in
                func write(_ sql: String, at record: Int64?) throws -> Bool {
                    try run(sql) {
                        try $0.bind(Int64(rows.count), at: 1)
                        try $0.bind(borrowing: form, at: 2)
                        try $0.bind(borrowingText: bytes, at: 3)
                        if let record { try $0.bind(record, at: 4) }
                    }
                    return handle.changes == 1
                }
                if let record, try write(sql(view).setRowsAt, at: record) { return }
                if try write(sql(view).setRows, at: nil) { return }
                throw YapDatabaseError.damagedView(view, "page \(key.text) is missing")
            }
        }
    }

    private func withStoredForm(of rows: [Int64], _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        // On a little-endian machine the array has the stored form.
        if 1.littleEndian == 1 { return try rows.withUnsafeBytes(body) }
        try rows.map(\.littleEndian).withUnsafeBytes(body)
    }

    func setPreviousPage(_ previous: String?, ofPage pageKey: String, view: String) throws {
        try run(sql(view).setPreviousPage) {
            if let previous { try $0.bind(previous, at: 1) }
            try $0.bind(pageKey, at: 2)
        }
    }

    func removePage(_ pageKey: String, view: String) throws {
        try run(sql(view).removePage) { try $0.bind(pageKey, at: 1) }
    }

    func removeAllPages(view: String) throws {
        try removePageSummary(ofView: view)
        try execute("DELETE FROM \(pageTable(view))")
        try execute("DELETE FROM \(mapTable(view))")
    }

    func pageKey(ofRowid rowid: Int64, view: String) throws -> String? {
        try first(sql(view).pageKey, bind: { try $0.bind(rowid, at: 1) }, read: { $0.text(at: 0) }) ?? nil
    }

    /// Like ``pageKey(ofRowid:view:)`` without a text.
    func page(ofRowid rowid: Int64, view: String) throws -> PageName? {
        try first(sql(view).pageKey, bind: { try $0.bind(rowid, at: 1) }, read: { PageName($0, at: 0) })
    }

    /// Reads the pages of many rows.
    func mapReader(view: String) throws -> MapReader { try MapReader(self, sql(view)) }

    /// The rowids of the map that no row has. Reads the map and looks up each of its rows.
    func rowsOfViewWithoutRow(view: String) throws -> [Int64] {
        let derived: RowTable = try hasTable(RowTable.derivedName) ? .derived : .rows
        return try missingRows(view, ">=", .rows) + missingRows(view, "<", derived)
    }

    private func missingRows(_ view: String, _ side: String, _ table: RowTable) throws -> [Int64] {
        try all(
            """
            SELECT m."rowid" FROM \(mapTable(view)) AS m WHERE m."rowid" \(side) \(RowTable.lowestRowid) AND NOT EXISTS \
            (SELECT 1 FROM "\(table.name)" AS d WHERE d."rowid" = m."rowid")
            """
        ) { $0.int64(at: 0) }
    }

    func setPage(_ page: PageKey?, ofRowid rowid: Int64, view: String) throws {
        try MapWriter(self, sql(view)).set(page, ofRowid: rowid)
    }

    /// Writes the pages of many rows. Quickest in the order of the rowids, in which the table is.
    func mapWriter(view: String) throws -> MapWriter { try MapWriter(self, sql(view)) }

    /// Writes the pages of all rows of a view.
    func pageMapWriter(view: String) throws -> PageMapWriter { try PageMapWriter(self, sql(view)) }

    private func sql(_ view: String) -> ViewSQL {
        let known = kept { KnownViewSQL() }
        // Most texts are compared by their address.
        if let last = known.last, last.view == view { return last.sql }
        let sql = known.all[view] ?? ViewSQL(pages: pageTable(view), map: mapTable(view))
        known.all[view] = sql
        known.last = (view, sql)
        return sql
    }

    /// The number of rows of a page, and the page before it; nil if there is no such page.
    func countAndPrevious(ofPage page: String, view: String) throws -> (count: Int, previous: String?)? {
        try first(
            #"SELECT "count", "prevPageKey" FROM \#(pageTable(view)) WHERE "pageKey" = ?"#,
            bind: { try $0.bind(page, at: 1) }, read: { (Int($0.int64(at: 0)), $0.text(at: 1)) })
    }

    /// Puts the page after one that goes behind another one.
    func setPrevious(_ previous: String?, ofPageAfter page: String, view: String) throws {
        try run(#"UPDATE \#(pageTable(view)) SET "prevPageKey" = ? WHERE "prevPageKey" = ?"#) {
            if let previous { try $0.bind(previous, at: 1) }
            try $0.bind(page, at: 2)
        }
    }

    func pageTable(_ view: String) -> String { viewTable(view, "page") }
    private func mapTable(_ view: String) -> String { viewTable(view, "map") }

    private func viewTable(_ view: String, _ suffix: String) -> String {
        Store.quoted("view_\(view)_\(suffix)")
    }
}

extension YapDatabaseError {
    static func damagedView(_ view: String, _ what: String) -> YapDatabaseError {
        YapDatabaseError(
            .corrupt,
            """
            The view "\(view)" is damaged: \(what). Register it with another version tag to rebuild it from the rows.
            """)
    }
}

/// One row of a view's page table, without its `data`.
struct PageRecord {
    let key: String
    let group: String
    /// The page before this one in its group; nil for the first.
    let previous: String?
    let count: Int

    init(key: String, group: String, previous: String?, count: Int) {
        self.key = key
        self.group = group
        self.previous = previous
        self.count = count
    }
}

/// The pages of a view as they are stored, without their rows, and the chains that put them in order.
struct StoredPages {
    struct Page {
        let key: PageKey
        /// The index among the groups of the chains.
        let group: Int
        let count: Int
        /// The rowid of its record.
        let record: Int64
        /// Its first row; nil if it has none, or very many.
        let first: Int64?
    }

    /// In the order of the table, which ``chains`` counts by.
    private(set) var all: [Page] = []
    private(set) var chains = PageChains()

    fileprivate init(expecting count: Int) {
        all.reserveCapacity(count)
        chains.expect(pages: count)
    }

    /// - Returns: false if another page has the same key.
    fileprivate mutating func add(_ row: SQLiteStatement) -> Bool {
        let key = row.withBytes(at: 0) { PageKey($0) }
        let group = row.withBytes(at: 1) { chains.group(named: $0) }
        let previous = row.withBytes(at: 2) { $0.isEmpty ? nil : PageName($0) }
        let first = row.withBytes(at: 5) { bytes in
            bytes.count < 8 ? nil : Int64(littleEndian: bytes.loadUnaligned(as: Int64.self))
        }
        all.append(
            Page(key: key, group: group, count: Int(row.int64(at: 3)), record: row.int64(at: 4), first: first))
        return chains.add(key.name, after: previous, inGroup: group)
    }
}
