import CNcurses
import Foundation

/// The file that ncurses writes to. It writes a frame in many pieces, each of which would wake the terminal and be a
/// packet over ssh; from this buffer a frame is sent at once.
final class FrameBuffer {
    private let descriptor: Int32

    init() throws(TerminalError) {
        descriptor = yap_memory_file()
        guard descriptor >= 0 else {
            throw TerminalError(.refused, "No memory file for frames: \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(descriptor) }

    /// Returns the same file as a stream, for `newterm`; the caller closes it. Nil if the system refuses.
    func stream() -> UnsafeMutablePointer<FILE>? {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        return copy < 0 ? nil : fdopen(copy, "w")
    }

    /// Appends what has been written since the last call.
    func drain(into bytes: inout [UInt8]) {
        let count = Int(lseek(descriptor, 0, SEEK_CUR))
        guard count > 0 else { return }
        bytes += [UInt8](unsafeUninitializedCapacity: count) { buffer, taken in
            taken = pread(descriptor, buffer.baseAddress, count, 0)
            precondition(taken == count, "A file in memory gives back what was written.")
        }
        lseek(descriptor, 0, SEEK_SET)
    }
}
