import Glibc

/// Bytes that do not fit into memory, in a file without a name: the system removes it when it is closed, also if the process is killed.
package final class TemporaryFile {
    /// The number of bytes.
    package private(set) var size = 0
    private let descriptor: Int32
    private let limit = TemporaryFile.maxBytes

    /// The size beyond which writing fails as on a full disk. Tests set one.
    @TaskLocal package static var maxBytes = Int.max

    /// - Parameter folder: where the file takes its space. The folder for temporary files takes its place on a file system that makes
    ///   no files without a name.
    /// - Throws: ``YapDatabaseError`` with code `cannotOpen`.
    package init(inFolder folder: String) throws {
        // Glibc's O_TMPFILE, a macro that Swift does not import.
        let unnamed = 0o20000000 | O_DIRECTORY
        let descriptor = open(folder, unnamed | O_RDWR | O_CLOEXEC, 0o600)
        self.descriptor = descriptor >= 0 ? descriptor : Self.unlinked()
        guard self.descriptor >= 0 else {
            if let limit = SystemLimit(errno) { throw YapDatabaseError(limit.code, limit.advice("A temporary file")) }
            throw YapDatabaseError(
                .cannotOpen,
                "No temporary file can be made: \(String(cString: strerror(errno))). Set TMPDIR to a folder that can be written."
            )
        }
    }

    deinit { close(descriptor) }

    private static func unlinked() -> Int32 {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var name = Array("\(folder)/yap-XXXXXX".utf8CString)
        let descriptor = mkstemp(&name)
        if descriptor >= 0 {
            unlink(name)
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
        return descriptor
    }

    /// Writes bytes at the end.
    /// - Throws: ``YapDatabaseError`` with code `diskFull` or `inputOutput`.
    package func append(_ bytes: UnsafeRawBufferPointer) throws {
        guard size + bytes.count <= limit else { throw Self.failure(ENOSPC) }
        var done = 0
        while done < bytes.count {
            let written = pwrite(descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(size + done))
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw Self.failure(errno) }
            done += written
        }
        size += done
    }

    /// Fills the buffer with the bytes from a place on.
    /// - Throws: ``YapDatabaseError`` with code `inputOutput`, also if the file ends before.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at place: Int) throws {
        var done = 0
        while done < buffer.count {
            let count = pread(descriptor, buffer.baseAddress! + done, buffer.count - done, off_t(place + done))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure(count < 0 ? errno : EIO) }
            done += count
        }
    }

    private static func failure(_ code: Int32) -> YapDatabaseError {
        if let limit = SystemLimit(code) { return YapDatabaseError(limit.code, limit.advice("A temporary file")) }
        let reason = String(cString: strerror(code))
        return [ENOSPC, EDQUOT].contains(code)
            ? YapDatabaseError(.diskFull, "A temporary file cannot be written: \(reason). Free some space.")
            : YapDatabaseError(.inputOutput, "A temporary file cannot be used: \(reason). Check the disk.")
    }
}
