import Foundation

// Constants of <fcntl.h> for locks that belong to an open file instead of a process. Swift's Glibc module omits them.
private let F_OFD_GETLK: Int32 = 36
private let F_OFD_SETLK: Int32 = 37

/// Shows which processes have a database open: each holds a shared lock on one byte of the file.
///
/// The byte lies far beyond the end of any database and apart from the bytes that SQLite locks. It is never read or written.
///
/// Another system must provide a shared lock that belongs to an open file, ends with the process and can be queried.
final class Presence: Sendable {
    private let descriptor: Int32
    /// False if the file system does not support such locks.
    private let isLocked: Bool
    private static let byte: off_t = 1 << 61

    /// - Throws: ``YapDatabaseError`` when the file cannot be opened.
    init(path: String) throws {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw YapDatabaseError(
                .cannotOpen, "\(path) cannot be opened. Check that it exists, and the limit of open files.",
                underlying: POSIXError(.init(rawValue: errno) ?? .EIO))
        }
        var lock = Self.lock(F_RDLCK)
        isLocked = fcntl(descriptor, F_OFD_SETLK, &lock) == 0
    }

    /// Closing a file releases all locks of the process on it, including SQLite's, so every handle must be closed first.
    deinit { close(descriptor) }

    /// The status of the open file.
    var status: stat? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? status : nil
    }

    /// Whether another process has the database open; true if that is unknown. Costs one system call.
    var hasOthers: Bool {
        var lock = Self.lock(F_WRLCK)
        return !isLocked || fcntl(descriptor, F_OFD_GETLK, &lock) != 0 || lock.l_type != Int16(F_UNLCK)
    }

    private static func lock(_ kind: some BinaryInteger) -> flock {
        flock(l_type: Int16(kind), l_whence: Int16(SEEK_SET), l_start: byte, l_len: 1, l_pid: 0)
    }
}
