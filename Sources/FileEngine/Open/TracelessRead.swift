import Foundation
import SQLiteBridge

/// Reading a file without leaving a trace: SQLite itself makes a log and its index for every reader, and writes into the
/// index where the reader stands.
package enum TracelessRead {
    /// Times to begin again when somebody starts to write in the middle.
    private static let attemptLimit = 5
    /// Milliseconds to wait for another program's lock.
    private static let busyTimeout = 5_000
    /// Milliseconds to wait for a database of this process that is being closed.
    private static let closingLimit = 5_000

    static func read<Value>(url: URL, _ body: (Store) throws -> Value) throws -> Value {
        guard url.isFileURL else { throw YapDatabaseError(.cannotOpen, "\(url) is not the URL of a file.") }
        let path = target(of: url.path)
        // Closing a file lets go of all locks that the process has on it, so one that is open here is not touched.
        for _ in 0..<closingLimit {
            guard OpenFile.isClaimed(url) else { break }
            do {
                return try body(open(path, .readOnlyUntouched))
            } catch let error as YapDatabaseError where error.code == .cannotOpen && !FileState(path).hasLog {
                // The database is being closed, which takes the log away and ends the claim.
                usleep(1_000)
            }
        }
        try existing(path).check()
        return try read(path: path, body)
    }

    /// For a file that no handle of this process has open.
    static func read<Value>(path: String, _ body: (Store) throws -> Value) throws -> Value {
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
    package static func existing(_ path: String) throws -> UnopenedFile {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == EACCES {
                throw YapDatabaseError(
                    .permissionDenied, "\(path) cannot be reached: you may not look into a folder on the way to it.")
            }
            throw YapDatabaseError(.cannotOpen, "There is no file at \(path).")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            let kind = status.st_mode & S_IFMT == S_IFDIR ? "a folder" : "no ordinary file"
            throw YapDatabaseError(.cannotOpen, "\(path) is \(kind), not a database.")
        }
        guard let file = try UnopenedFile(path: path) else {
            throw YapDatabaseError(.notADatabase, "\(path) is empty: there is no database in it.")
        }
        return file
    }

    /// The file that a link leads to: its log lies beside it, and not beside the link.
    package static func target(of path: String) -> String {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK, let target = realpath(path, nil) else {
            return path
        }
        defer { free(target) }
        return String(cString: target)
    }

    /// That a rollback journal lies beside the file which no program has taken back, in a sentence. To take it back is to
    /// write to the file.
    package static func unfinishedChange(_ path: String) -> String? {
        guard hotJournal(path) != nil else { return nil }
        let journal = path + "-journal"
        return """
            A program is writing to the file at this moment, or was stopped in the middle: \(journal) is there to take the \
            change back. What is read may be half of it. When no program uses the file, have SQLite repair a copy of both: \
            sqlite3 COPY .tables
            """
    }

    /// Whether anything lies beside the file that SQLite would read, change or remove.
    static func hasCompanion(_ path: String) -> Bool {
        ["-wal", "-shm", "-journal"].contains { suffix in
            var status = stat()
            return lstat(path + suffix, &status) == 0
        }
    }

    /// Whether a program is making the file at this moment, or was stopped while it did: the journal takes back all of it.
    static func isNewlyMade(_ path: String) -> Bool { hotJournal(path).map { $0 == 0 } ?? false }

    /// The pages that the file had before the change that a journal beside it takes back; nil where there is none.
    private static func hotJournal(_ path: String) -> Int? {
        // Without waiting: there may be anything of that name.
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

    private static func open(_ path: String, _ mode: SQLiteHandle.Mode) throws -> Store {
        try Store(path: path, mode: mode, busyTimeout: busyTimeout)
    }
}
