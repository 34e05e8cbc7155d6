import FileEngine
import ListChanges
import SQLiteBridge

/// What an export writes of a file: its items, repaired if they are damaged, and the tables whose rows it has.
struct ExportPlan {
    private(set) var items: [ExportedItem]
    private(set) var tables: [ExportedItem.Table]
    /// What cannot be restored, in sentences.
    private(set) var losses: [String] = []
    /// What is otherwise than the file says it, in sentences.
    private(set) var notes: [String] = []
    /// The first page of each table and index, by name.
    private(set) var roots = ExactDictionary<Int>()
    /// Whether the schema no longer has the table of the rows.
    private var hasLostRows = false

    init(_ store: Store, _ snapshot: FileSnapshot, isCancelled: @escaping () -> Bool) throws {
        let repair = try SchemaRepair(store, isMalformed: true, isCancelled: isCancelled)
        let listed = repair.isNeeded ? nil : try Self.listed(store)
        items = listed ?? ExportedItem.all(repair)
        tables = try ExportedItem.tables(store, repaired: listed == nil ? items : nil)
        losses = repair.losses
        if listed == nil, !repair.isNeeded {
            losses.append(
                "A part of the schema cannot be read. The definitions in it are lost, and with them the rows of their tables."
            )
        }
        do {
            let counters = try ExportedItem.counters(store)
            for index in items.indices where ["table", "shadow"].contains(items[index].kind) {
                items[index].counter = counters[items[index].name]
            }
        } catch let error as YapDatabaseError where error.isDamage {
            losses.append(
                "The counters of tables with AUTOINCREMENT cannot be read. Rowids of removed rows may be given out again."
            )
        }
        notes = repair.repairs
        notes += repair.foreign.map { name, reason in
            "The table \"\(name)\" is carried over as it is, with the tables of its module: \(reason)."
        }
        // Compiling this looks up every collation and function of the schema. It is not run.
        _ = try? store.handle.newStatement("PRAGMA integrity_check")
        notes += store.handle.missing.map { words in
            "The schema uses \(words), which SQLite does not have here. Rows are read without it; indexes that need it are "
                + "left to the app that has it."
        }
        notes += tables.filter { $0.columns.count >= ExportedItem.mostColumns }.map {
            "The table \"\($0.name)\" has as many columns as SQLite can read at once: its rows get new rowids."
        }
        for entry in repair.entries where entry.rootPage > 1 { roots[entry.name] = entry.rootPage }
        // A whole schema with other tables alone is one of another program, which counts its versions, too.
        let isOurs = listed == nil || tables.isEmpty || snapshot.schema.smallValues != nil
        if isOurs, snapshot.schema.rows == nil, snapshot.schema.userVersion == Schema.version { addRows() }
    }

    /// Returns the items of a sound schema; nil if a part of it cannot be read, and there is another one.
    private static func listed(_ store: Store) throws -> [ExportedItem]? {
        do {
            return try ExportedItem.all(store)
        } catch let error as YapDatabaseError where error.isDamage {
            guard try store.first("SELECT 1 FROM sqlite_master LIMIT 1", read: { _ in true }) == true else {
                throw error
            }
            return nil
        }
    }

    /// Creates the plan for a file whose schema cannot be read.
    init() {
        (items, tables) = ([], [])
        addRows()
        let columns = ["extension", "key", "data"]
        tables.append(.init(name: "yap2", columns: columns, names: columns, hasRowid: true))
        losses = [
            "The schema is lost, and with it views, indexes and all other tables. Register the extensions again: those that "
                + "follow from the rows are rebuilt."
        ]
    }

    /// Adds the table of a relationship.
    mutating func addEdges(of name: String) throws -> TornTable? {
        let store = try Store(path: "", mode: .memory, busyTimeout: 0)
        let edges = TableOwner.Kind.relationship.table(of: name)
        try store.execute(EdgeDefinition.table(edges))
        for column in EdgeDefinition.indexed {
            try store.execute(EdgeDefinition.index("\(column)_name", on: column, of: edges))
        }
        items += try ExportedItem.all(store)
        guard let table = try ExportedItem.tables(store, repaired: nil).first,
            let shape = TableShape(table.name, columns: table.columns.count, store)
        else {
            return nil
        }
        tables.append(table)
        return TornTable(name: table.name, root: 0, shape: shape, indexes: [])
    }

    private mutating func addRows() {
        guard !items.contains(where: { $0.name == Schema.rowTable }) else { return }
        hasLostRows = true
        for known in KnownDefinition.all([]) where !items.contains(where: { $0.name == known.name }) {
            items.append(ExportedItem(kind: known.isIndex ? "index" : "table", name: known.name, sql: known.sql))
        }
        let columns = ["rowid", "collection", "key", "data", "metadata"]
        tables.append(.init(name: Schema.rowTable, columns: columns, names: columns, hasRowid: true))
    }

    /// Whether the rows of a table can only be found on their pages.
    func isLost(_ table: ExportedItem.Table) -> Bool { hasLostRows && table.name == Schema.rowTable }
}
