import FileEngine
import SQLiteBridge

/// Stores the definitions of virtual tables that SQLite cannot make here.
extension FileImport {
    /// Takes the definition of a virtual table that SQLite cannot make here.
    func addForeign(_ sql: String) throws {
        try checkItem(sql)
        guard let (name, _) = rules.virtualTable(createdBy: sql, store) else {
            throw ImportError(
                "a statement that does more than create a virtual table is not stored: \(sql.prefix(200))")
        }
        foreign.append((name, sql))
    }

    /// Stores the definitions of virtual tables that SQLite cannot make here. None of them was run.
    func storeForeign() throws {
        guard !foreign.isEmpty else { return }
        try store.execute("PRAGMA writable_schema = ON")
        for (name, sql) in foreign {
            let isTaken = try store.first(
                "SELECT 1 FROM sqlite_master WHERE lower(name) = lower(?1) OR lower(?1) LIKE 'sqlite\\_%' ESCAPE '\\'",
                bind: { try $0.bind(name, at: 1) }, read: { _ in true })
            if isTaken == true { throw ImportError("there are two tables \"\(name)\"") }
            try store.run(
                "INSERT INTO sqlite_master (type, name, tbl_name, rootpage, sql) VALUES ('table', ?1, ?1, 0, ?2)"
            ) {
                try $0.bind(name, at: 1)
                try $0.bind(sql, at: 2)
            }
        }
        try store.execute("PRAGMA writable_schema = OFF")
    }

    /// Checks that SQLite can read the schema with the definitions that were stored and not run.
    func checkSchema() throws {
        guard !foreign.isEmpty else { return }
        let reader = try Store(path: path, mode: .readOnly, busyTimeout: 0)
        do {
            _ = try reader.first("SELECT count(*) FROM sqlite_master") { $0.int64(at: 0) }
        } catch {
            throw ImportError("the definition of a virtual table is not one: \(error)")
        }
    }
}
