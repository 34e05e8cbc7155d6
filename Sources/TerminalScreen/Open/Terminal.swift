import CNcurses
import Foundation
import TableModel

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

    /// Whether a `Screen` can be opened on standard input and output. Where it cannot, a program prints plain lines.
    public static var isInteractive: Bool {
        isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && type != "dumb" && !type.isEmpty
    }

    /// What COLORFGBG says, which some terminals set: the numbers of the foreground's and the background's colour.
    static var background: Theme.Background {
        let colors = getenv("COLORFGBG").map { String(cString: $0) } ?? ""
        guard let number = colors.split(separator: ";").last.flatMap({ Int($0) }) else { return .dark }
        return number == 7 || (9...15).contains(number) ? .light : .dark
    }

    /// The name of the terminal's type, empty if it is not known.
    static var type: String {
        getenv("TERM").map { String(cString: $0) } ?? ""
    }
}
