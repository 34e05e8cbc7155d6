import SQLiteBridge
import FileEngine

extension FileSnapshot {
    /// Times to begin again when somebody commits or starts to write in the middle.
    private static let attemptLimit = 50
    /// A text or blob that a statement may make. Larger values are read in pieces, so memory stays bounded.
    static let valueLimit = 16 << 20
    /// How long to wait, in milliseconds, for a program that holds the whole file, as one that recovers a log does.
    private static let busyTimeout = 1_000

    /// The newest state of the file.
    /// - Parameter isTruncated: whether pages are missing at the end, so that SQLite has to be persuaded to read the rest.
    static func newest(_ path: String, isTruncated: Bool) throws -> FileSnapshot {
        for _ in 0..<attemptLimit {
            let file = FileState(path)
            do {
                if file.hasLog, file.hasIndex, let found = try locked(path, file, isTruncated: isTruncated) {
                    return found
                }
            } catch let error as YapDatabaseError where error.code == .cannotOpen && FileState(path) != file {
                // The last of the others closed meanwhile, and took the log and its index away.
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
            if FileState(path) == file { return try result.get() }
        }
        throw YapDatabaseError(.locked, "\(path) changes all the time. Try again when less is written.")
    }

    /// Reads with the locks of a reader; nil when the log's index cannot be used by one who writes nothing.
    private static func locked(_ path: String, _ file: FileState, isTruncated: Bool) throws -> FileSnapshot? {
        do {
            let front = try open(path, .readOnlyUntouched, isTruncated)
            let back = try open(path, .readOnlyUntouched, isTruncated)
            for _ in 0..<attemptLimit {
                let ends = try (beginLocked(front), beginLocked(back))
                // Without an index nobody else has the log open, and SQLite reads it as it does a copy.
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
            // Somebody was just writing the index's header. The next attempt finds it whole.
            throw YapDatabaseError(.cannotOpen, error.message)
        } catch let error as YapDatabaseError where error.code == .readOnly {
            return nil
        }
    }

    /// SQLITE_READONLY_RECOVERY: the header of the log's index disagrees with itself.
    private static let readOnlyRecovery: Int32 = 264

    private static func open(_ path: String, _ mode: SQLiteHandle.Mode, _ isTruncated: Bool) throws -> Store {
        let store = try Store(path: path, mode: mode, busyTimeout: busyTimeout)
        store.handle.limitValues(toBytes: valueLimit)
        if isTruncated {
            try store.handle.tolerateDamagedSchema()
            let reader = try Store(path: path, mode: mode, busyTimeout: busyTimeout)
            try reader.handle.tolerateDamagedSchema()
            // One that makes no sense even now leaves the table as it is.
            for (sql, page) in try SchemaRepair(reader, isMalformed: true).definitions {
                try? store.handle.define(sql, at: page)
            }
        }
        return store
    }

    private static func begin(_ store: Store) throws {
        try store.execute("BEGIN")
        // With the first read SQLite fixes the state.
        _ = try store.first("SELECT 1 FROM sqlite_master LIMIT 1") { _ in true }
    }

    /// Begins at a moment when nobody commits; returns where the log ends then, nil where it has no index that others use.
    static func beginLocked(_ store: Store) throws -> LogPosition? {
        for _ in 0..<attemptLimit {
            let before = store.handle.logPosition
            try begin(store)
            // One that cannot be had is as good as none.
            try? store.handle.findLogIndex()
            guard store.handle.changeCounter != nil else { return nil }
            if let before, before == store.handle.logPosition { return before }
            try store.rollback()
        }
        throw YapDatabaseError(
            .locked, "\(store.handle.path) is written to all the time. Try again when less is written.")
    }
}
