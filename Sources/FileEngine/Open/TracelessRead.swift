import Foundation
import SQLiteBridge

/// Reads a file without leaving a trace. By itself SQLite creates a log and its index for every reader and writes the
/// reader's position into the index.
package enum TracelessRead {
    /// Attempts to read while other processes write.
    private static let attemptLimit = 5
    /// Milliseconds to wait for another program's lock.
    private static let busyTimeout = 5_000
    /// Milliseconds to wait for a database of this process that is being closed.
    private static let closingLimit = 5_000

    static func read<Value>(url: URL, _ body: (Store) throws -> Value) throws -> Value {
        guard url.isFileURL else { throw YapDatabaseError(.cannotOpen, "\(url) is not the URL of a file.") }
        let path = target(of: url.path)
        // Closing a file releases all locks of the process on it, so a file that is open in this process is opened by SQLite
        // only.
        for _ in 0..<closingLimit {
            guard OpenFile.isClaimed(url) else { break }
            do {
                return try body(openUntouched(path))
            } catch let error as YapDatabaseError
                where error.code == .readOnly || error.code == .cannotOpen && !FileState(path).hasLog
            {
                // The database is being closed: its last handle has left the log's index, which no reader may take over, or has removed
                // the log. The claim ends with that.
                usleep(1_000)
            }
        }
        try existing(path).check()
        return try read(path: path, body)
    }

    /// Reads a file that no handle of this process has open.
    static func read<Value>(path: String, _ body: (Store) throws -> Value) throws -> Value {
        for _ in 0..<attemptLimit {
            let before = FileState(path)
            do {
                if before.hasLog, before.hasIndex, let value = try readWithLocks(path, body) { return value }
            } catch let error as YapDatabaseError where error.code == .cannotOpen && FileState(path) != before {
                // The last other user closed the file and removed the log and its index.
                continue
            }
            // A log without a valid index, as beside a copied file: SQLite would create one.
            let result = Result { try body(open(path, before.hasLog ? .readOnlyOwnIndex : .readOnlyAlone)) }
            // Without locks, the result is valid only if the file did not change.
            if FileState(path) == before { return try result.get() }
        }
        throw YapDatabaseError(.locked, "\(path) keeps changing. Try again when there are fewer writes.")
    }

    /// Reads the file without its log and without locks. What other programs write meanwhile may be read in part.
    static func readWithoutLog<Value>(path: String, _ body: (Store) throws -> Value) throws -> Value {
        try body(open(path, .readOnlyAlone))
    }

    /// Returns nil if the log's index is damaged, for example by a program that was killed while it wrote there.
    private static func readWithLocks<Value>(_ path: String, _ body: (Store) throws -> Value) throws -> Value? {
        do {
            return try body(openUntouched(path))
        } catch let error as YapDatabaseError where error.code == .readOnly {
            return nil
        }
    }

    /// Inspects the file without SQLite.
    package static func existing(_ path: String) throws -> UnopenedFile {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == EACCES {
                throw YapDatabaseError(
                    .permissionDenied, "\(path) cannot be reached: a folder in its path denies access.")
            }
            let reason = errno
            guard reason == ENOENT || reason == ENOTDIR else {
                throw YapDatabaseError(.cannotOpen, "\(path) cannot be reached: \(String(cString: strerror(reason))).")
            }
            if lstat(path, &status) == 0 {
                throw YapDatabaseError(.cannotOpen, "\(path) is a link to a file that does not exist.")
            }
            throw YapDatabaseError(.cannotOpen, "There is no file at \(path).")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            let kind = status.st_mode & S_IFMT == S_IFDIR ? "a folder" : "not a regular file"
            throw YapDatabaseError(.cannotOpen, "\(path) is \(kind), so it is not a database.")
        }
        guard let file = try UnopenedFile(path: path) else {
            throw empty(path)
        }
        return file
    }

    package static func empty(_ path: String) -> YapDatabaseError {
        YapDatabaseError(.notADatabase, "\(path) is empty: there is no database in it.")
    }

    /// Resolves a symbolic link, because the log is beside the target.
    package static func target(of path: String) -> String {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK, let target = realpath(path, nil) else {
            return path
        }
        defer { free(target) }
        return String(cString: target)
    }

    /// Describes an unfinished change in a sentence; nil if there is none. Its rollback journal is beside the file, and
    /// rolling it back would write to the file.
    package static func unfinishedChange(_ path: String) -> String? {
        guard hotJournal(path) != nil else { return nil }
        let journal = path + "-journal"
        return """
            A program is writing to the file at this moment, or was stopped in the middle: \(journal) is there to take the \
            change back. What is read may be half of it. When no program uses the file, have SQLite repair a copy of both: \
            sqlite3 COPY .tables
            """
    }

    /// Whether the file has companion files that SQLite would read, change or remove.
    static func hasCompanion(_ path: String) -> Bool {
        ["-wal", "-shm", "-journal"].contains { suffix in
            var status = stat()
            return lstat(path + suffix, &status) == 0
        }
    }

    /// Whether a program is creating the file, or was stopped while it did: the journal rolls everything back.
    static func isNewlyMade(_ path: String) -> Bool { hotJournal(path).map { $0 == 0 } ?? false }

    /// The number of pages that the file had before the change that its journal rolls back; nil if there is no such journal.
    private static func hotJournal(_ path: String) -> Int? {
        // Non-blocking, because anything may have that name.
        let descriptor = Glibc.open(path + "-journal", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { Glibc.close(descriptor) }
        let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
        var header = [UInt8](repeating: 0, count: 20)
        guard Glibc.read(descriptor, &header, header.count) == header.count, header.starts(with: magic) else {
            return nil
        }
        return header.dropFirst(16).reduce(0) { $0 << 8 | Int($1) }
    }

    /// Opens a file beside whose log there is an index.
    private static func openUntouched(_ path: String) throws -> Store {
        let store = try open(path, .readOnlyUntouched)
        store.hasLog = try store.first("PRAGMA journal_mode") { $0.text(at: 0) } == "wal"
        return store
    }

    private static func open(_ path: String, _ mode: SQLiteHandle.Mode) throws -> Store {
        try Store(path: path, mode: mode, busyTimeout: busyTimeout)
    }
}
