import CSQLite

/// What the shared index of the write-ahead log says, after `findLogIndex()`. None of this costs a system call.
extension SQLiteHandle {
    /// A number that every commit to the file changes, whoever makes it; nil before `findLogIndex()`. It starts anew when the last connection of all programs closes.
    public var changeCounter: UInt32? {
        logIndex.map { yap_wal_change_counter($0) }
    }

    /// Pages of the log that no checkpoint has copied into the file yet, by all programs.
    public var pagesToCheckpoint: Int {
        guard let index = logIndex else { return 0 }
        // The log may start anew between the two reads.
        return max(0, Int(yap_wal_logged(index)) - Int(yap_wal_copied(index)))
    }

    /// Bytes of log that a reader may still need, copied or not; nil before `findLogIndex()`.
    public var logSize: Int? {
        logIndex.map { Int(yap_wal_logged($0)) * (Int(yap_wal_page_size($0)) + Self.frameHeaderSize) }
    }

    private static let frameHeaderSize = 24
}
