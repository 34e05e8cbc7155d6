import SQLiteBridge

// The tables of secondary indexes, full-text searches and R-trees: one row of columns for a row of the database, with its
// rowid. `IndexTable+Definition.swift` has their definitions.
extension Store {
    package func indexTable(_ layout: IndexLayout, extension name: String) -> IndexTable {
        if let known = indexTables[name], known.layout === layout { return known }
        let table = IndexTable(layout, extension: name)
        indexTables[name] = table
        return table
    }

    /// Inserts a row that must be new.
    package func insert(_ values: [SQLValue], rowid: Int64, into table: IndexTable) throws {
        try write(table.insert, values, rowid)
    }

    /// Inserts a row or replaces the one with this rowid.
    package func set(_ values: [SQLValue], rowid: Int64, in table: IndexTable) throws {
        try write(table.replace, values, rowid)
    }

    /// Removes the rows with these rowids, if there are any.
    package func remove(rowids: some Sequence<Int64>, from table: IndexTable) throws {
        let statement = try handle.statement(table.remove)
        defer { statement.reset() }
        for rowid in rowids {
            try statement.bind(rowid, at: 1)
            try statement.run()
            statement.rewind()
        }
    }

    /// The rowids of the table that no row has.
    package func rowidsWithoutRow(in table: IndexTable) throws -> [Int64] {
        try all(
            #"""
            SELECT i."rowid" FROM \#(table.quoted) AS i WHERE NOT EXISTS \#
            (SELECT 1 FROM "database2" AS d WHERE d."rowid" = i."rowid")
            """#
        ) { $0.int64(at: 0) }
    }

    package func removeAll(from table: IndexTable) throws { try execute(table.removeAll) }

    private func write(_ sql: String, _ values: [SQLValue], _ rowid: Int64) throws {
        let statement = try handle.statement(sql)
        defer { statement.reset() }
        try statement.bind(rowid, at: 1)
        for (place, value) in values.enumerated() { try statement.bind(value, at: place + 2) }
        try statement.run()
    }
}
