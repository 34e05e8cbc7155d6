/// The bytes that turn a terminal's modes on and off.
struct TerminalModes {
    /// Sent when the terminal is entered, without the mouse mode. Also chooses the plain form of keys, where a program that crashed has left
    /// kitty's; ``leave`` brings back the form before.
    let enter: String
    /// Restores the terminal, whatever was switched on. Must be sent in one piece, also by a signal handler.
    let leave: String
    /// Asks whether the terminal supports synchronized updates.
    let question: String
    /// Asks for the colour of the background. Sent to terminals with 256 colours; older ones may show it as text.
    let backgroundQuestion: String
    /// Asks for the terminal's name and version, and for what it can do, as ``backgroundQuestion``.
    let versionQuestion: String
    let mouseOn: String
    let mouseOff: String
    let showCursor: String
    let hideCursor: String
    /// Enters the alternate screen; ncurses does that itself the first time.
    let alternateScreen: String

    /// Reads the terminal's strings from terminfo, which must be loaded.
    @MainActor init() {
        // Private modes are defined only for terminals that speak ECMA-48.
        let isANSI = Terminfo.string("cup")?.hasPrefix("\u{1B}[") ?? false
        let keypad = Terminfo.string("smkx") ?? ""
        showCursor = Terminfo.string("cnorm") ?? ""
        hideCursor = Terminfo.string("civis") ?? ""
        alternateScreen = Terminfo.string("smcup") ?? ""
        mouseOn = isANSI ? Self.on(Mode.mouse) : ""
        mouseOff = isANSI ? Self.off(Mode.mouse.reversed()) : ""
        question = isANSI ? "\u{1B}[?\(Mode.synchronizedUpdate)$p" : ""
        backgroundQuestion = isANSI ? "\u{1B}]11;?\u{1B}\\" : ""
        versionQuestion = isANSI ? "\u{1B}[>0q\u{1B}[c" : ""
        // The Linux console takes the sequences for other ones.
        let (ourKeys, keysBefore) =
            isANSI && !Terminal.type.hasPrefix("linux") ? ("\u{1B}[>0u", "\u{1B}[<u") : ("", "")
        enter = keypad + hideCursor + (isANSI ? Self.on([Mode.bracketedPaste, Mode.focus]) : "") + ourKeys
        leave =
            keysBefore + (isANSI ? Self.off([Mode.synchronizedUpdate, Mode.mouseMotion]) : "") + mouseOff
            + (isANSI ? Self.off([Mode.bracketedPaste, Mode.focus]) : "")
            // Without an alternate screen, the last frame would remain under the shell's prompt. With one, tmux 3.3 keeps lines of it
            // if the window has grown.
            + ["sgr0", "op", "rmkx", "cnorm", "clear", "rmcup"].compactMap(Terminfo.string).joined()
    }

    private static func on(_ modes: [Int]) -> String { modes.map { "\u{1B}[?\($0)h" }.joined() }
    private static func off(_ modes: [Int]) -> String { modes.map { "\u{1B}[?\($0)l" }.joined() }
}

/// Numbers of DEC and xterm private modes.
enum Mode {
    static let mouseClicks = 1000
    static let mouseDrags = 1002
    static let mouseMotion = 1003
    static let focus = 1004
    /// Mouse reports in decimal; other reports cannot express columns past 223.
    static let mouseDecimal = 1006
    static let bracketedPaste = 2004
    static let synchronizedUpdate = 2026

    static let mouse = [mouseClicks, mouseDrags, mouseDecimal]
}
