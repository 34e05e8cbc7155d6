import CNcurses
import Foundation

/// The terminal's descriptors, its settings and modes: entered, left, entered again.
@MainActor final class TerminalDevice {
    let input: Int32
    let modes: TerminalModes
    /// Signals that must not wait for a terminal that takes nothing.
    weak var signals: SignalDescriptor?
    private let output: TerminalOutput
    private var programSettings = termios()
    private var isLeft = false

    /// Remembers how the terminal is, so that `leave` and every other way out puts it back.
    init(input: Int32, output: Int32) throws(TerminalError) {
        self.input = input
        self.output = TerminalOutput(output)
        modes = TerminalModes()
        var shellSettings = termios()
        guard tcgetattr(output, &shellSettings) == 0 else {
            throw TerminalError(
                .noTerminal, "The terminal does not tell its settings: \(String(cString: strerror(errno)))")
        }
        precondition(modes.leave.utf8.count <= YAP_LEAVE_LIMIT, "The leave sequence must not be cut.")
        yap_terminal_prepare(self.output.descriptor, &shellSettings, modes.leave, modes.leave.utf8.count)
        yap_terminal_leave_on_every_exit()
        programSettings = Self.rawSettings(from: shellSettings)
    }

    /// From here on every way out leaves the terminal. Call it before anything is written.
    func prepareToLeave() {
        isLeft = false
        yap_terminal_entered()
    }

    /// Switches to the program's settings and modes, after it was left or after another program used it without a word.
    /// The first time ncurses has already switched to the alternate screen.
    func enter(mouse: Bool) {
        let isBack = isLeft
        prepareToLeave()
        tcsetattr(output.descriptor, TCSANOW, &programSettings)
        write((isBack ? modes.alternateScreen : "") + modes.enter + (mouse ? modes.mouseOn : ""))
    }

    func leave() {
        isLeft = yap_terminal_leave(true) || isLeft
    }

    /// Leaves the terminal for good.
    func close() {
        leave()
        output.close()
    }

    func write(_ text: String) {
        write(Array(text.utf8))
    }

    /// Writes to the terminal at once. Says whether all was written: it waits for a slow terminal, but not when a signal
    /// comes meanwhile.
    @discardableResult func write(_ bytes: [UInt8]) -> Bool {
        output.write(bytes, unless: signals)
    }

    /// Columns and lines, nil if the terminal does not know.
    var size: (width: Int, height: Int)? {
        var width: Int32 = 0
        var height: Int32 = 0
        guard yap_window_size(output.descriptor, &width, &height) else { return nil }
        return (Int(width), Int(height))
    }

    /// Bytes as they are typed. Only Ctrl-\ still makes a signal, the way out of a program that hangs.
    private static func rawSettings(from shell: termios) -> termios {
        var raw = shell
        raw.c_iflag &= ~tcflag_t(BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL | IXON)
        raw.c_oflag &= ~tcflag_t(ONLCR)
        raw.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | IEXTEN)
        raw.c_lflag |= tcflag_t(ISIG)
        withUnsafeMutableBytes(of: &raw.c_cc) { characters in
            for disabled in [VINTR, VSUSP] { characters[Int(disabled)] = 0 }
            characters[Int(VMIN)] = 1
            characters[Int(VTIME)] = 0
        }
        return raw
    }
}
