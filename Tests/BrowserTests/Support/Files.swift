import SQLiteBridge
import TestSupport

/// Runs a test with a copy of a file that the original wrote, changed by some SQL.
@MainActor func withFile(_ name: String, changedBy sql: String..., body: @MainActor (String) throws -> Void) throws {
    try withCopy(of: name) { file in
        if !sql.isEmpty { try change(file.path, sql) }
        try body(file.path)
    }
}

/// Changes a file as another program does. The log is removed afterwards.
func change(_ path: String, _ sql: [String]) throws {
    let handle = try SQLiteHandle(path: path, mode: .readWrite)
    try handle.execute("PRAGMA journal_mode = DELETE")
    for statement in sql { try handle.execute(statement) }
    try handle.execute("PRAGMA journal_mode = WAL")
}
