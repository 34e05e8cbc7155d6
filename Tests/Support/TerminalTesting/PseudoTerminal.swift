import Foundation
import Synchronization
import TestSupport

/// A terminal with a program in it, as its user sees it.
public final class PseudoTerminal: Sendable {
    private let controller: Int32
    /// Held open so that the program's last output can be read after its end.
    private let device: Int32
    private let process: pid_t
    private let reader: Reader
    private let status: Status

    /// Starts a program, by its path, as the leader of a session on a new terminal.
    public init(
        _ command: [String], environment: [String: String] = [:], width: Int = 80, height: Int = 24
    ) throws {
        var variables = ProcessInfo.processInfo.environment
        for name in ["TMUX", "STY", "NO_COLOR", "COLORFGBG", "LINES", "COLUMNS"] { variables[name] = nil }
        variables["TERM"] = "xterm-256color"
        variables["LC_ALL"] = "C.UTF-8"
        // A crash must end the program without an interactive backtrace.
        variables["SWIFT_BACKTRACE"] = "enable=no"
        // A sanitizer must not change how a crash ends the program.
        variables["TSAN_OPTIONS"] = "handle_segv=0"
        variables["ASAN_OPTIONS"] = "handle_segv=0:detect_leaks=0"
        variables.merge(environment) { $1 }
        (controller, device, process) = try Self.oneAtATime.withLock { _ in
            let (controller, device) = try Self.open(width: width, height: height)
            let name = String(cString: ttyname(device))
            // The first terminal that the leader of a session opens becomes its controlling terminal.
            let process = try spawn(command, environment: variables, input: name, output: name, asSessionLeader: true)
            return (controller, device, process)
        }
        reader = Reader(controller)
        status = Status(of: process)
    }

    deinit {
        if end == nil { kill(process, SIGKILL) }
        hangUp()
        close(device)
    }

    /// All that the program has written so far.
    public var output: [UInt8] {
        let bytes = reader.bytes
        guard let mark = Self.endMark(in: bytes) else { return bytes }
        return Array(bytes[..<mark.lowerBound] + bytes[mark.upperBound...])
    }

    private static let endMark = Array("\u{1}the end of the output\u{1}".utf8)

    /// Where the mark is. The terminal may have echoed after it what was typed when the program had ended by itself.
    private static func endMark(in bytes: [UInt8]) -> Range<Int>? {
        bytes.suffix(endMark.count + 4_096).firstRange(of: endMark)
    }

    /// How the program ended, nil while it runs.
    public var end: ProgramEnd? { status.end }

    public var settings: TerminalSettings { TerminalSettings(of: device) }

    public func send(_ text: String) { send(Array(text.utf8)) }

    public func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(controller, $0.baseAddress, $0.count) }
            precondition(count > 0, "The pseudo-terminal takes no input.")
            rest = rest.dropFirst(count)
        }
    }

    public func resize(width: Int, height: Int) {
        Self.setSize(of: controller, width: width, height: height)
    }

    public func signal(_ number: Int32) { kill(process, number) }

    /// Reads nothing more of the program's output, like a stalled connection.
    public func stall() { reader.pause() }

    public func goOn() { reader.resume() }

    /// Closes the terminal, like a broken connection.
    public func hangUp() { reader.stop() }

    /// Waits until a condition holds; throws, with the output so far, if it never does.
    public func wait(for what: String, until condition: () -> Bool) async throws {
        var patience = Patience()
        while !condition() {
            guard patience.next() else {
                throw Failure(
                    "\(what) did not happen. Written: \(String(decoding: output.suffix(2000), as: UTF8.self).debugDescription)"
                )
            }
            try await Task.sleep(for: .milliseconds(Patience.milliseconds))
        }
    }

    public func waitForEnd() async throws -> ProgramEnd {
        try await wait(for: "The end of the program") { end != nil }
        // The last output may not have arrived yet; a version written after it shows when all has.
        if !reader.isStopped, !reader.isHeld, write(device, Self.endMark, Self.endMark.count) == Self.endMark.count {
            try await wait(for: "The last output") { Self.endMark(in: reader.bytes) != nil }
        }
        return end ?? .exited(-1)
    }

    /// A failure of the harness or the terminal.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
        public init(_ description: String) { self.description = description }
    }

    /// `ttyname` returns its result in one buffer for all threads.
    private static let oneAtATime = Mutex(())

    private static func open(width: Int, height: Int) throws -> (controller: Int32, device: Int32) {
        var controller: Int32 = -1
        var device: Int32 = -1
        guard openpty(&controller, &device, nil, nil, nil) == 0 else {
            throw Failure("No pseudo-terminal: \(String(cString: strerror(errno)))")
        }
        for descriptor in [controller, device] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        setSize(of: controller, width: width, height: height)
        return (controller, device)
    }

    private static func setSize(of controller: Int32, width: Int, height: Int) {
        var size = winsize(ws_row: UInt16(height), ws_col: UInt16(width), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(controller, UInt(TIOCSWINSZ), &size)
    }
}
