import Foundation

// Locks of an open file instead of a process, as <fcntl.h> numbers them; Swift's Glibc module leaves them out.
private let F_OFD_GETLK: Int32 = 36
private let F_OFD_SETLK: Int32 = 37

/// By which the processes that have one database open know of each other: each holds a shared lock of one byte of the file.
///
/// The byte lies far behind the end of any database and apart from the bytes that SQLite locks. It is neither read nor written.
///
/// Another system needs a lock that belongs to an open file, is shared, ends with the process, and can be asked for.
final class Presence: Sendable {
    private let descriptor: Int32
    /// False where the file system has no such locks.
    private let isLocked: Bool
    private static let byte: off_t = 1 << 61

    /// - Throws: ``YapDatabaseError`` when the file cannot be opened.
    package init(path: String) throws {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw YapDatabaseError(
                .cannotOpen, "\(path) cannot be opened. Check that it is there, and the limit of open files.",
                underlying: POSIXError(.init(rawValue: errno) ?? .EIO))
        }
        var lock = Self.lock(F_RDLCK)
        isLocked = fcntl(descriptor, F_OFD_SETLK, &lock) == 0
    }

    /// Closing a file takes away all locks that the process has on it, also those of SQLite: the last handle must be closed.
    deinit { close(descriptor) }

    /// What the system says of the file that is open.
    var status: stat? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? status : nil
    }

    /// Whether another process has the database open; true where that cannot be told. One system call.
    package var hasOthers: Bool {
        var lock = Self.lock(F_WRLCK)
        return !isLocked || fcntl(descriptor, F_OFD_GETLK, &lock) != 0 || lock.l_type != Int16(F_UNLCK)
    }

    private static func lock(_ kind: some BinaryInteger) -> flock {
        flock(l_type: Int16(kind), l_whence: Int16(SEEK_SET), l_start: byte, l_len: 1, l_pid: 0)
    }
}
