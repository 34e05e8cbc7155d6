import Foundation
import Synchronization

// Written by a signal handler, which can do no more than that.
private let arrived = Atomic<Int32>(0)
// The handler writes to it. It is set before the handler is installed, and closed when that is gone.
nonisolated(unsafe) private var wakeUp: Int32 = -1

/// Asks the terminal for a line that is not shown.
///
/// The terminal is as before whenever the process does not wait for the answer: a signal that ends or stops the process ends the wait, and
/// takes effect after the settings are restored.
enum SecretPrompt {
    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGALRM, SIGCONT]

    /// - Parameter limit: the most bytes of an answer; a longer one is cut.
    /// - Returns: nil if there is no terminal, or it is at its end (Ctrl-D).
    static func ask(_ question: String, limit: Int) throws -> [UInt8]? {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        while true {
            var settings = termios()
            guard tcgetattr(terminal, &settings) == 0 else { return nil }
            let (line, signal) = try withSignals { answer(question, terminal, settings, limit, signal: $0) }
            guard signal != 0 else { return line }
            // Takes effect now. After a stop the question is asked again when the process goes on.
            if signal != SIGCONT { raise(signal) }
        }
    }

    /// Runs a body while signals are noted.
    /// - Parameter body: receives a descriptor that can be read once a signal has arrived.
    private static func withSignals<Value>(_ body: (Int32) throws -> Value) throws -> (Value, signal: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Failure.ofSystem("No pipe can be made") }
        arrived.store(0, ordering: .relaxed)
        wakeUp = ends[1]
        var handler = sigaction()
        handler.__sigaction_handler.sa_handler = { signal in
            let before = errno
            arrived.store(signal, ordering: .relaxed)
            _ = write(wakeUp, "!", 1)
            errno = before
        }
        let old = signals.map { signal in
            var action = sigaction()
            sigaction(signal, &handler, &action)
            return action
        }
        defer {
            for (number, action) in zip(signals, old) {
                var action = action
                sigaction(number, &action, nil)
            }
            ends.forEach { close($0) }
        }
        return (try body(ends[0]), arrived.load(ordering: .relaxed))
    }

    private static func answer(
        _ question: String, _ terminal: Int32, _ settings: termios, _ limit: Int, signal: Int32
    ) -> [UInt8]? {
        var (before, silent) = (settings, settings)
        silent.c_lflag &= ~tcflag_t(ECHO)
        silent.c_lflag |= tcflag_t(ICANON | ECHONL | ISIG)
        tcsetattr(terminal, TCSAFLUSH, &silent)
        defer { tcsetattr(terminal, TCSAFLUSH, &before) }
        let bytes = Array(question.utf8)
        _ = write(terminal, bytes, bytes.count)
        var (line, byte): ([UInt8], UInt8) = ([], 0)
        while true {
            var inputs = [terminal, signal].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            let count = poll(&inputs, 2, -1)
            if count < 0, errno == EINTR, arrived.load(ordering: .relaxed) == 0 { continue }
            guard count > 0, arrived.load(ordering: .relaxed) == 0, read(terminal, &byte, 1) == 1 else {
                _ = write(terminal, "\n", 1)
                return nil
            }
            if byte == UInt8(ascii: "\n") { return line }
            if line.count < limit { line.append(byte) }
        }
    }
}
