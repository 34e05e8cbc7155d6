import CSQLite

extension SQLiteHandle {
    public enum CheckpointMode: Hashable, Sendable {
        /// Copies what it can without waiting for anybody.
        case passive
        /// Waits for writers (busy timeout), then copies everything that no reader still needs.
        case full
        /// Like full, and waits until the next writer starts the log from its beginning.
        case restart
        /// Like restart, and cuts the log file to zero bytes.
        case truncate
    }

    /// How far a checkpoint came, in pages.
    public struct CheckpointResult: Hashable, Sendable {
        /// Pages in the log.
        public var logged: Int
        /// Of these, pages that are in the database file now.
        public var copied: Int
        /// True when somebody's lock kept the checkpoint from what its mode asks for.
        public var wasBusy: Bool
        /// Whether everything in the log is in the file now.
        public var isComplete: Bool { logged == copied }
    }

    public func checkpoint(_ mode: CheckpointMode) throws -> CheckpointResult {
        var logged: Int32 = 0
        var copied: Int32 = 0
        let status = sqlite3_wal_checkpoint_v2(pointer, nil, mode.code, &logged, &copied)
        guard status == SQLITE_OK || status & 0xff == SQLITE_BUSY else { throw translate(SQLiteError(handle: pointer)) }
        return CheckpointResult(logged: Int(logged), copied: Int(copied), wasBusy: status != SQLITE_OK)
    }

    /// Whether the last connection to close puts the write-ahead log into the file. True at first.
    public func setCheckpointOnClose(_ isEnabled: Bool) {
        // It cannot fail for a handle that is open.
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
