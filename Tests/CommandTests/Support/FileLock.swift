import Foundation
import SQLiteBridge

/// Another program with an open write transaction.
final class FileLock {
    private let handle: SQLiteHandle

    init(_ file: URL) throws {
        handle = try SQLiteHandle(path: file.path, mode: .readWrite, busyTimeout: 10_000)
        try handle.execute("BEGIN IMMEDIATE")
    }

    /// Rolls back; nothing was written.
    func release() throws { try handle.execute("ROLLBACK") }
}
