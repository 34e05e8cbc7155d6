import Foundation
import SQLiteBridge

/// Reading a file without leaving a trace: SQLite itself makes a log and its index for every reader, and writes into the
/// index where the reader stands.
enum QuietRead {
    /// Times to begin again when somebody starts to write in the middle.
    private static let attemptLimit = 5

    static func read<Value>(url: URL, _ body: (Store) throws -> Value) throws -> Value {
        guard url.isFileURL else { throw YapDatabaseError(.cannotOpen, "\(url) is not the URL of a file.") }
        let path = url.path
        // Closing a file lets go of all locks that the process has on it, so one that is open here is not touched.
        if OpenFile.isClaimed(url) { return try body(open(path, .readOnlyUntouched)) }
        try check(path)
        for _ in 0..<attemptLimit {
            let before = FileState(path)
            if before.hasLog, before.hasIndex, let value = try readWithLocks(path, body) { return value }
            let result = Result { before.hasLog ? try readCopy(path, body) : try body(open(path, .readOnlyAlone)) }
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

    private static func check(_ path: String) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw YapDatabaseError(.cannotOpen, "There is no file at \(path).")
        }
        if isFolder.boolValue { throw YapDatabaseError(.cannotOpen, "\(path) is a folder, not a database.") }
        guard let file = try FileCheck(path: path) else {
            throw YapDatabaseError(.notADatabase, "\(path) is empty: there is no database in it.")
        }
        try file.check()
    }

    /// A log without a sound index, as copies have it: SQLite would make one, so it is made beside a copy.
    private static func readCopy<Value>(_ path: String, _ body: (Store) throws -> Value) throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "yap-check-\(UUID().uuidString)")
        let copy = folder.appending(path: "copy.sqlite").path
        defer { try? FileManager.default.removeItem(at: folder) }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for suffix in ["", "-wal"] {
                try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
            }
        } catch {
            throw YapDatabaseError(
                .inputOutput,
                "\(path) has a log without an index, and could not be copied to \(folder.path) to be read.",
                underlying: error)
        }
        return try body(open(copy, .readOnly))
    }

    private static func open(_ path: String, _ mode: SQLiteHandle.Mode) throws -> Store {
        try Store(path: path, mode: mode, busyTimeout: YapDatabaseOptions().busyTimeout)
    }
}

/// What tells from outside whether somebody wrote.
private struct FileState: Equatable {
    private let stamps: [[Int]]
    /// Whether there is anything in the log.
    let hasLog: Bool
    let hasIndex: Bool
    /// A log of its header alone is empty, and more than SQLite can read without writing.
    private static let emptyLogSize = 32

    init(_ path: String) {
        stamps = ["", "-wal"].map { Self.stamp(path + $0) }
        hasLog = stamps[1].first ?? 0 > Self.emptyLogSize
        hasIndex = !Self.stamp(path + "-shm").isEmpty
    }

    /// Empty where there is no file. Looked at from outside, never opened.
    private static func stamp(_ path: String) -> [Int] {
        var status = stat()
        guard stat(path, &status) == 0 else { return [] }
        return [Int(status.st_size), Int(status.st_ino), status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    }
}
