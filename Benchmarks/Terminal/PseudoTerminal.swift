import Foundation
import Synchronization
import TerminalCells
import TerminalScreen

/// A screen of 200 columns and 50 lines on a pseudo-terminal, so that no terminal is needed to measure it.
@MainActor final class PseudoTerminal {
    nonisolated static let (width, height) = (200, 50)

    let screen: Screen
    private let controller: Int32
    private let device: Int32
    private let drain: Drain

    init() throws {
        setenv("TERM", "xterm-256color", 1)
        unsetenv("NO_COLOR")
        var (controller, device): (Int32, Int32) = (-1, -1)
        guard openpty(&controller, &device, nil, nil, nil) == 0 else {
            throw RawError("There is no pseudo-terminal: \(String(cString: strerror(errno))).")
        }
        var size = winsize(
            ws_row: UInt16(Self.height), ws_col: UInt16(Self.width), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(controller, UInt(TIOCSWINSZ), &size)
        self.controller = controller
        self.device = device
        drain = Drain(controller)
        screen = try Screen(input: device, output: device)
    }

    func close() {
        screen.close()
        Glibc.close(device)
        // The drain reads the end of the terminal and closes its side.
        drain.waitForEnd()
    }

    /// The number of bytes written, once no more arrive.
    var bytes: Int {
        var before = -1
        while drain.count != before {
            before = drain.count
            usleep(30_000)
        }
        return before
    }

    /// The thread that reads in place of a terminal.
    var drainThread: Int32 { drain.thread }
}

/// Reads and counts the bytes sent to a terminal.
private final class Drain: Sendable {
    private let total = Atomic(0)
    private let threadNumber = Atomic<Int32>(0)
    private let hasBegun = DispatchSemaphore(value: 0)
    private let hasEnded = DispatchSemaphore(value: 0)

    init(_ descriptor: Int32) {
        Thread.detachNewThread { [self] in
            threadNumber.store(currentThreadNumber(), ordering: .releasing)
            hasBegun.signal()
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                // Linux returns EIO once the other side is closed.
                if count <= 0 { break }
                total.add(count, ordering: .relaxed)
            }
            close(descriptor)
            hasEnded.signal()
        }
        hasBegun.wait()
    }

    var count: Int { total.load(ordering: .relaxed) }
    var thread: Int32 { threadNumber.load(ordering: .acquiring) }

    func waitForEnd() { hasEnded.wait() }
}

/// Runs the body with a screen on a pseudo-terminal.
@MainActor func withTerminal<Value>(_ body: (PseudoTerminal) throws -> Value) throws -> Value {
    let terminal = try PseudoTerminal()
    defer { terminal.close() }
    return try body(terminal)
}
