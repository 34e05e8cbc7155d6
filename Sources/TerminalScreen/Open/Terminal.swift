import CNcurses
import Foundation
import TerminalCells

/// The terminal that this process was started in.
public enum Terminal {
    /// Signals that the event loop reads from a descriptor.
    static let signals: [Int32] = [SIGWINCH, SIGTSTP, SIGCONT, SIGINT, SIGTERM, SIGHUP]

    /// Holds back the signals that `EventLoop` handles. Call it first in `main`, before any thread starts: a signal goes
    /// to any thread that does not block it, and would not wake the loop.
    ///
    /// From then on Ctrl-C does nothing until a loop runs. A process that is started later inherits this.
    public static func blockSignals() {
        yap_block_signals(signals, Int32(signals.count))
    }

    /// Lets the signals through again that ``blockSignals()`` holds back, in this thread: from then on they end the process.
    /// For what a program still has to wait for when its loop has ended.
    public static func unblockSignals() {
        yap_unblock_signals(signals, Int32(signals.count))
    }

    /// Whether a `Screen` can be opened on standard input and output. Where it cannot, a program prints plain lines.
    public static var isInteractive: Bool {
        isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && type != "dumb" && !type.isEmpty
    }

    /// What COLORFGBG says, which some terminals set: the numbers of the foreground's and the background's colour.
    static var background: Theme.Background {
        let colors = getenv("COLORFGBG").map { String(cString: $0) } ?? ""
        switch colors.split(separator: ";").last.flatMap({ Int($0) }) {
        case 7?, 15?: return .light
        case 0?, 8?: return .dark
        // A colour, which may be any, or nothing.
        default: return .unknown
        }
    }

    /// How much of Unicode the locale has: ASCII alone unless its character set is UTF-8.
    public static var unicode: UnicodeLevel {
        let variables = ["LC_ALL", "LC_CTYPE", "LANG"]
        let names = variables.map { name in getenv(name).map { String(cString: $0) } ?? "" }
        let name = names.first { !$0.isEmpty } ?? "C"
        var codeset = name.split(separator: ".").dropFirst().first.map(String.init) ?? ""
        // A locale that is not installed here says what its terminal is all the same.
        if setlocale(LC_CTYPE, "") != nil, let installed = nl_langinfo(Int32(CODESET)) {
            codeset = String(cString: installed)
        }
        return ["UTF-8", "UTF8"].contains(codeset.uppercased().split(separator: "@").first) ? .safe : .ascii
    }

    /// The name of the terminal's type, empty if it is not known.
    static var type: String {
        getenv("TERM").map { String(cString: $0) } ?? ""
    }
}
