import Foundation

// Locks of an open file instead of a process, as <fcntl.h> numbers them; Swift's Glibc module leaves them out.
private let F_OFD_GETLK: Int32 = 36
private let F_OFD_SETLK: Int32 = 37

/// The file of a ``CommitJournal``, open, with the locks by which processes know of each other.
///
/// Everybody who has the file open holds its first byte. Whoever has that byte alone for a moment knows that nobody else
/// uses the file: at opening, all that stands in it is of an earlier life and goes; at closing, the file itself goes.
struct JournalFile {
    let path: String
    let descriptor: Int32

    /// Milliseconds to wait for somebody who opens or closes it at this moment, which takes a few system calls.
    private static let patience = 1_000

    /// - Parameter database: who may open that file may open this one.
    static func open(_ path: String, beside database: String) throws -> JournalFile {
        for _ in 0..<patience {
            if let file = try find(path) ?? make(path, beside: database) {
                do {
                    if try file.enter() { return file }
                } catch {
                    file.close()
                    throw error
                }
                file.close()
            }
            usleep(1_000)
        }
        errno = EAGAIN
        throw failure("is held by another process", path)
    }

    func close() { _ = Glibc.close(descriptor) }

    /// Whether somebody has taken it away from its folder; others would make another one.
    var isRemoved: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_nlink == 0
    }

    /// Takes it away unless others have it open. One who is about to open it meanwhile finds that it is removed.
    func removeIfAlone() {
        var status = stat()
        guard (try? lock(F_WRLCK, Self.readerByte)) == true, fstat(descriptor, &status) == 0,
            FileIdentity(status) == FileIdentity(ofFile: path)
        else { return }
        unlink(path)
    }

    func failure(_ what: String) -> YapDatabaseError { Self.failure(what, path) }

    private static func failure(_ what: String, _ path: String) -> YapDatabaseError {
        YapDatabaseError(
            errno == ENOSPC || errno == EDQUOT ? .diskFull : .inputOutput,
            "\(path), which tells other processes of commits, \(what). Check the folder's permissions and free space.",
            underlying: POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO))
    }

    private static func find(_ path: String) throws -> JournalFile? {
        let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        if descriptor >= 0 { return JournalFile(path: path, descriptor: descriptor) }
        guard errno == ENOENT else { throw failure("cannot be opened", path) }
        return nil
    }

    /// With the owner and the permissions of the database, as SQLite makes the files beside it. Nil when somebody else
    /// makes it at this moment.
    private static func make(_ path: String, beside database: String) throws -> JournalFile? {
        var status = stat()
        guard stat(database, &status) == 0 else { throw failure("cannot be made like the database", path) }
        let mode = status.st_mode & 0o777
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        if descriptor < 0, errno == EEXIST { return nil }
        guard descriptor >= 0 else { throw failure("cannot be made", path) }
        if geteuid() == 0 { _ = fchown(descriptor, status.st_uid, status.st_gid) }
        // What the process's mask took away.
        fchmod(descriptor, mode)
        return JournalFile(path: path, descriptor: descriptor)
    }

    /// - Returns: false where the file is not to be used because somebody else is about to empty or to remove it, or has.
    private func enter() throws -> Bool {
        if try lock(F_WRLCK, Self.readerByte), ftruncate(descriptor, 0) != 0 { throw failure("cannot be written") }
        return try lock(F_RDLCK, Self.readerByte) && !isRemoved
    }
}

// MARK: Locks

extension JournalFile {
    /// Locks of bytes, none of which is ever read: the first for everybody who has the file open, those behind it for
    /// the writers of entries, by the number of the commit.
    static let readerByte: off_t = 0
    static func writerByte(_ entry: JournalEntry) -> off_t { 1 + off_t(entry.after.number % 4096) }

    /// - Returns: whether the lock could be had at once.
    func lock(_ kind: some BinaryInteger, _ byte: off_t) throws -> Bool {
        var lock = Self.lock(kind, byte)
        if fcntl(descriptor, F_OFD_SETLK, &lock) == 0 { return true }
        guard errno == EAGAIN || errno == EACCES else { throw failure("cannot be locked") }
        return false
    }

    func unlock(_ byte: off_t) { _ = try? lock(F_UNLCK, byte) }

    /// Whether another process holds a lock of the byte.
    func isLocked(_ byte: off_t) -> Bool {
        var lock = Self.lock(F_WRLCK, byte)
        return fcntl(descriptor, F_OFD_GETLK, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
    }

    private static func lock(_ kind: some BinaryInteger, _ byte: off_t) -> flock {
        flock(l_type: Int16(kind), l_whence: Int16(SEEK_SET), l_start: byte, l_len: 1, l_pid: 0)
    }
}
