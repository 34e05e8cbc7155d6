import CNcurses
import Foundation

/// The terminal's descriptors, settings and modes, with entering and leaving them.
@MainActor final class TerminalDevice {
    let input: Int32
    let modes: TerminalModes
    /// The signals to handle even while the terminal accepts no output.
    weak var signals: SignalDescriptor?
    private let output: TerminalOutput
    private var programSettings = termios()
    /// Whether another program has the terminal, or the shell.
    private(set) var isLeft = false

    /// Saves the terminal's settings, so that `leave` and every other exit restores them.
    init(input: Int32, output: Int32) throws(TerminalError) {
        self.input = input
        self.output = TerminalOutput(output)
        modes = TerminalModes()
        var shellSettings = termios()
        guard tcgetattr(output, &shellSettings) == 0 else {
            throw TerminalError(
                .noTerminal, "The terminal's settings cannot be read: \(String(cString: strerror(errno)))")
        }
        precondition(modes.leave.utf8.count <= YAP_LEAVE_LIMIT, "The leave sequence must not be cut.")
        yap_terminal_prepare(self.output.descriptor, &shellSettings, modes.leave, modes.leave.utf8.count)
        yap_terminal_leave_on_every_exit()
        programSettings = Self.rawSettings(from: shellSettings)
    }

    /// Makes every exit from now on restore the terminal. Call it before anything is written.
    func prepareToLeave() {
        isLeft = false
        yap_terminal_entered()
    }

    /// Switches to the program's settings and modes, initially, after leaving them, or after another program changed
    /// them. The first time ncurses has already switched to the alternate screen.
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

    /// Writes to the terminal at once. Waits for a slow terminal unless a signal arrives. Returns whether all was
    /// written.
    @discardableResult func write(_ bytes: [UInt8]) -> Bool {
        output.write(bytes, unless: signals)
    }

    /// The terminal's columns and lines, nil if unknown.
    var size: (width: Int, height: Int)? {
        var width: Int32 = 0
        var height: Int32 = 0
        guard yap_window_size(output.descriptor, &width, &height) else { return nil }
        return (Int(width), Int(height))
    }

    /// Returns settings that deliver single bytes. Only Ctrl-\ still sends a signal, as the way out of a hanging
    /// program.
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
