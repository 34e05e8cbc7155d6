import Foundation
import TerminalTesting
import TortureLedger

/// A running torture-probe, with files for its output and its messages.
final class Child {
    let output: URL
    let errors: URL
    let process: pid_t
    private var status: Int32?

    init(_ arguments: [String], name: String, in folder: URL) throws {
        output = folder.appending(path: name + ".output")
        errors = folder.appending(path: name + ".errors")
        process = try Self.spawn([try builtProduct("torture-probe")] + arguments, output.path, errors.path)
    }

    /// A failing test must leave no process behind.
    deinit {
        if !hasEnded { _ = kill() }
    }

    /// Runs a command to its end, which must be a good one, and removes its files.
    static func finish(_ arguments: [String], name: String, in folder: URL) throws {
        let child = try Child(arguments, name: name, in: folder)
        let end = child.end()
        try require(end == 0, "\(name) ended with \(end): \(child.lastWords)")
        child.removeFiles()
    }

    func removeFiles() {
        for file in [output, errors] { try? FileManager.default.removeItem(at: file) }
    }

    var hasEnded: Bool { wait(WNOHANG) != nil }

    /// Waits for the end and returns 0 for exit code 0, a positive code, or a signal as a negative number.
    func end() -> Int32 {
        let status = wait(0) ?? -1
        return status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f)
    }

    /// Stops the process for a while.
    func pause(microseconds: UInt32) {
        _ = Glibc.kill(process, SIGSTOP)
        usleep(microseconds)
        _ = Glibc.kill(process, SIGCONT)
    }

    func kill() -> Int32 {
        _ = Glibc.kill(process, SIGKILL)
        return end()
    }

    /// The last message about its failure and its present work.
    var lastWords: String {
        let text = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").suffix(6).joined(separator: "\n").prefix(4_000).description
    }

    private func wait(_ options: Int32) -> Int32? {
        if status == nil {
            var code: Int32 = 0
            var answer = waitpid(process, &code, options)
            while answer < 0, errno == EINTR { answer = waitpid(process, &code, options) }
            if answer == process { status = code }
        }
        return status
    }

    private static func spawn(_ command: [String], _ output: String, _ errors: String) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        var arguments = command.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var process: pid_t = 0
        let error = posix_spawn(&process, command[0], &actions, nil, &arguments, environ)
        guard error == 0 else { throw POSIXError(POSIXErrorCode(rawValue: error) ?? .EIO) }
        return process
    }
}
