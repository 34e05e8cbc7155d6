import FileEngine
import Foundation
import SQLiteBridge

extension FileSnapshot {
    /// The most attempts if commits or new writers interfere.
    private static let attemptLimit = 50
    /// The most bytes of a text or blob that a statement returns. Larger values are read in pieces, so memory stays
    /// bounded.
    static let valueLimit = 16 << 20
    /// Milliseconds to wait for a program that holds the whole file, for example during recovery of a log.
    private static let busyTimeout = 1_000

    /// Opens the newest state of the file.
    /// - Parameter isTruncated: whether pages are missing at the end, so that SQLite must be persuaded to read the
    ///   rest.
    static func newest(_ path: String, isTruncated: Bool) throws -> FileSnapshot {
        for attempt in 1...attemptLimit {
            let file = FileState(path)
            do {
                if file.hasLog, file.hasIndex, let found = try locked(path, file, isTruncated: isTruncated) {
                    return found
                }
            } catch let error as YapDatabaseError where error.code == .cannotOpen && FileState(path) != file {
                // The last of the other programs has just closed the file and removed the log and its index.
                continue
            }
            let mode: SQLiteHandle.Mode = file.hasLog ? .readOnlyOwnIndex : .readOnlyAlone
            let result = Result {
                let (front, back) = try (open(path, mode, isTruncated), open(path, mode, isTruncated))
                try begin(front)
                try begin(back)
                let mark = Mark(hold: file.hasLog ? .nothing : .noLog, file: file)
                return try FileSnapshot(path: path, mark: mark, front: front, back: back)
            }
            guard FileState(path) == file else { continue }
            if case .failure(let error as YapDatabaseError) = result, error.isDamage, attempt < attemptLimit,
                TracelessRead.unfinishedChange(path) != nil
            {
                // What is there now may be half of a change.
                usleep(20_000)
                continue
            }
            return try result.get()
        }
        throw YapDatabaseError(.locked, "\(path) changes constantly. Try again when fewer programs write to it.")
    }

    /// Opens with a reader's locks; nil if a reader that writes nothing cannot use the log's index.
    private static func locked(_ path: String, _ file: FileState, isTruncated: Bool) throws -> FileSnapshot? {
        do {
            let front = try open(path, .readOnlyUntouched, isTruncated)
            let back = try open(path, .readOnlyUntouched, isTruncated)
            for _ in 0..<attemptLimit {
                let ends = try (beginLocked(front), beginLocked(back))
                // Without an index no other program has the log open, and SQLite reads the file like a copy.
                guard let log = ends.0, let other = ends.1 else { return nil }
                if log.change == other.change {
                    let mark = Mark(hold: .locks(change: log.change), file: file)
                    return try FileSnapshot(path: path, mark: mark, log: log, front: front, back: back)
                }
                try front.rollback()
                try back.rollback()
            }
            throw YapDatabaseError(.locked, "\(path) is written to all the time. Try again when less is written.")
        } catch let error as YapDatabaseError where error.sqliteCode == readOnlyRecovery && FileState(path) != file {
            // The index's header is being written. The next attempt finds it complete.
            throw YapDatabaseError(.cannotOpen, error.message)
        } catch let error as YapDatabaseError where error.code == .readOnly {
            return nil
        }
    }

    /// SQLITE_READONLY_RECOVERY: the two copies of the index's header differ.
    private static let readOnlyRecovery: Int32 = 264

    private static func open(_ path: String, _ mode: SQLiteHandle.Mode, _ isTruncated: Bool) throws -> Store {
        let store = try Store(path: path, mode: mode, busyTimeout: busyTimeout)
        store.handle.limitValues(toBytes: valueLimit)
        if isTruncated {
            try store.handle.tolerateDamagedSchema()
            let reader = try Store(path: path, mode: mode, busyTimeout: busyTimeout)
            try reader.handle.tolerateDamagedSchema()
            // If a definition is still invalid, the table stays as it is.
            for (sql, page) in try SchemaRepair(reader, isMalformed: true).definitions {
                try? store.handle.define(sql, at: page)
            }
        }
        return store
    }

    private static func begin(_ store: Store) throws {
        try store.execute("BEGIN")
        // The first read fixes the state of the transaction.
        _ = try store.first("SELECT 1 FROM sqlite_master LIMIT 1") { _ in true }
    }

    /// Begins a transaction at a moment without commits and returns the end of the log; nil if there is no index shared
    /// with others.
    static func beginLocked(_ store: Store) throws -> LogPosition? {
        for _ in 0..<attemptLimit {
            let before = store.handle.logPosition
            try begin(store)
            // A log index that cannot be opened counts as missing.
            try? store.handle.findLogIndex()
            guard store.handle.changeCounter != nil else { return nil }
            if let before, before == store.handle.logPosition { return before }
            try store.rollback()
        }
        throw YapDatabaseError(
            .locked, "\(store.handle.path) is written to all the time. Try again when less is written.")
    }
}
