import Foundation
import SQLiteBridge

@testable import YapDatabase

/// What a program without our library does to a file: a second SQLite handle that the database object does not know.
func foreignProgram(_ url: URL) throws -> SQLiteHandle {
    try SQLiteHandle(path: url.path, mode: .readWrite, busyTimeout: 10_000)
}

/// The tables of the file, in order of their names.
func tables(of url: URL) throws -> [String] {
    let handle = try SQLiteHandle(path: url.path, mode: .readOnly, busyTimeout: 1_000)
    let statement = try handle.statement("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    defer { statement.reset() }
    var names: [String] = []
    while try statement.step() { names.append(statement.text(at: 0) ?? "") }
    return names
}

extension SQLiteHandle {
    /// What `.restore` of the `sqlite3` shell does: puts the content of another file into this one, in one transaction.
    func restore(from path: String) throws {
        let source = try SQLiteHandle(path: path, mode: .readOnly, busyTimeout: 1_000)
        for _ in 0..<10_000 {
            do {
                if try source.copy(to: self, pagesPerStep: 1_000_000, progress: { _, _ in true }) { return }
            } catch let error as SQLiteError where error.code == SQLiteError.busy {
                // As another program tries again.
                usleep(1_000)
            }
        }
    }
}
