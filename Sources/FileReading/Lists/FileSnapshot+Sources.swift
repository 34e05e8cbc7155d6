import SQLiteBridge
import FileEngine

extension FileSnapshot {
    /// The rows that a new list knows at once.
    private static let firstRows = 200

    /// Returns a collection in the order of its keys.
    package func order(ofCollection collection: StoredText) throws -> KeyOrder {
        let table = try rowTable()
        return try read { store in
            let encoding = try store.first("PRAGMA encoding") { $0.text(at: 0) } ?? nil
            let order = KeyOrder(
                collection, table: table, isByteOrder: encoding == "UTF-8", maxEntries: maxEntries)
            _ = try order.loadMore(store)
            return order
        }
    }

    /// Returns a collection in the order of its rowids.
    func rowidOrder(ofCollection collection: StoredText) throws -> RowidOrder {
        let order = RowidOrder(collection, table: try rowTable(), maxEntries: maxEntries)
        try read { try order.begin($0, limit: Self.firstRows) }
        return order
    }

    /// Returns the groups of a view and their pages. O(p) for p pages, a tenth of a second for 200,000: call it in the
    /// background for large views.
    /// - Throws: ``YapDatabaseError`` if there is no such page table, or it cannot be read.
    package func pages(ofView view: String) throws -> ViewPageList {
        guard schema.tables["view_\(view)_page"] != nil else {
            throw YapDatabaseError(.badExtension, "The file has no page table for a view \"\(view)\".")
        }
        return try ViewPageList(view: view, self)
    }

    /// Returns one group of a view.
    func order(of group: ViewPageList.Group, inView view: String) -> PageOrder {
        PageOrder(group, view: view, schema)
    }

    /// Returns the rows of a secondary index in the order of a column, or of their rowids.
    func order(ofIndex index: Catalog.Index, by column: String?) throws -> StatementOrder {
        let order = column.map { "\($0.quotedSQL), rowid" } ?? "rowid"
        return try begun(StatementOrder("SELECT rowid FROM \(index.table.quotedSQL) ORDER BY \(order)"))
    }

    /// Returns the rows of a full-text index, or those that match a query in its language.
    /// - Throws: ``YapDatabaseError`` if SQLite rejects the query.
    func order(ofFullText index: Catalog.FullText, matching query: String?) throws -> StatementOrder {
        let table = index.table.quotedSQL
        guard let query else { return try begun(StatementOrder("SELECT rowid FROM \(table)")) }
        do {
            return try begun(StatementOrder("SELECT rowid FROM \(table) WHERE \(table) MATCH ?", parameter: query))
        } catch let error as YapDatabaseError where error.sqliteCode == SQLiteError.statement {
            // The query is at fault only if the index can be read without one.
            _ = try read { try $0.first("SELECT rowid FROM \(table) LIMIT 1") { _ in true } }
            throw YapDatabaseError(
                .badExtension,
                "\"\(query)\" is not a query of SQLite's full-text search. Words find the rows that contain all of "
                    + "them; for more see MATCH in its manual.")
        }
    }

    /// Returns the edges of a relationship, by name and source.
    func order(of relationship: Catalog.Relationship) throws -> StatementOrder {
        let table = relationship.table.quotedSQL
        return try begun(StatementOrder(#"SELECT rowid FROM \#(table) ORDER BY "name", "src", rowid"#))
    }

    /// Returns the rows of an R-tree by their rowids, which are in a table that can be read without the R-tree module.
    func order(ofRTree index: Catalog.Index) throws -> StatementOrder {
        let plain = index.table + "_rowid"
        let table = schema.tables[plain]?.has("rowid") == true ? plain : index.table
        return try begun(StatementOrder("SELECT rowid FROM \(table.quotedSQL) ORDER BY rowid"))
    }

    /// Returns the rows of `yap2`.
    func smallValueOrder() throws -> StatementOrder {
        guard let table = schema.smallValues else {
            throw YapDatabaseError(.notAYapDatabase, "The file has no table \"yap2\".")
        }
        let name = table.name.quotedSQL
        return try begun(StatementOrder(#"SELECT rowid FROM \#(name) ORDER BY "extension", "key""#))
    }

    private func begun(_ order: StatementOrder) throws -> StatementOrder {
        try read { try order.begin($0, limit: Self.firstRows) }
        return order
    }
}
