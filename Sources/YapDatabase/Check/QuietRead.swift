import Foundation
import SQLiteBridge

/// Reading a file without leaving a trace: SQLite itself makes a log and its index for every reader, and writes into the
/// index where the reader stands.
package enum QuietRead {
    /// Times to begin again when somebody starts to write in the middle.
    private static let attemptLimit = 5

    static func read<Value>(url: URL, _ body: (Store) throws -> Value) throws -> Value {
        guard url.isFileURL else { throw YapDatabaseError(.cannotOpen, "\(url) is not the URL of a file.") }
        let path = url.path
        // Closing a file lets go of all locks that the process has on it, so one that is open here is not touched.
        if OpenFile.isClaimed(url) { return try body(open(path, .readOnlyUntouched)) }
        try existing(path).check()
        for _ in 0..<attemptLimit {
            let before = FileState(path)
            do {
                if before.hasLog, before.hasIndex, let value = try readWithLocks(path, body) { return value }
            } catch let error as YapDatabaseError where error.code == .cannotOpen && FileState(path) != before {
                // The last of the others closed meanwhile, and took the log and its index away.
                continue
            }
            // A log without a sound index, as copies have it: SQLite would make one beside it.
            let result = Result { try body(open(path, before.hasLog ? .readOnlyOwnIndex : .readOnlyAlone)) }
            // Without locks, what was read counts only if it stood still.
            if FileState(path) == before { return try result.get() }
        }
        throw YapDatabaseError(.locked, "\(path) changes all the time. Try again when less is written.")
    }

    /// Nil when the log's index is damaged, as a program leaves it that is killed while it writes there.
    private static func readWithLocks<Value>(_ path: String, _ body: (Store) throws -> Value) throws -> Value? {
        do {
            return try body(open(path, .readOnlyUntouched))
        } catch let error as YapDatabaseError where error.code == .readOnly {
            return nil
        }
    }

    /// What can be said of the file without SQLite.
    package static func existing(_ path: String) throws -> FileCheck {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw YapDatabaseError(.cannotOpen, "There is no file at \(path).")
        }
        if isFolder.boolValue { throw YapDatabaseError(.cannotOpen, "\(path) is a folder, not a database.") }
        guard let file = try FileCheck(path: path) else {
            throw YapDatabaseError(.notADatabase, "\(path) is empty: there is no database in it.")
        }
        return file
    }

    private static func open(_ path: String, _ mode: SQLiteHandle.Mode) throws -> Store {
        try Store(path: path, mode: mode, busyTimeout: YapDatabaseOptions().busyTimeout)
    }
}
