import SQLiteBridge
import YapDatabase

/// Something that a file's schema makes.
struct ExportedItem {
    /// `table`, `virtual`, `shadow`, `index`, `trigger` or `view`.
    var kind: String
    var name: String
    var sql: String

    /// A table whose rows are exported.
    struct Table {
        var name: String
        var columns: [String]
        var hasRowid: Bool
    }

    /// In the order in which they can be made: tables, then what stands on them.
    static func all(_ store: Store) throws -> [ExportedItem] {
        // Not by a join, which would list the tables again for each.
        let kinds = Dictionary(
            try store.all("SELECT name, type FROM pragma_table_list WHERE schema = 'main'") {
                ($0.text(at: 0) ?? "", $0.text(at: 1) ?? "")
            }, uniquingKeysWith: { first, _ in first })
        return try store.all(
            """
            SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
            ORDER BY CASE type WHEN 'table' THEN 0 WHEN 'index' THEN 1 WHEN 'view' THEN 2 ELSE 3 END, rowid
            """
        ) {
            let (type, name) = ($0.text(at: 0) ?? "", $0.text(at: 1) ?? "")
            return ExportedItem(
                kind: type == "table" ? kinds[name] ?? type : type, name: name, sql: $0.text(at: 2) ?? "")
        }
    }

    /// All but virtual ones, whose rows are in the tables that SQLite keeps for them.
    static func tables(_ store: Store) throws -> [Table] {
        let names = try store.all(
            """
            SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow') \
            AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name
            """
        ) { ($0.text(at: 0) ?? "", $0.int64(at: 1) == 0) }
        return try names.map { name, hasRowid in
            // Generated columns are made again and not stored.
            let columns = try store.all(
                "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0", bind: { try $0.bind(name, at: 1) },
                read: { $0.text(at: 0) ?? "" })
            return Table(name: name, columns: columns, hasRowid: hasRowid)
        }
    }
}
