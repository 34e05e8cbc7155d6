import CNcurses
import Foundation
import TerminalCells

/// The terminal in which this process was started.
public enum Terminal {
    /// The signals that the event loop reads from a descriptor.
    static let signals: [Int32] = [SIGWINCH, SIGTSTP, SIGCONT, SIGINT, SIGTERM, SIGHUP]

    /// Blocks the signals that `EventLoop` handles. Call it first in `main`, before any thread starts: a signal goes to
    /// any thread that does not block it, and would not wake the loop.
    ///
    /// From then on Ctrl-C does nothing until a loop runs. Processes started later inherit the blocked signals.
    public static func blockSignals() {
        yap_block_signals(signals, Int32(signals.count))
    }

    /// Unblocks the signals of ``blockSignals()`` in this thread, so that they end the process. For work that a program
    /// waits for after its loop has ended.
    public static func unblockSignals() {
        yap_unblock_signals(signals, Int32(signals.count))
    }

    /// Whether a `Screen` can be opened on standard input and output. If not, a program prints plain lines.
    public static var isInteractive: Bool {
        isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && type != "dumb" && !type.isEmpty
    }

    /// The columns of the terminal on which standard output is read, also through a pipe to a pager; nil if there is none.
    public static var outputWidth: Int? {
        var (width, height): (Int32, Int32) = (0, 0)
        if yap_window_size(STDOUT_FILENO, &width, &height) { return Int(width) }
        var facts = stat()
        guard fstat(STDOUT_FILENO, &facts) == 0, facts.st_mode & S_IFMT == S_IFIFO,
            yap_window_size(STDERR_FILENO, &width, &height)
        else { return nil }
        return Int(width)
    }

    /// The background according to COLORFGBG, which some terminals set: the numbers of the foreground and background
    /// colours.
    static var background: Theme.Background {
        let colors = getenv("COLORFGBG").map { String(cString: $0) } ?? ""
        switch colors.split(separator: ";").last.flatMap({ Int($0) }) {
        case 7?, 15?: return .light
        case 0?, 8?: return .dark
        // Any other colour, or none.
        default: return .unknown
        }
    }

    /// The part of Unicode that the locale supports: ASCII only unless its character set is UTF-8.
    public static var unicode: UnicodeLevel {
        let variables = ["LC_ALL", "LC_CTYPE", "LANG"]
        let names = variables.map { name in getenv(name).map { String(cString: $0) } ?? "" }
        let name = names.first { !$0.isEmpty } ?? "C"
        var codeset = name.split(separator: ".").dropFirst().first.map(String.init) ?? ""
        // Even a locale that is not installed describes the terminal.
        if setlocale(LC_CTYPE, "") != nil, let installed = nl_langinfo(Int32(CODESET)) {
            codeset = String(cString: installed)
        }
        return ["UTF-8", "UTF8"].contains(codeset.uppercased().split(separator: "@").first) ? .safe : .ascii
    }

    /// The terminal's type, empty if unknown.
    static var type: String {
        getenv("TERM").map { String(cString: $0) } ?? ""
    }
}

extension Terminal {
    /// The most descriptors that a screen with a database needs, in this process and in the system's libraries.
    private static let descriptors = 32

    /// Checks that the process may open as many files as a screen and its database need. If descriptors run out,
    /// libdispatch, which both use, ends the program at some later time.
    ///
    /// - Throws: ``TerminalError`` with code `refused`, which says what to do.
    public static func checkDescriptors() throws(TerminalError) {
        var opened: [Int32] = []
        while opened.count < descriptors {
            let descriptor = yap_wake_descriptor()
            guard descriptor >= 0 else { break }
            opened.append(descriptor)
        }
        for descriptor in opened { close(descriptor) }
        guard opened.count == descriptors else {
            throw TerminalError(
                .refused,
                "The system lets this program open only \(opened.count) more files, and it needs \(descriptors). "
                    + "`ulimit -n 1024` allows more, or close other programs.")
        }
    }
}
