import Glibc

/// Standard error, for messages that a developer should see and that no call can throw.
package enum StandardError {
    /// Writes a line, unless a program draws on the terminal that would show it.
    package static func write(_ line: String) {
        guard !isDrawnOn(STDERR_FILENO) else { return }
        let bytes = Array((line + "\n").utf8)
        // FileHandle would stop the program if standard error is closed.
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }

    /// Whether a descriptor is a terminal that gives a program each key at once. Programs ask for that while they draw on the whole screen,
    /// with whatever library, and a line in between would stay there.
    static func isDrawnOn(_ descriptor: Int32) -> Bool {
        var settings = termios()
        return tcgetattr(descriptor, &settings) == 0 && settings.c_lflag & tcflag_t(ICANON) == 0
    }
}
