import FileEngine
import ListChanges
import SQLiteBridge

/// The tables of a file and their columns. A file may lack some of them.
package struct FileSchema: Hashable, Sendable {
    /// One table of the file.
    package struct Table: Hashable, Sendable {
        package var name: String
        package var columns: [String]
        package var isVirtual: Bool
        /// The name of its rowids, which is that of no column; nil if it has none, or columns have all of the names.
        let rowidName: String?
        /// Whether its rows have rowids by which they can be found.
        var hasRowid: Bool { rowidName != nil }

        /// Selects the row of a rowid with its complete values.
        let selectWhole: String
        /// Columns of `d`: a row with its complete values, for ``FileSnapshot/rowOfJoin(_:_:from:)``.
        let joinedColumns: String

        init(name: String, columns: [String], isVirtual: Bool, hasRowid: Bool) {
            self.name = name
            self.columns = columns
            self.isVirtual = isVirtual
            rowidName = hasRowid ? columns.rowidName : nil
            let values = ["data", "metadata"].map { columns.contains($0) ? "\"\($0)\"" : "NULL" }
            let joined = values.map { $0 == "NULL" ? "NULL" : "d.\($0)" }
            joinedColumns = #"d."collection", d."key", \#(joined[0]), \#(joined[1])"#
            selectWhole = """
                SELECT "collection", "key", \(values[0]), \(values[1]) FROM \(name.quotedSQL) WHERE rowid = ?
                """
        }

        func has(_ names: String...) -> Bool { names.allSatisfy(columns.contains) }
    }

    /// The most tables to read. A file of an app has a few dozen.
    private static let tableLimit = 10_000

    /// By name.
    package private(set) var tables = ExactDictionary<Table>()
    package private(set) var userVersion = 0
    /// What is unusual about the file, in sentences.
    package private(set) var notes: [String] = []
    /// The table of the rows, if it has the necessary columns.
    package private(set) var rows: Table?
    /// The table of small values.
    package private(set) var smallValues: Table?

    init(_ store: Store) throws {
        userVersion = try store.first("PRAGMA user_version") { Int($0.int64(at: 0)) } ?? 0
        if try store.isSchemaDamaged() {
            // SQLite's interpretation counts, whatever the text says.
            for table in try Self.knownTables(store) { tables[table.name] = table }
        } else {
            for (name, sql) in try Self.definitions(store) { tables[name] = try Self.table(name, sql: sql, store) }
        }
        findRows()
        smallValues = ["yap2", "yap"].compactMap { tables[$0] }.first { $0.has("extension", "key", "data") }
        describeVersion()
    }

    /// Returns the number of the last commit.
    func snapshotNumber(_ store: Store) throws -> Int? {
        guard let table = smallValues else { return nil }
        let sql = """
            SELECT "data" FROM \(table.name.quotedSQL) WHERE "extension" = '' AND "key" = 'snapshot'
            """
        return try store.first(sql) { Int($0.int64(at: 0)) }
    }

    private static func definitions(_ store: Store) throws -> [(String, String)] {
        try store.all(
            "SELECT name, substr(sql, 1, 1000) FROM sqlite_master WHERE type = 'table' LIMIT \(tableLimit)"
        ) { ($0.text(at: 0) ?? "", $0.text(at: 1) ?? "") }
    }

    private static func table(_ name: String, sql: String, _ store: Store) throws -> Table {
        Table(
            name: name, columns: columns(of: name, store), isVirtual: sql.uppercased().hasPrefix("CREATE VIRTUAL"),
            hasRowid: !sql.uppercased().contains("WITHOUT ROWID"))
    }

    private static func knownTables(_ store: Store) throws -> [Table] {
        let found = try store.all(
            """
            SELECT name, type, wr FROM pragma_table_list WHERE schema = 'main' AND type <> 'view' \
            AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' LIMIT \(tableLimit)
            """
        ) { ($0.text(at: 0) ?? "", $0.text(at: 1) == "virtual", $0.int64(at: 2) == 0) }
        return found.map { name, isVirtual, hasRowid in
            Table(name: name, columns: columns(of: name, store), isVirtual: isVirtual, hasRowid: hasRowid)
        }
    }

    private static func columns(of table: String, _ store: Store) -> [String] {
        // A virtual table of a module that is missing here has no readable columns. Generated columns are among them (2 and 3), the hidden ones of a
        // virtual table (1) are not.
        let columns = try? store.all(
            "SELECT name FROM pragma_table_xinfo(?) WHERE hidden <> 1", bind: { try $0.bind(table, at: 1) },
            read: { $0.text(at: 0) ?? "" })
        return columns ?? []
    }

    private mutating func findRows() {
        for name in ["database2", "database"] {
            guard let table = tables[name] else { continue }
            if table.has("collection", "key"), table.hasRowid, !table.isVirtual { return rows = table }
            notes.append(
                "The table \"\(name)\" has no columns \"collection\" and \"key\", so its rows cannot be shown.")
        }
        guard notes.isEmpty else { return }
        notes.append(
            tables.isEmpty
                ? "The file has no tables: nothing is stored in it yet, or a program has emptied it."
                : "The file has no table \"database2\": it is not a YapDatabase file.")
    }

    private mutating func describeVersion() {
        if userVersion > Schema.version {
            notes.append(
                "The file's layout has version \(userVersion), newer than version \(Schema.version), which this release "
                    + "supports: its new parts are not shown.")
        } else if userVersion < Schema.version, rows != nil {
            notes.append(
                "The file's layout has version \(userVersion), older than today's \(Schema.version): it is shown as it is."
            )
        }
    }
}

extension String {
    /// The text quoted as a name in a statement.
    var quotedSQL: String { Store.quoted(self) }
}

extension [String] {
    /// The name by which the rowid of a table with these columns is read: one of its three names that no column has; nil if they have all.
    var rowidName: String? {
        let taken = Set(map { $0.lowercased() })
        return ["_rowid_", "rowid", "oid"].first { !taken.contains($0) }
    }
}
