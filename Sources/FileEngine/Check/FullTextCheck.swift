import SQLiteBridge

/// Whether a full-text index is that of the texts that it keeps.
///
/// SQLite's check of the whole file asks its full-text modules only since version 3.44. The modules' own check is a write, which a file that is only
/// read does not allow, so it runs on a private copy of the index's tables: in a temporary file without a name, or in memory if the file
/// is encrypted. O(bytes of the index).
package struct FullTextCheck {
    private let store: Store
    private let table: String

    package enum Finding: Hashable, Sendable {
        case sound
        case damaged
        /// It cannot be found out here.
        case unknown(reason: String)
    }

    /// - Parameter table: the virtual table.
    package init(_ store: Store, table: String) { (self.store, self.table) = (store, table) }

    /// The endings of the tables that the modules keep.
    private static let parts = ["content", "segments", "segdir", "docsize", "stat", "data", "idx", "config"]

    package func run() throws -> Finding {
        // An index of texts that another table has, or that are nowhere.
        guard !SQLiteHandle.checksFullText, let sql = try sql(of: table), !sql.contains(/(?i)\bcontent\s*=/) else {
            return .sound
        }
        let copy = try Store(
            path: "", mode: PageDecoders.decoder(of: store.handle.path) == nil ? .temporary : .memory,
            rules: Self.rules,
            busyTimeout: 0)
        do {
            // The module makes its tables: what the file says of them, such as a CHECK, is not run.
            try copy.handle.newStatement(sql).run()
            try copy.execute("BEGIN")
            for part in Self.parts where try !copyRows("\(table)_\(part)", to: copy) { return .damaged }
            try copy.execute("COMMIT")
            // The module forgets what it knew of them.
            try copy.execute("PRAGMA writable_schema = RESET")
            try copy.execute("INSERT INTO \(Store.quoted(table)) (\(Store.quoted(table))) VALUES ('integrity-check')")
            return .sound
        } catch let error as YapDatabaseError where error.code == .corrupt {
            return .damaged
        } catch let error as YapDatabaseError where error.code != .interrupted {
            return .unknown(reason: error.sqliteMessage ?? error.message)
        }
    }

    /// - Returns: whether a table of the index has the columns that the module asks for.
    private func copyRows(_ name: String, to copy: Store) throws -> Bool {
        let table = Store.quoted(name)
        let names = try copy.columns(ofTable: name)
        if names.isEmpty { return true }
        if try !Set(store.columns(ofTable: name)).isSuperset(of: names) { return false }
        let columns = names.map(Store.quoted).joined(separator: ", ")
        try copy.execute("DELETE FROM \(table)")
        let rows = try store.handle.newStatement("SELECT \(columns) FROM \(table)")
        let places = (0..<rows.columnCount).map { "?\($0 + 1)" }.joined(separator: ", ")
        let insert = try copy.handle.newStatement("INSERT INTO \(table) (\(columns)) VALUES (\(places))")
        while try rows.step() {
            for place in 0..<rows.columnCount { try insert.bind(rows.value(at: place), at: place + 1) }
            try insert.run()
            insert.reset()
        }
        return true
    }

    private func sql(of name: String) throws -> String? {
        try store.first(
            "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", bind: { try $0.bind(name, at: 1) },
            read: { $0.text(at: 0) }) ?? nil
    }

    /// For statements of a schema that is not trusted, in a database without anything of value.
    private static let rules: SQLiteRules = {
        var rules = SQLiteRules { action in
            switch action {
            case .createView, .createTrigger, .other: false
            case .function(let name): SQLiteRules.isHarmless(function: name)
            case .createVirtualTable(_, let module): SQLiteRules.modules.contains(module.lowercased())
            default: true
            }
        }
        rules.isDefensive = false
        return rules
    }()
}
