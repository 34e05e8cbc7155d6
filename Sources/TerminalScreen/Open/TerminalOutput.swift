import CNcurses
import Foundation

/// The way to the terminal, opened once more so that it can be told not to wait: the descriptor that the process was given
/// is shared with the shell, and so would be the flag.
final class TerminalOutput {
    let descriptor: Int32
    private let isOwn: Bool

    /// Where the terminal has no name that can be opened, the given descriptor has to do; then writing waits.
    init(_ given: Int32) {
        let opened = ttyname(given).map { open($0, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC) } ?? -1
        isOwn = opened >= 0
        descriptor = isOwn ? opened : given
    }

    /// Not when this object goes: whichever way the program ends, the terminal is left through this descriptor.
    func close() {
        if isOwn { Glibc.close(descriptor) }
    }

    /// Writes all, unless the terminal takes nothing and a signal comes. Says whether it was all.
    func write(_ bytes: [UInt8], unless signals: SignalDescriptor?) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes
            while !rest.isEmpty {
                // Another thread crashed and has left the terminal.
                if yap_terminal_is_ending() { return false }
                let written = Glibc.write(descriptor, rest.baseAddress, rest.count)
                if written > 0 {
                    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
                } else if errno == EAGAIN {
                    if !waitForRoom(unless: signals) { return false }
                } else if errno != EINTR {
                    // The terminal is gone. The loop hears of it as a hang-up.
                    return false
                }
            }
            return true
        }
    }

    private func waitForRoom(unless signals: SignalDescriptor?) -> Bool {
        // poll passes over a negative descriptor.
        var sources = [
            pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: signals?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        yap_poll(&sources, 2, -1)
        return sources[1].revents == 0
    }
}
