import Foundation
import Synchronization

/// One process that runs a group of tests, one after the other.
final class Worker: Sendable {
    private let bundle: String
    /// Where its output goes.
    let log: String
    /// A folder of the whole run, for what its processes make once.
    private let folder: URL
    private let process = Mutex<Process?>(nil)

    init(bundle: String, log: String, folder: URL) { (self.bundle, self.log, self.folder) = (bundle, log, folder) }

    /// Runs tests and returns when the process has ended.
    /// - Returns: how each test that began has ended; the last has crashed if the process did. And why the process
    ///   ended, if it ended before its tests.
    func run(_ tests: [String]) throws -> (results: [Result], failure: String?) {
        let path = log + ".events"
        unlink(path)
        guard mkfifo(path, 0o600) == 0 else { throw RunnerError("\(path): \(String(cString: strerror(errno)))") }
        defer { unlink(path) }
        // Open for writing too: reading must not wait for the process to open it, and ends with a line of our own.
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0, let output = Self.appending(log) else { throw RunnerError("\(log) cannot be written.") }
        let events = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        let child = Process()
        child.executableURL = URL(filePath: bundle)
        child.arguments =
            ["--testing-library", "swift-testing", "--no-parallel", "--event-stream-output-path", path]
            + ["--event-stream-version", "0", "--filter", Self.pattern(tests)]
        child.environment = ProcessInfo.processInfo.environment.merging(settings) { _, ours in ours }
        child.standardInput = FileHandle.nullDevice
        child.standardOutput = output
        child.standardError = output
        child.terminationHandler = { _ in try? events.write(contentsOf: Data("\n\(Self.end)\n".utf8)) }
        try child.run()
        process.withLock { $0 = child }
        defer { process.withLock { $0 = nil } }
        var ledger = Ledger(process: child.processIdentifier)
        read(events) { ledger.note($0) }
        child.waitUntilExit()
        guard !ledger.hasEnded else { return (ledger.finished(), nil) }
        let kind = child.terminationReason == .exit ? "exit code" : "signal"
        return (ledger.finished(), "The process ended with \(kind) \(child.terminationStatus).")
    }

    /// Ends the process, if it runs.
    func stop() { process.withLock { $0?.interrupt() } }

    private static let end = "end of process"

    private var settings: [String: String] {
        [
            // The stack of every error that is thrown, also of those that are caught, was a twentieth of the processor time; no
            // report shows it.
            "SWT_SWIFT_ERROR_BACKTRACING_ENABLED": "0",
            "YAP_RUN_FOLDER": folder.path,
            // What a test leaves that crashes a process on purpose, or kills an editor, goes with the run.
            "TMPDIR": folder.path,
            // What a chat could not send is kept there.
            "XDG_STATE_HOME": folder.appending(path: "state").path,
            // A tmux that is killed leaves its socket.
            "TMUX_TMPDIR": folder.path,
        ]
    }

    private func read(_ events: FileHandle, _ body: (Event) -> Void) {
        var unread = Data()
        while true {
            unread += events.availableData
            while let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                let line = unread[..<end]
                if line.elementsEqual(Self.end.utf8) { return }
                if let event = try? JSONDecoder().decode(Event.self, from: Data(line)) { body(event) }
                unread = Data(unread[(end + 1)...])
            }
        }
    }

    private static func appending(_ path: String) -> FileHandle? {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        return descriptor < 0 ? nil : FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    private static func pattern(_ tests: [String]) -> String {
        "^(" + tests.map { NSRegularExpression.escapedPattern(for: $0) }.joined(separator: "|") + ")"
    }
}
