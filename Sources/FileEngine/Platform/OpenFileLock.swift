import Foundation

/// A lock on bytes of a file that belongs to the open file instead of the process. It ends with the process, however that ends.
///
/// The bytes need not exist. Another system must provide such locks, shared and exclusive, and a way to ask for them.
package struct OpenFileLock {
    package enum Kind {
        case shared
        case exclusive
        case none

        fileprivate var type: Int16 {
            switch self {
            case .shared: Int16(F_RDLCK)
            case .exclusive: Int16(F_WRLCK)
            case .none: Int16(F_UNLCK)
            }
        }
    }

    private let descriptor: Int32
    private let bytes: Range<off_t>

    package init(_ descriptor: Int32, at bytes: Range<off_t>) { (self.descriptor, self.bytes) = (descriptor, bytes) }

    /// Takes the lock, changes its kind or gives it up.
    /// - Returns: false if another open file has a lock that does not permit it, or the file system has no such locks.
    package func set(_ kind: Kind) -> Bool {
        var lock = flock(kind)
        return fcntl(descriptor, F_OFD_SETLK, &lock) == 0
    }

    /// Those of the bytes that a lock of another open file has, empty if there is none; nil if the file system cannot say it. One system call.
    package var held: Range<off_t>? {
        var lock = flock(.exclusive)
        guard fcntl(descriptor, F_OFD_GETLK, &lock) == 0 else { return nil }
        if lock.l_type == Kind.none.type { return 0..<0 }
        // A length of 0 reaches to the end of all bytes.
        let end = lock.l_len == 0 ? off_t.max : lock.l_start + lock.l_len
        return (lock.l_start..<end).clamped(to: bytes)
    }

    private func flock(_ kind: Kind) -> Glibc.flock {
        Glibc.flock(
            l_type: kind.type, l_whence: Int16(SEEK_SET), l_start: bytes.lowerBound, l_len: off_t(bytes.count), l_pid: 0
        )
    }
}

// Constants of <fcntl.h>, which Swift's Glibc module omits.
private let F_OFD_GETLK: Int32 = 36
private let F_OFD_SETLK: Int32 = 37
