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

    /// Where the log ends at this moment; nil before `findLogIndex()`, and while a writer is changing it.
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

    /// Bytes at the end of each page that hold no data; nil where SQLite does not say.
    public var reservedBytes: Int? {
        let count = yap_reserved_bytes(pointer)
        return count < 0 ? nil : Int(count)
    }

    static let frameHeaderSize = 24
}

/// A place in the write-ahead log: what a reader who begins there sees of it.
public struct LogPosition: Hashable, Sendable {
    /// The number that every commit changes.
    public var change: UInt32
    /// Pages in the log.
    public var frames: Int
    /// Tells the log from the one before, as its bytes stand in the file: each time it starts from its beginning it has
    /// another.
    public var salt: UInt64
    /// Bytes.
    public var pageSize: Int
}
