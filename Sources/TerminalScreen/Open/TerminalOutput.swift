import CNcurses
import Foundation

/// Output to the terminal through a descriptor of its own, opened non-blocking. The inherited descriptor is shared with
/// the shell, which would inherit that flag too.
final class TerminalOutput {
    let descriptor: Int32
    private let isOwn: Bool

    /// If the terminal has no name that can be opened, writes to the given descriptor, which blocks.
    init(_ given: Int32) {
        let opened = ttyname(given).map { open($0, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC) } ?? -1
        isOwn = opened >= 0
        descriptor = isOwn ? opened : given
    }

    /// Closes the descriptor. Deallocation does not, because every exit restores the terminal through this descriptor.
    func close() {
        if isOwn { Glibc.close(descriptor) }
    }

    /// Writes all bytes unless the terminal accepts none and a signal arrives. Returns whether all were written.
    func write(_ bytes: [UInt8], unless signals: SignalDescriptor?) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes
            while !rest.isEmpty {
                // Another thread crashed and has restored the terminal.
                if yap_terminal_is_ending() { return false }
                let written = Glibc.write(descriptor, rest.baseAddress, rest.count)
                if written > 0 {
                    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
                } else if errno == EAGAIN {
                    if !waitForRoom(unless: signals) { return false }
                } else if errno != EINTR {
                    // The terminal is gone. The loop reports that as a hang-up.
                    return false
                }
            }
            return true
        }
    }

    private func waitForRoom(unless signals: SignalDescriptor?) -> Bool {
        // poll ignores a negative descriptor.
        var sources = [
            pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: signals?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        yap_poll(&sources, 2, -1)
        return sources[1].revents == 0
    }
}
