import Foundation
import SQLiteBridge

/// Runs a test with a copy of a file that the original wrote.
func withFile<Value>(_ name: String, changedBy sql: [String] = [], body: (String) throws -> Value) throws -> Value {
    try withTemporaryFolder { folder in
        let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Files/\(name).sqlite")
        let path = folder.appending(path: "\(name).sqlite").path
        try FileManager.default.copyItem(atPath: source.path, toPath: path)
        if !sql.isEmpty {
            let handle = try SQLiteHandle(path: path, mode: .readWrite)
            try handle.execute("PRAGMA journal_mode = DELETE")
            for statement in sql { try handle.execute(statement) }
            try handle.execute("PRAGMA journal_mode = WAL")
        }
        return try body(path)
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
