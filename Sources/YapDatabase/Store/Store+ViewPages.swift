import SQLiteBridge

// The page and map tables of views, `view_<name>_page` and `view_<name>_map`, exactly as the original lays them out.
// What is in them is described where it is written, in `ViewPages+Persist.swift`.
extension Store {
    func hasViewTables(view: String) throws -> Bool {
        let statement = try handle.statement("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN (?, ?)")
        defer { statement.reset() }
        try statement.bind("view_\(view)_page", at: 1)
        try statement.bind("view_\(view)_map", at: 2)
        _ = try statement.step()
        return statement.int64(at: 0) == 2
    }

    func createViewTables(view: String) throws {
        try handle.execute(
            """
            CREATE TABLE \(mapTable(view)) ("rowid" INTEGER PRIMARY KEY, "pageKey" CHAR NOT NULL )
            """)
        try handle.execute(
            """
            CREATE TABLE \(pageTable(view)) ("pageKey" CHAR NOT NULL PRIMARY KEY, "group" CHAR NOT NULL, \
            "prevPageKey" CHAR, "count" INTEGER, "data" BLOB )
            """)
    }

    /// Also drops what older versions of the class kept.
    func dropViewTables(view: String) throws {
        for suffix in ["map", "page", "key", "snippet"] {
            try handle.execute("DROP TABLE IF EXISTS \(viewTable(view, suffix))")
        }
    }

    /// All pages without their rows; nothing else is read.
    func pageRecords(view: String) throws -> [PageRecord] {
        let statement = try handle.statement(#"SELECT "pageKey", "group", "prevPageKey", "count" FROM \#(pageTable(view))"#)
        defer { statement.reset() }
        var records: [PageRecord] = []
        while try statement.step() {
            records.append(
                PageRecord(
                    key: statement.text(at: 0) ?? "", group: statement.text(at: 1) ?? "",
                    previous: statement.text(at: 2), count: Int(statement.int64(at: 3))))
        }
        return records
    }

    func rows(ofPage pageKey: String, count: Int, view: String) throws -> [Int64] {
        let statement = try handle.statement(#"SELECT "data" FROM \#(pageTable(view)) WHERE "pageKey" = ?"#)
        defer { statement.reset() }
        try statement.bind(pageKey, at: 1)
        guard try statement.step() else {
            throw YapDatabaseError.damagedView(view, "page \(pageKey) is missing")
        }
        return try statement.withBlob(at: 0) { bytes in
            guard let bytes, bytes.count == count * 8 else {
                throw YapDatabaseError.damagedView(
                    view, "page \(pageKey) should hold \(count) rows and has \(bytes?.count ?? 0) bytes")
            }
            return (0..<count).map { Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 8, as: Int64.self)) }
        }
    }

    func setPage(_ page: PageRecord, rows: [Int64], view: String) throws {
        let statement = try handle.statement(
            """
            INSERT OR REPLACE INTO \(pageTable(view)) ("pageKey", "group", "prevPageKey", "count", "data") \
            VALUES (?, ?, ?, ?, ?)
            """)
        defer { statement.reset() }
        try statement.bind(page.key, at: 1)
        try statement.bind(page.group, at: 2)
        if let previous = page.previous { try statement.bind(previous, at: 3) }
        try statement.bind(Int64(page.count), at: 4)
        try rows.map(\.littleEndian).withUnsafeBytes { bytes in
            try statement.bind(bytes, at: 5)
            try statement.run()
        }
    }

    func setPreviousPage(_ previous: String?, ofPage pageKey: String, view: String) throws {
        let statement = try handle.statement(
            #"UPDATE \#(pageTable(view)) SET "prevPageKey" = ? WHERE "pageKey" = ?"#)
        defer { statement.reset() }
        if let previous { try statement.bind(previous, at: 1) }
        try statement.bind(pageKey, at: 2)
        try statement.run()
    }

    func removePage(_ pageKey: String, view: String) throws {
        let statement = try handle.statement(#"DELETE FROM \#(pageTable(view)) WHERE "pageKey" = ?"#)
        defer { statement.reset() }
        try statement.bind(pageKey, at: 1)
        try statement.run()
    }

    func removeAllPages(view: String) throws {
        try handle.execute("DELETE FROM \(pageTable(view))")
        try handle.execute("DELETE FROM \(mapTable(view))")
    }

    func pageKey(ofRowid rowid: Int64, view: String) throws -> String? {
        let statement = try handle.statement(#"SELECT "pageKey" FROM \#(mapTable(view)) WHERE "rowid" = ?"#)
        defer { statement.reset() }
        try statement.bind(rowid, at: 1)
        return try statement.step() ? statement.text(at: 0) : nil
    }

    func setPageKey(_ pageKey: String?, ofRowid rowid: Int64, view: String) throws {
        let statement = try handle.statement(
            pageKey == nil
                ? #"DELETE FROM \#(mapTable(view)) WHERE "rowid" = ?"#
                : #"INSERT OR REPLACE INTO \#(mapTable(view)) ("rowid", "pageKey") VALUES (?, ?)"#)
        defer { statement.reset() }
        try statement.bind(rowid, at: 1)
        if let pageKey { try statement.bind(pageKey, at: 2) }
        try statement.run()
    }

    private func pageTable(_ view: String) -> String { viewTable(view, "page") }
    private func mapTable(_ view: String) -> String { viewTable(view, "map") }

    private func viewTable(_ view: String, _ suffix: String) -> String {
        SQLiteHandle.quoted("view_\(view)_\(suffix)")
    }
}
