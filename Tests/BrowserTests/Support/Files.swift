import Foundation
import SQLiteBridge

/// Runs a test with a copy of a file that the original wrote, changed by some SQL.
@MainActor func withFile(_ name: String, changedBy sql: String..., body: @MainActor (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "yap-screen-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Files/\(name).sqlite")
    let path = folder.appending(path: "\(name).sqlite").path
    try FileManager.default.copyItem(atPath: source.path, toPath: path)
    if !sql.isEmpty { try change(path, sql) }
    try body(path)
}

/// What another program does to a file. The log is gone afterwards.
func change(_ path: String, _ sql: [String]) throws {
    let handle = try SQLiteHandle(path: path, mode: .readWrite)
    try handle.execute("PRAGMA journal_mode = DELETE")
    for statement in sql { try handle.execute(statement) }
    try handle.execute("PRAGMA journal_mode = WAL")
}
