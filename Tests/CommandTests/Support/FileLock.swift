import Foundation
import SQLiteBridge

/// Another program that has begun to write to a database and does not end.
final class FileLock {
    private let handle: SQLiteHandle

    init(_ file: URL) throws {
        handle = try SQLiteHandle(path: file.path, mode: .readWrite, busyTimeout: 10_000)
        try handle.execute("BEGIN IMMEDIATE")
    }

    /// Takes back what it wrote, which is nothing.
    func release() throws { try handle.execute("ROLLBACK") }
}
