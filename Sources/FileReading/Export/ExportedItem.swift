import FileEngine
import ListChanges
import SQLiteBridge

/// An item of a file's schema.
struct ExportedItem {
    /// `table`, `virtual`, `shadow`, `index`, `trigger` or `view`.
    var kind: String
    var name: String
    var sql: String
    /// Why SQLite cannot make it here, in a sentence; nil for what it can make.
    var foreign: String?
    /// The greatest rowid that a table with AUTOINCREMENT has given out, which none of its rows need have any more; nil without such a counter.
    var counter: Int64?

    var json: JSONObject {
        var json = JSONObject()
        json.add("create", kind)
        json.add("name", name)
        json.add("sql", sql)
        if let foreign { json.add("foreign", foreign) }
        if let counter { json.add("counter", Int(counter)) }
        return json
    }

    /// A table whose rows are exported.
    struct Table {
        var name: String
        var columns: [String]
        /// The column names in the export. For a table that SQLite keeps for a virtual table, the names that SQLite
        /// uses when it creates the table again.
        var names: [String]
        var hasRowid: Bool

        /// Whether it has the columns of the library's own table of rows.
        var hasShapeOfRows: Bool {
            hasRowid && columns.map { $0.lowercased() } == ["rowid", "collection", "key", "data", "metadata"]
        }
    }

    /// Returns all items in an order in which they can be created: tables first, then what depends on them.
    static func all(_ store: Store) throws -> [ExportedItem] {
        // A join would list the tables again for each item.
        let kinds = ExactDictionary(
            try store.all("SELECT name, type FROM pragma_table_list WHERE schema = 'main'") {
                (key: $0.text(at: 0) ?? "", value: $0.text(at: 1) ?? "")
            })
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

    /// Returns the items of a schema that was repaired, in such an order too.
    static func all(_ repair: SchemaRepair) -> [ExportedItem] {
        let reasons = Dictionary(repair.foreign.map { ($0.name, $0.reason) }, uniquingKeysWith: { first, _ in first })
        let items = repair.entries.compactMap { entry in
            entry.sql.map {
                ExportedItem(
                    kind: entry.kind, name: entry.name, sql: $0,
                    foreign: entry.kind == "virtual" ? reasons[entry.name] : nil)
            }
        }
        let order = ["table": 0, "virtual": 0, "shadow": 0, "index": 1, "view": 2]
        let sorted = items.enumerated().sorted {
            (order[$0.element.kind] ?? 3, $0.offset) < (order[$1.element.kind] ?? 3, $1.offset)
        }
        return sorted.map(\.element).filter { !$0.name.hasPrefix("sqlite_") }
    }

    /// Returns the counters of the tables with AUTOINCREMENT, by their names. Any program may write SQLite's table of them: what is no number is left
    /// out, and SQLite itself goes by the first entry of a table.
    static func counters(_ store: Store) throws -> ExactDictionary<Int64> {
        let isThere = try store.first(
            "SELECT 1 FROM pragma_table_list WHERE schema = 'main' AND name = 'sqlite_sequence'", read: { _ in true })
        guard isThere == true else { return ExactDictionary() }
        let entries = try store.all(
            "SELECT name, seq FROM sqlite_sequence WHERE typeof(name) = 'text' AND typeof(seq) = 'integer' ORDER BY rowid DESC"
        ) { (key: $0.text(at: 0) ?? "", value: $0.int64(at: 1)) }
        var counters = ExactDictionary<Int64>()
        for (name, counter) in entries { counters[name] = counter }
        return counters
    }

    /// The most columns that a statement of SQLite has. Of a table with as many, the rowid cannot be read beside them.
    static let mostColumns = 2_000

    /// Returns all tables except virtual ones, whose rows are in the tables that SQLite keeps for them.
    /// - Parameter repaired: the original items of a damaged schema; nil for a sound one.
    static func tables(_ store: Store, repaired: [ExportedItem]?) throws -> [Table] {
        let names = try store.all(
            """
            SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow') \
            AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name
            """
        ) { ($0.text(at: 0) ?? "", $0.int64(at: 1) == 0) }
        let kept = repaired.map { Set($0.map { $0.name.lowercased() }) }
        let virtual =
            try repaired?.filter { $0.kind == "virtual" && $0.foreign == nil }.map { ($0.name, $0.sql) }
            ?? store.all(
                "SELECT name, sql FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE %'",
                read: { ($0.text(at: 0) ?? "", $0.text(at: 1) ?? "") })
        var scratch = virtual.isEmpty ? nil : try ScratchSchema()
        for (name, sql) in virtual { _ = scratch?.verdict(on: sql, names: [name, name]) }
        return try names.filter { kept?.contains($0.0.lowercased()) ?? true }.map { name, hasRowid in
            // Generated columns are not stored; they are computed again.
            let columns = try store.columns(ofTable: name)
            let own = scratch?.columns(of: name) ?? []
            return Table(
                name: name, columns: columns, names: own.count == columns.count ? own : columns,
                hasRowid: hasRowid && columns.rowidName != nil && columns.count < mostColumns)
        }
    }
}
