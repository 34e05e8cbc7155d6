import CNcurses
import Foundation

/// A program that is given a file to show: never through a shell, so nothing in its arguments is a command.
public struct OutsideProgram: Hashable, Sendable {
    /// The name of the program, and its arguments before the file.
    public let words: [String]
    /// Whether it gets the terminal until it ends. If not, it has no terminal and this process does not wait for it.
    public let takesTerminal: Bool

    /// Creates the program that an environment names: `$YAP_OPEN`, which gets the terminal, else `xdg-open`, which gets it where there is
    /// no desktop. Nil if there is neither.
    public init?(environment: [String: String] = ProcessInfo.processInfo.environment) {
        let named = environment["YAP_OPEN"]?.split(whereSeparator: \.isWhitespace).map(String.init) ?? []
        if !named.isEmpty {
            (words, takesTerminal) = (named, true)
            return
        }
        let folders = (environment["PATH"] ?? "").split(separator: ":")
        guard folders.contains(where: { access("\($0)/xdg-open", X_OK) == 0 }) else { return nil }
        words = ["xdg-open"]
        takesTerminal = ["DISPLAY", "WAYLAND_DISPLAY"].allSatisfy { environment[$0]?.isEmpty ?? true }
    }

    init(words: [String], takesTerminal: Bool) { (self.words, self.takesTerminal) = (words, takesTerminal) }

    /// Starts it on a file, as a child without blocked signals.
    func start(on path: String) throws(EditorError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if !takesTerminal {
            for descriptor: Int32 in 0...2 {
                posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
            }
        }
        return try spawn(on: path, &actions)
    }

    func spawn(on path: String, _ actions: inout posix_spawn_file_actions_t) throws(EditorError) -> pid_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        // Its keys and signals are its own, on a desktop.
        if !takesTerminal { flags |= Self.newSession }
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        var arguments: [UnsafeMutablePointer<CChar>?] = (words + [path]).map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        let error = posix_spawnp(&process, words[0], &actions, &attributes, &arguments, environ)
        guard error == 0 else {
            throw EditorError(.notStarted, "\(words[0]) does not start: \(String(cString: strerror(error))).")
        }
        return process
    }

    /// POSIX_SPAWN_SETSID, which Swift's Glibc module omits.
    private static let newSession: Int32 = 0x80
}
