import SQLiteBridge

/// Runs a test with a copy of a file that the original wrote.
func withFile<Value>(_ name: String, changedBy sql: [String] = [], body: (String) throws -> Value) throws -> Value {
    try withCopy(of: name) { file in
        if !sql.isEmpty {
            let handle = try SQLiteHandle(path: file.path, mode: .readWrite)
            try handle.execute("PRAGMA journal_mode = DELETE")
            for statement in sql { try handle.execute(statement) }
            try handle.execute("PRAGMA journal_mode = WAL")
        }
        return try body(file.path)
    }
}

/// Every row of a query as texts, NULL as "NULL".
func query(_ path: String, _ sql: String) throws -> [[String]] {
    let handle = try SQLiteHandle(path: path, mode: .readOnlyAlone)
    let statement = try handle.statement(sql)
    defer { statement.reset() }
    var rows: [[String]] = []
    while try statement.step() {
        rows.append((0..<statement.columnCount).map { statement.text(at: $0) ?? "NULL" })
    }
    return rows
}

let originalFiles = ["books", "chat", "json"]
