import Foundation
import Synchronization

/// A program in tmux, with a server of its own and without any user's configuration, whose output is recorded.
final class Stage: Sendable {
    private let folder: URL
    private let recording: Mutex<Asciicast>
    private let size: (width: Int, height: Int)
    /// Seconds until a text that is waited for counts as missing.
    private static let patience = 60.0

    /// Starts the program of a script.
    init(_ script: CastScript, title: String) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "yap-cast-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        size = script.size
        recording = Mutex(Asciicast(width: size.width, height: size.height, title: title))
        let pipe = folder.appending(path: "output").path
        guard mkfifo(pipe, 0o600) == 0 else { throw CastError("No pipe: \(String(cString: strerror(errno)))") }
        // The program waits until its output is being recorded.
        let command = "stty -echo; read go; stty echo; cd \(folder.path); \(script.command)"
        try "set -g default-terminal xterm-256color\nset -g status off\n".write(
            to: folder.appending(path: "tmux.conf"), atomically: true, encoding: .utf8)
        try startServer()
        try tmux("new-session", "-d", "-x", "\(size.width)", "-y", "\(size.height)", command)
        Thread.detachNewThread { [self] in record(pipe) }
        try tmux("pipe-pane", "-O", "cat >\(pipe)")
        try tmux("send-keys", "Enter")
    }

    /// Starts tmux's server as a child that stays one: a server that a client starts keeps what the client has inherited, and
    /// Foundation waits for the end of that.
    private func startServer() throws {
        let server = try run(["-D"], output: FileHandle.nullDevice)
        while (try? tmux("show-options", "-g", "status")) == nil {
            guard server.isRunning else { throw CastError("tmux does not start.") }
            Thread.sleep(forTimeInterval: 0.02)
        }
    }

    /// Ends the program, if it still runs, and everything that was started for it.
    func close() {
        _ = try? tmux("kill-server")
        try? FileManager.default.removeItem(at: folder)
    }

    /// The recording so far.
    var cast: Asciicast { recording.withLock { $0 } }

    /// Performs a step. Returns the screen of a still.
    func perform(_ step: CastScript.Step) throws -> String? {
        switch step {
        case .wait(let text):
            let end = Date().addingTimeInterval(Self.patience)
            while try !tmux("capture-pane", "-p").contains(text) {
                guard Date() < end else { throw CastError("'\(text)' did not appear on the screen:\n\(try screen())") }
                Thread.sleep(forTimeInterval: 0.05)
            }
        case .type(let text):
            for character in text {
                // tmux takes a semicolon for the end of a command.
                try tmux("send-keys", "-l", character == ";" ? "\\;" : String(character))
                Thread.sleep(forTimeInterval: 0.07)
            }
        case .keys(let keys): try tmux(["send-keys"] + keys)
        case .pause(let seconds): Thread.sleep(forTimeInterval: seconds)
        case .still: return try screen()
        }
        return nil
    }

    /// The present screen with its styles.
    func screen() throws -> String { try tmux("capture-pane", "-e", "-p") }

    private func record(_ pipe: String) {
        let descriptor = open(pipe, O_RDONLY | O_CLOEXEC)
        var buffer = [UInt8](repeating: 0, count: 65536)
        var start: Date?
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            let now = Date()
            if start == nil { start = now }
            recording.withLock { $0.add(Array(buffer[..<count]), at: now.timeIntervalSince(start ?? now)) }
        }
        Glibc.close(descriptor)
    }

    @discardableResult
    private func tmux(_ arguments: String...) throws -> String { try tmux(arguments) }

    @discardableResult
    private func tmux(_ arguments: [String]) throws -> String {
        let answer = folder.appending(path: "answer")
        try Data().write(to: answer)
        let file = try FileHandle(forWritingTo: answer)
        let process = try run(arguments, output: file)
        process.waitUntilExit()
        try file.close()
        let text = String(decoding: try Data(contentsOf: answer), as: UTF8.self)
        guard process.terminationStatus == 0 else { throw CastError("tmux \(arguments.first ?? ""): \(text)") }
        return text
    }

    private func run(_ arguments: [String], output: FileHandle) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["tmux", "-L", folder.lastPathComponent, "-f", folder.appending(path: "tmux.conf").path, "-u"] + arguments
        var environment = ProcessInfo.processInfo.environment
        for name in ["TMUX", "STY", "NO_COLOR"] { environment[name] = nil }
        environment["LC_ALL"] = "C.UTF-8"
        environment["COLORFGBG"] = "15;0"
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        return process
    }
}
