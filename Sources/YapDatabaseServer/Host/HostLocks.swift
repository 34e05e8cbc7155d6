import FileEngine
import Foundation

/// A small file beside the database, which the processes of a host share. It says which of them follows the server, which may write to
/// the server now, and what the follower last heard from the server.
///
/// Locks of an open file end with the process, however it ends.
final class HostLocks: Sendable {
    /// The file's suffix.
    static let suffix = "-server"

    private let descriptor: Int32
    private static let lineBytes = 1_024

    enum Part: Int {
        /// Held by the process that follows.
        case following = 0
        /// Held during a write that the server has to confirm. Taken before the file's own lock, so that of two
        /// processes one never waits for the server with the other's lock.
        case writing = 1
        /// Shared by the processes in which a mutation waits for the file.
        case mutation = 2
    }

    init(path: String) throws {
        descriptor = open(path + Self.suffix, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            let code = errno
            throw SystemLimit.error(opening: path + Self.suffix, code)
                ?? YapDatabaseError(
                    .cannotOpen,
                    "\(path)\(Self.suffix) cannot be created. A file that follows a server needs it beside itself.",
                    underlying: POSIXError(.init(rawValue: code) ?? .EIO))
        }
        // Who may write the file may also follow the server with it. Of another user's it is so already.
        var facts = stat()
        if stat(path, &facts) == 0 { fchmod(descriptor, facts.st_mode & 0o666) }
    }

    deinit { close(descriptor) }

    /// - Returns: whether this process has the part now. A second call by the same process succeeds, too.
    func take(_ part: Part) -> Bool { lock(part).set(.exclusive) }

    func release(_ part: Part) { _ = lock(part).set(.none) }

    /// Shows the other processes of the host that a mutation of this one waits for the file, or no longer does.
    func setMutationWaits(_ waits: Bool) { _ = lock(.mutation).set(waits ? .shared : .none) }

    /// Whether another process has a part. One system call.
    func isTakenElsewhere(_ part: Part) -> Bool { lock(part).held?.isEmpty == false }

    private func lock(_ part: Part) -> OpenFileLock {
        let place: off_t = 1 << 30 + off_t(part.rawValue)
        return OpenFileLock(descriptor, at: place..<place + 1)
    }

    /// What the process that follows says.
    var line: String? {
        var bytes = [UInt8](repeating: 0, count: Self.lineBytes)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0, let end = bytes[..<count].firstIndex(of: 10) else { return nil }
        return String(validating: bytes[..<end], as: UTF8.self)
    }

    func setLine(_ line: String) {
        let text = line.split(whereSeparator: \.isNewline).joined(separator: " ")
        var bytes = Array(text.utf8.prefix(Self.lineBytes - 1))
        while !bytes.isEmpty, String(validating: bytes, as: UTF8.self) == nil { bytes.removeLast() }
        bytes.append(10)
        _ = pwrite(descriptor, bytes, bytes.count, 0)
    }
}
