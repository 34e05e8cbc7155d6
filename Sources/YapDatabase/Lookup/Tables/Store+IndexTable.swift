import FileEngine
import SQLiteBridge

// The tables of secondary indexes, full-text searches and R-trees: one row of columns for a row of the database, with its
// rowid. `IndexTable+Definition.swift` has their definitions.
extension Store {
    func indexTable(_ layout: IndexLayout, extension name: String) -> IndexTable {
        let known = kept { KnownIndexTables() }
        if let table = known.all[name], table.layout === layout { return table }
        let table = IndexTable(layout, extension: name)
        known.all[name] = table
        return table
    }

    /// Inserts a row that must be new.
    func insert(_ values: [SQLValue], rowid: Int64, into table: IndexTable) throws {
        try write(table.insert, values, rowid)
    }

    /// Inserts a row or replaces the one with this rowid.
    func set(_ values: [SQLValue], rowid: Int64, in table: IndexTable) throws {
        try write(table.replace, values, rowid)
    }

    /// Removes the rows with these rowids, if there are any.
    func remove(rowids: some Sequence<Int64>, from table: IndexTable) throws {
        let statement = try handle.statement(table.remove)
        defer { statement.reset() }
        for rowid in rowids {
            try statement.bind(rowid, at: 1)
            try statement.run()
            statement.rewind()
        }
    }

    /// The rowids of the table that no row has.
    func rowidsWithoutRow(in table: IndexTable) throws -> [Int64] {
        try all(
            #"""
            SELECT i."rowid" FROM \#(table.quoted) AS i WHERE NOT EXISTS \#
            (SELECT 1 FROM "database2" AS d WHERE d."rowid" = i."rowid")
            """#
        ) { $0.int64(at: 0) }
    }

    func removeAll(from table: IndexTable) throws { try execute(table.removeAll) }

    private func write(_ sql: String, _ values: [SQLValue], _ rowid: Int64) throws {
        let statement = try handle.statement(sql)
        defer { statement.reset() }
        try statement.bind(rowid, at: 1)
        for (place, value) in values.enumerated() { try statement.bind(value, at: place + 2) }
        try statement.run()
    }
}
