import Foundation
import Synchronization

/// A client of a tmux server in control mode: one process for all commands, which also hears of each output of the program.
/// A process for each look at the screen would take most of a busy machine.
final class TmuxControl: Sendable {
    private struct State {
        var unread: [UInt8] = []
        /// The lines of the answer that is being received.
        var answer: [String]?
        var answers: [Result<String, PseudoTerminal.Failure>] = []
        var outputs = 0
        var hasEnded = false
    }

    private let process: pid_t
    private let status: Status
    private let commands: FileHandle
    private let state = Mutex(State())
    private let hasNews = DispatchSemaphore(value: 0)
    /// One command at a time: an answer does not say to what.
    private let turn = Mutex(())

    /// Attaches to the session of a running server.
    init(socket: String, environment: [String: String]) throws {
        let (input, output) = (Pipe(), Pipe())
        let command = ["tmux", "-L", socket, "-f", "/dev/null", "-u", "-C", "attach", "-f", "ignore-size"]
        // By their names, because `spawn` opens what the program gets.
        process = try spawn(
            command, environment: environment, input: "/proc/self/fd/\(input.fileHandleForReading.fileDescriptor)",
            output: "/proc/self/fd/\(output.fileHandleForWriting.fileDescriptor)")
        try input.fileHandleForReading.close()
        try output.fileHandleForWriting.close()
        commands = input.fileHandleForWriting
        status = Status(of: process)
        let answers = output.fileHandleForReading
        Thread.detachNewThread { self.read(answers) }
        // The first answer is that of `attach`.
        _ = try answer()
    }

    deinit {
        kill(process, SIGKILL)
    }

    /// How often the program has written something.
    var outputs: Int { state.withLock { $0.outputs } }

    /// Runs a command and returns what it prints.
    func run(_ arguments: [String]) throws -> String {
        let quoted = arguments.map { "'" + $0.replacing("'", with: "'\\''") + "'" }
        return try turn.withLock { _ in
            try commands.write(contentsOf: Data((quoted.joined(separator: " ") + "\n").utf8))
            return try answer()
        }
    }

    private func answer() throws -> String {
        while true {
            let (answer, hasEnded) = state.withLock { state in
                (state.answers.isEmpty ? nil : state.answers.removeFirst(), state.hasEnded)
            }
            if let answer { return try answer.get() }
            if hasEnded { throw PseudoTerminal.Failure("The server of tmux has ended.") }
            hasNews.wait()
        }
    }

    private func read(_ answers: FileHandle) {
        while true {
            let bytes = answers.availableData
            if bytes.isEmpty { break }
            state.withLock { state in
                state.unread += bytes
                while let end = state.unread.firstIndex(of: UInt8(ascii: "\n")) {
                    Self.note(String(decoding: state.unread[..<end], as: UTF8.self), in: &state)
                    state.unread.removeSubrange(...end)
                }
            }
            hasNews.signal()
        }
        state.withLock { $0.hasEnded = true }
        hasNews.signal()
    }

    private static func note(_ line: String, in state: inout State) {
        if let lines = state.answer {
            if line.hasPrefix("%end ") || line.hasPrefix("%error ") {
                let text = lines.joined(separator: "\n")
                state.answers.append(line.hasPrefix("%end ") ? .success(text) : .failure(.init("tmux: \(text)")))
                state.answer = nil
            } else {
                state.answer?.append(line)
            }
        } else if line.hasPrefix("%begin ") {
            state.answer = []
        } else if line.hasPrefix("%output ") {
            state.outputs += 1
        }
    }
}
