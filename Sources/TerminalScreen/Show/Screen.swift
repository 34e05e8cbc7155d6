import CNcurses
import Foundation
import TerminalCells

/// The terminal as a rectangle of cells.
///
/// It belongs to the main thread, because ncurses does. Opening it changes the terminal; `close`, `exit`, a signal that
/// an `EventLoop` handles, and a crash restore it. While it is open, messages to a standard error that is a terminal
/// are held back; they appear after it is closed.
@MainActor public final class Screen {
    /// Only one can be open, because ncurses has one current screen and a crash must know which terminal to restore.
    private static var isOneOpen = false

    let device: TerminalDevice
    /// The number of colours of the terminal, reduced by NO_COLOR.
    public var colors: ColorDepth { encoder.colors }
    /// The assumed background of the terminal: from COLORFGBG until the terminal has answered.
    public internal(set) var background = Terminal.background
    /// Columns and lines.
    public internal(set) var size: (width: Int, height: Int)
    /// Whether the screen still has the terminal; false after `close`.
    public private(set) var isOpen = true
    /// Whether clicks, drags and the wheel are reported. If not, the terminal's own selection works.
    public var isMouseEnabled: Bool {
        didSet {
            guard isMouseEnabled != oldValue, isOpen else { return }
            device.write(isMouseEnabled ? device.modes.mouseOn : device.modes.mouseOff)
        }
    }

    /// Whether the terminal has answered that it supports synchronized updates, which hold back a frame until it is
    /// complete.
    var synchronizesUpdates = false
    /// What the terminal was asked last, until it has answered.
    var question: TerminalQuestion?
    /// What is known of the terminal so far.
    var features = TerminalFeatures(environment: ProcessInfo.processInfo.environment)
    /// The title that the terminal should have; nil for its own.
    var wantedTitle: String?
    var encoder: CellEncoder
    /// The grid that the terminal shows, if known.
    var shown: Grid?
    var isCursorVisible = false
    var encodedLine: [cchar_t] = []
    let frames: FrameBuffer
    private let curses: OpaquePointer
    private let files: [UnsafeMutablePointer<FILE>]

    /// Opens the screen on standard input and output.
    ///
    /// Throws `TerminalError` if one of them is not a terminal, or if the terminal's type is unknown or too simple.
    ///
    /// - Throws: ``TerminalError`` with code `noTerminal` if one of them is not a terminal; `unknownType` or `tooSimple` for the
    ///   terminal's type; `refused` if the system has no descriptors left.
    public convenience init(mouse: Bool = true) throws(TerminalError) {
        try self.init(input: STDIN_FILENO, output: STDOUT_FILENO, mouse: mouse)
    }

    /// Opens the screen on two descriptors of one terminal.
    /// - Parameters:
    ///   - input: a descriptor of the terminal to read from.
    ///   - output: a descriptor of the terminal to write to.
    ///   - mouse: whether clicks are events.
    /// - Throws: ``TerminalError`` with code `noTerminal` if one of them is not a terminal; `unknownType` or `tooSimple` for the
    ///   terminal's type; `refused` if the system has no descriptors left.
    public init(input: Int32, output: Int32, mouse: Bool = true) throws(TerminalError) {
        if Self.isOneOpen { fatalError("There is a screen already: close it before the next is opened.") }
        guard isatty(input) == 1, isatty(output) == 1 else {
            throw TerminalError(
                .noTerminal, "This needs a terminal, and standard \(isatty(input) == 1 ? "output" : "input") is none.")
        }
        try Terminal.checkDescriptors()
        // Looks at the locale, and must come before another one is chosen.
        let isUTF8 = Terminal.unicode != .ascii
        let isUnicode = Self.chooseCharacterSet()
        // If these are set, ncurses always uses them instead of the terminal's size.
        unsetenv("LINES")
        unsetenv("COLUMNS")
        try Terminfo.load(type: Terminal.type, output: output)
        device = try TerminalDevice(input: input, output: output)
        device.prepareToLeave()
        frames = try FrameBuffer()
        (curses, files) = try Self.startCurses(on: device, frames)

        let colors = Self.startColors()
        encoder = CellEncoder(colors: colors, isUnicode: isUnicode, colorPairs: Int(yap_color_pairs()))
        size = device.size ?? (Int(yap_columns()), Int(yap_lines()))
        isMouseEnabled = mouse
        Self.isOneOpen = true
        device.enter(mouse: mouse)
        let questions = device.modes.backgroundQuestion + device.modes.versionQuestion
        // In a locale without UTF-8, nothing but ASCII is written that the program did not ask for.
        let asksForPictures =
            isUnicode && isUTF8 && size.height >= WholePictures.line && !device.modes.question.isEmpty
        if asksForPictures { device.write(WholePictures.question) }
        device.write(device.modes.question + (colors == .palette ? questions : ""))
        if !device.modes.question.isEmpty { question = TerminalQuestion(ofAbilities: colors == .palette) }
        fit()
    }

    /// Restores the terminal. Closing twice is harmless.
    public func close() {
        guard isOpen else { return }
        isOpen = false
        device.close()
        delscreen(curses)
        files.forEach { fclose($0) }
        Self.isOneOpen = false
    }

    /// Chooses UTF-8 whatever the locale is: most terminals used with the C locale support it.
    private static func chooseCharacterSet() -> Bool {
        // Only the character set. The format of numbers must stay, because other libraries in this process read and
        // write them.
        for locale in ["", "C.UTF-8", "en_US.UTF-8"] where setlocale(LC_CTYPE, locale) != nil {
            if let name = nl_langinfo(Int32(CODESET)), String(cString: name).uppercased() == "UTF-8" { return true }
        }
        return false
    }

    private static func startCurses(
        on device: TerminalDevice, _ frames: FrameBuffer
    ) throws(TerminalError) -> (OpaquePointer, [UnsafeMutablePointer<FILE>]) {
        guard let output = frames.stream(), let input = fdopen(dup(device.input), "r"),
            let curses = try SignalHandlers.hidden(while: { newterm(nil, output, input) })
        else {
            device.close()
            throw TerminalError(.refused, "The terminal could not be opened: \(String(cString: strerror(errno)))")
        }
        // ncurses may move down by a newline: the terminal does not translate it into two characters.
        nonl()
        // Otherwise a pending key cuts a frame short.
        typeahead(-1)
        // Also writes what newterm has held back: the switch to the alternate screen.
        curs_set(0)
        var start: [UInt8] = []
        frames.drain(into: &start)
        device.write(start)
        return (curses, [output, input])
    }

    private static func startColors() -> ColorDepth {
        if let noColor = getenv("NO_COLOR"), noColor.pointee != 0 { return .monochrome }
        guard has_colors() else { return .monochrome }
        start_color()
        use_default_colors()
        return ColorDepth(colors: Int(yap_colors()))
    }
}

extension Screen {
    /// The most bytes that can be copied: terminals accept sequences of 100,000 bytes, and Base64 takes four for three.
    public static let copyLimit = 74_994

    /// Puts text on the clipboard of the terminal, also through tmux, screen and ssh. The terminal does not report
    /// whether it did so.
    ///
    /// Throws `TerminalError` with code `tooLong` if the text has more than `copyLimit` bytes.
    ///
    /// - Throws: ``TerminalError`` with code `tooLong` if the text has more than ``copyLimit`` bytes.
    public func copy(_ text: String) throws(TerminalError) { try copy(bytes: Array(text.utf8)) }

    /// Puts bytes on the clipboard of the terminal as they are, like ``copy(_:)``.
    ///
    /// - Throws: ``TerminalError`` with code `tooLong` if there are more than ``copyLimit``.
    public func copy(bytes: [UInt8]) throws(TerminalError) {
        guard isOpen else { fatalError("A closed screen copies nothing.") }
        let count = bytes.count
        guard count <= Self.copyLimit else {
            throw TerminalError(
                .tooLong, "Not copied: \(count) bytes are more than the \(Self.copyLimit) that a terminal takes.")
        }
        device.write(ClipboardSequence(bytes, inside: .current).bytes)
    }
}
