import Foundation
import SQLiteBridge

@testable import YapDatabase

/// What a program without our library does to a file: a second SQLite handle that the database object does not know.
func foreignProgram(_ url: URL) throws -> SQLiteHandle {
    try SQLiteHandle(path: url.path, mode: .readWrite, busyTimeout: 10_000)
}

/// Runs SQL as another program that counts its commit up.
func elsewhere(_ database: YapDatabase, _ sql: String...) throws {
    let handle = try SQLiteHandle(path: database.databaseURL.path, mode: .readWrite, busyTimeout: 30_000)
    try handle.execute("BEGIN IMMEDIATE")
    for sql in sql { try handle.execute(sql) }
    try handle.execute("UPDATE yap2 SET data = data + 1 WHERE extension = '' AND key = 'snapshot'")
    try handle.execute("COMMIT")
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
    /// Gives rows of a collection other values, or none, as a program does that knows only SQLite.
    func setRows(_ values: [(key: some YapKey, value: (some Encodable)?)], inCollection collection: String) throws {
        try execute("BEGIN IMMEDIATE")
        for (key, value) in values.map({ ($0.key.storedKey, $0.value) }) {
            try execute("DELETE FROM database2 WHERE collection = '\(collection)' AND key = '\(key)'")
            guard let value else { continue }
            let statement = try statement("INSERT INTO database2 (collection, key, data) VALUES (?, '\(key)', ?)")
            try statement.bind(collection, at: 1)
            try statement.bind([UInt8](YapDatabaseCodableFormat.propertyList.encode(value)), at: 2)
            try statement.run()
        }
        try execute("COMMIT")
    }

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
