import CSQLite

/// Values from the shared index of the write-ahead log, after `findLogIndex()`. None of them costs a system call.
extension SQLiteHandle {
    /// A number that every commit of any program changes; nil before `findLogIndex()`. It starts again when the last
    /// connection of all programs closes.
    public var changeCounter: UInt32? {
        logIndex.map { yap_wal_change_counter($0) }
    }

    /// What tells the present state of the file apart from all others; nil before `findLogIndex()`, and while a writer is changing it.
    public var logStamp: LogStamp? {
        guard let index = logIndex else { return nil }
        var stamp = LogStamp(change: 0, checksum: 0)
        return yap_wal_stamp(index, &stamp.change, &stamp.checksum) != 0 ? stamp : nil
    }

    /// The number of pages of the log that no checkpoint of any program has copied into the file yet.
    public var pagesToCheckpoint: Int {
        guard let index = logIndex else { return 0 }
        // The log may be restarted between the two reads.
        return max(0, Int(yap_wal_logged(index)) - Int(yap_wal_copied(index)))
    }

    /// The bytes of log that a reader may still need, copied or not; nil before `findLogIndex()`.
    public var logSize: Int? {
        logIndex.map { Int(yap_wal_logged($0)) * Self.frameSize($0) }
    }

    /// The pages after which the log has so many bytes; 0 or less if it has them, and before `findLogIndex()`.
    public func pagesUntilLog(has bytes: Int) -> Int {
        guard let index = logIndex else { return 0 }
        let size = Self.frameSize(index)
        return (bytes + size - 1) / size - Int(yap_wal_logged(index))
    }

    /// The present end of the log; nil before `findLogIndex()`, and while a writer is changing it.
    public var logPosition: LogPosition? {
        guard let index = logIndex else { return nil }
        var header = [UInt32](repeating: 0, count: 12)
        guard header.withUnsafeMutableBufferPointer({ yap_wal_read_header(index, $0.baseAddress) }) != 0 else {
            return nil
        }
        return LogPosition(
            change: header[2], frames: Int(header[4]), salt: UInt64(header[9]) << 32 | UInt64(header[8]),
            pageSize: Int(yap_wal_page_size(index)))
    }

    /// Whether a program may be writing a commit: pages stand in the log that no commit has made visible. True also if that is unknown.
    /// Two reads of a few bytes.
    public var isLogBeingWritten: Bool {
        guard let end = logPosition else { return true }
        return yap_log_has_more(pointer, UInt32(end.frames), UInt32(end.pageSize), end.salt) != 0
    }

    /// Whether a connection of any process reads pages of the log, so that it cannot begin again; true also if that is unknown. The handle must be
    /// in no transaction. While no program commits and all of the log is copied, false stays true. Two system calls.
    public var isLogRead: Bool { logIndex == nil || yap_log_has_readers(pointer) != 0 }

    /// Keeps all connections of all processes from beginning to write, without a transaction of its own, which would read the log. The handle must be
    /// in no transaction, and begins none until ``unlockWriters()``. One system call.
    /// - Returns: false if another connection writes, or the file has no log.
    public func lockWriters() -> Bool { logIndex != nil && yap_log_lock_writers(pointer) != 0 }

    public func unlockWriters() { yap_log_unlock_writers(pointer) }

    /// The number of unused bytes at the end of each page; nil if SQLite does not report it.
    public var reservedBytes: Int? {
        let count = yap_reserved_bytes(pointer)
        return count < 0 ? nil : Int(count)
    }

    /// The bytes of a page in the log with what stands before it.
    private static func frameSize(_ index: UnsafePointer<UInt32>) -> Int { Int(yap_wal_page_size(index)) + 24 }
}

/// The change counter and the checksum of the log. A counter alone may be the same again after SQLite has recovered the log's index.
public struct LogStamp: Hashable, Sendable {
    /// The number that every commit changes.
    public var change: UInt32
    /// The checksum of all pages of the log.
    var checksum: UInt64
}

/// A position in the write-ahead log, which determines what a reader that begins there sees.
public struct LogPosition: Hashable, Sendable {
    /// The number that every commit changes.
    public var change: UInt32
    /// Pages in the log.
    public var frames: Int
    /// Identifies one run of the log as stored in its header: it changes each time the log is restarted from its
    /// beginning.
    public var salt: UInt64
    /// In bytes.
    public var pageSize: Int
}
