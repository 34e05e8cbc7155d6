import Foundation
import SQLiteBridge

extension Store {
    /// Opens a file, upgrades it to today's layout, and returns the version of its state.
    package static func open(path: String, options: any FileOptions) throws -> (store: Store, version: FileVersion) {
        do {
            return try openAsItIs(path: path, options: options)
        } catch let error as YapDatabaseError where error.meansDamage && options.corruptAction != .fail {
            try CorruptFile.moveAside(path, by: options.corruptAction)
            return try openAsItIs(path: path, options: options)
        }
    }

    /// Opens a file that `open` has prepared.
    /// - Parameter isCounted: whether closing the file waits for this handle.
    /// - Throws: ``YapDatabaseError`` with `fileReplaced` if the path leads to another file by now.
    package convenience init(
        _ file: OpenFile, options: any FileOptions, busyTimeout: Int? = nil, isCounted: Bool = true
    ) throws {
        let leave = file.enter(isCounted: isCounted)
        do {
            try self.init(
                path: file.path, mode: .readWrite, busyTimeout: busyTimeout ?? options.busyTimeout, didClose: leave)
        } catch {
            leave()
            // SQLite says of a file that is not there that it cannot be opened.
            try file.checkPlace()
            throw error
        }
        file.add(handle.interrupter)
        // Checked before the first statement, with which SQLite would play the old file's log into the new one.
        try file.checkPlace()
        hasLog = true
        line = file.line
        try configure(options)
    }

    private static func openAsItIs(path: String, options: any FileOptions) throws -> (
        store: Store, version: FileVersion
    ) {
        try UnopenedFile.checkWritable(path: path)
        let existing = try UnopenedFile(path: path)
        try existing?.check()
        let isAlone = !TracelessRead.hasCompanion(path)
        if existing != nil, !isAlone { try checkOwner(path: path) }
        let store = try Store(path: path, mode: .create, busyTimeout: options.busyTimeout)
        // Until the file is known to be ours, not even an existing log is copied into it. A log that this handle creates
        // disappears with the handle.
        if !isAlone { store.handle.setCheckpointOnClose(false) }
        if existing == nil { try store.shapeNewFile(options) }
        try Schema.prepare(store, path: path)
        store.handle.setCheckpointOnClose(true)
        try store.useLog(path: path, busyTimeout: options.busyTimeout)
        try store.configure(options)
        let version = try store.beginRead()
        try store.rollback()
        return (store, version)
    }

    /// Checks without a trace that the file is ours. If the check fails because other processes write or create the file,
    /// opening checks again.
    private static func checkOwner(path: String) throws {
        let isUnfinished = TracelessRead.unfinishedChange(path) != nil
        if !isUnfinished, wasOurs(path: path) { return }
        do {
            try TracelessRead.read(path: path) { try FileLayout($0, path: path).checkIsOurs() }
        } catch let error as YapDatabaseError {
            switch error.code {
            case .notAYapDatabase where TracelessRead.isNewlyMade(path): return
            case .notAYapDatabase, .newerVersion: throw error
            // During an unfinished change the error may be temporary; a lasting error occurs again when SQLite opens the
            // file.
            case .corrupt, .notADatabase, .sqlite: if !isUnfinished { throw error }
            default: return
            }
        }
    }

    /// Whether the file is ours without its log, as a checkpoint has left it. Then its log need not be read here: after a program was killed, that
    /// takes as long as its recovery, which follows. The tables are looked at again before anything is written, with the log; if another program
    /// has changed them there, the file is refused and its log stays.
    private static func wasOurs(path: String) -> Bool {
        let isOurs = try? TracelessRead.readWithoutLog(path: path) { store in
            try FileLayout(store, path: path).checkIsOurs()
            // An empty file is not one of ours yet.
            return try store.hasTable("database2")
        }
        return isOurs ?? false
    }

    /// These must be set before the first table is created.
    private func shapeNewFile(_ options: any FileOptions) throws {
        if options.pragmaPageSize > 0 { try execute("PRAGMA page_size = \(options.pragmaPageSize)") }
        try execute("PRAGMA auto_vacuum = FULL")
    }

    private func useLog(path: String, busyTimeout: Int) throws {
        let mode = try journalModeWAL(busyTimeout: busyTimeout)
        guard mode == "wal" else {
            throw YapDatabaseError(
                .cannotOpen,
                "\(path) cannot use a write-ahead log: the mode stays \(mode ?? "unknown"). Put it on a local disk.")
        }
        hasLog = true
    }

    /// Retries because another process may be opening the same new file. SQLite does not wait here.
    private func journalModeWAL(busyTimeout: Int) throws -> String? {
        try Self.retrying(for: busyTimeout) { try first("PRAGMA journal_mode = WAL") { $0.text(at: 0) } ?? nil }
    }

    /// Retries the body while it throws `locked`, for at most `busyTimeout` milliseconds.
    static func retrying<Value>(for busyTimeout: Int, _ body: () throws -> Value) throws -> Value {
        let deadline = ContinuousClock.now + .milliseconds(busyTimeout)
        while true {
            do {
                return try body()
            } catch let error as YapDatabaseError where error.code == .locked && ContinuousClock.now < deadline {
                usleep(1_000)
            }
        }
    }

    private func configure(_ options: any FileOptions) throws {
        try execute("PRAGMA synchronous = \(options.pragmaSynchronous.rawValue)")
        // Checkpoints run beside writers, not inside commits.
        try execute("PRAGMA wal_autocheckpoint = 0")
        try limitCache()
        if options.pragmaJournalSizeLimit > 0 {
            try execute("PRAGMA journal_size_limit = \(options.pragmaJournalSizeLimit)")
        }
        if options.pragmaMMapSize > 0 { try execute("PRAGMA mmap_size = \(options.pragmaMMapSize)") }
    }
}

extension YapDatabaseError {
    /// Whether the file is unusable.
    fileprivate var meansDamage: Bool { [.notADatabase, .truncated, .corrupt].contains(code) }
}

/// Renames or removes a damaged file when the options ask for a new one.
private enum CorruptFile {
    /// The log goes with the file: SQLite would play a log that stays behind into the new file.
    private static let suffixes = ["", "-wal", "-shm"]

    static func moveAside(_ path: String, by action: YapDatabaseCorruptAction) throws {
        let spare = action == .rename ? sparePath(path) : nil
        for suffix in suffixes where FileManager.default.fileExists(atPath: path + suffix) {
            if let spare {
                try FileManager.default.moveItem(atPath: path + suffix, toPath: spare + suffix)
            } else {
                try FileManager.default.removeItem(atPath: path + suffix)
            }
        }
    }

    private static func sparePath(_ path: String) -> String {
        var number = 0
        while FileManager.default.fileExists(atPath: "\(path).\(number).corrupt") { number += 1 }
        return "\(path).\(number).corrupt"
    }
}
