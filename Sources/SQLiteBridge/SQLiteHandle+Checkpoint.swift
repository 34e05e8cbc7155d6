import CSQLite

extension SQLiteHandle {
    public enum CheckpointMode: Hashable, Sendable {
        /// Copies as much as possible without waiting.
        case passive
        /// Waits for writers (busy timeout), then copies everything that no reader still needs.
        case full
        /// Like full, then waits until the next writer can restart the log from its beginning.
        case restart
        /// Like restart, and cuts the log file to zero bytes.
        case truncate
    }

    /// The result of a checkpoint, in pages.
    public struct CheckpointResult: Hashable, Sendable {
        /// Pages in the log.
        public var logged: Int
        /// Pages of the log that are in the database file now.
        public var copied: Int
        /// Whether another connection's lock prevented what the mode requires.
        public var wasBusy: Bool
        /// Whether the whole log is in the file now.
        public var isComplete: Bool { logged == copied }
    }

    public func checkpoint(_ mode: CheckpointMode) throws -> CheckpointResult {
        var logged: Int32 = 0
        var copied: Int32 = 0
        let status = sqlite3_wal_checkpoint_v2(pointer, nil, mode.code, &logged, &copied)
        guard status == SQLITE_OK || status & 0xff == SQLITE_BUSY else { throw translate(SQLiteError(handle: pointer)) }
        return CheckpointResult(logged: Int(logged), copied: Int(copied), wasBusy: status != SQLITE_OK)
    }

    /// Sets whether the last connection to close copies the write-ahead log into the file. Initially true.
    public func setCheckpointOnClose(_ isEnabled: Bool) {
        // Cannot fail for an open handle.
        _ = yap_set_checkpoint_on_close(pointer, isEnabled ? 1 : 0)
    }
}

extension SQLiteHandle.CheckpointMode {
    fileprivate var code: Int32 {
        switch self {
        case .passive: SQLITE_CHECKPOINT_PASSIVE
        case .full: SQLITE_CHECKPOINT_FULL
        case .restart: SQLITE_CHECKPOINT_RESTART
        case .truncate: SQLITE_CHECKPOINT_TRUNCATE
        }
    }
}
