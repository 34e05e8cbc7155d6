import CNcurses
import Foundation

/// The program in which the user edits text: `$VISUAL`, else `$EDITOR`, else vi.
public struct TextEditor: Hashable, Sendable {
    /// The most bytes of an edited text.
    public static let maxBytes = 1 << 20

    /// The command with its arguments, as a shell reads it.
    public let command: String

    /// Creates the editor that an environment names.
    public init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        let named = ["VISUAL", "EDITOR"].lazy.compactMap { environment[$0] }.first { !$0.allSatisfy(\.isWhitespace) }
        command = named ?? "vi"
    }

    /// Writes a text to a new file that only the user can read.
    func makeFile(_ text: String) throws(EditorError) -> String {
        let path = FileManager.default.temporaryDirectory.appending(path: "yap-\(UUID().uuidString).txt").path
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw EditorError(.noFile, "No file for the text: \(Self.reason)") }
        defer { close(descriptor) }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else {
                let reason = Self.reason
                unlink(path)
                throw EditorError(.noFile, "The text does not get into a file: \(reason)")
            }
            rest = rest.dropFirst(count)
        }
        return path
    }

    /// Starts the editor on a file, as a child with the terminal and without blocked signals.
    func start(on path: String) throws(EditorError) -> pid_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        let words = ["/bin/sh", "-c", script, command, path]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        let error = posix_spawn(&process, "/bin/sh", nil, &attributes, &arguments, environ)
        guard error == 0 else {
            throw EditorError(.notStarted, "The editor does not start: \(String(cString: strerror(error)))")
        }
        return process
    }

    /// What the shell runs. For a simple command the shell is replaced by the editor (`exec`), so that a signal ends the editor itself.
    /// For other commands the shell waits; it ignores the signals of keys, which are meant for the editor.
    var script: String {
        let isSimple =
            command.allSatisfy { $0.isLetter || $0.isNumber || " /-_.+:,@".contains($0) }
            && command.contains { $0 != " " }
        return isSimple ? "exec \(command) \"$@\"" : "trap : INT QUIT; \(command) \"$@\""
    }

    /// Returns the text that the editor left, without the line end that editors add.
    func text(of path: String, end status: Int32) throws(EditorError) -> String {
        let code = status >> 8 & 0xFF
        // A shell reports the signal that ended its child as a code above 128.
        let signal = status & 0x7F != 0 ? status & 0x7F : max(0, code - 128)
        if signal != 0 {
            throw EditorError(
                .failed, "The editor '\(command)' was ended by signal \(signal). Its file is \(path)", keepsFile: true)
        }
        if code == 126 || code == 127 {
            throw EditorError(.notStarted, "There is no editor '\(command)'. Set VISUAL or EDITOR to one.")
        }
        if code != 0 { throw EditorError(.failed, "The editor '\(command)' ended with \(code): nothing is changed.") }
        guard let file = FileHandle(forReadingAtPath: path), let bytes = try? file.read(upToCount: Self.maxBytes + 1)
        else { throw EditorError(.noFile, "The edited text cannot be read: \(Self.reason)") }
        guard bytes.count <= Self.maxBytes else {
            throw EditorError(
                .tooLong, "The edited text has more than \(Self.maxBytes) bytes. It stays in \(path)", keepsFile: true)
        }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.last?.isNewline == true ? String(text.dropLast()) : text
    }

    private static var reason: String { String(cString: strerror(errno)) }
}

/// Why an editor gave no text, in a sentence for the user.
public struct EditorError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of errors that a program can distinguish.
    public enum Code: Hashable, Sendable {
        /// There is no such program, or the system does not start it.
        case notStarted
        /// It reported a failure, or a signal ended it.
        case failed
        /// The file of the text cannot be written or read.
        case noFile
        /// The text that it left is longer than ``TextEditor/maxBytes``.
        case tooLong
        /// Another editor has the terminal.
        case busy
    }

    /// The kind of failure.
    public let code: Code
    /// What happened and what to do.
    public let message: String

    /// Whether the file has what the user wrote.
    let keepsFile: Bool

    public var description: String { message }

    /// Creates an error, for example in a test.
    /// - Parameters:
    ///   - code: the kind of failure.
    ///   - message: what happened and what to do.
    public init(_ code: Code, _ message: String) { self.init(code, message, keepsFile: false) }

    init(_ code: Code, _ message: String, keepsFile: Bool) {
        self.code = code
        self.message = message
        self.keepsFile = keepsFile
    }
}
