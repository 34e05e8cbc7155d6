import TerminalCells

/// Turns the bytes that a terminal sends into events.
///
/// A value without clock or file: it takes bytes and the time and returns events, and the result does not depend on how
/// the bytes are divided into portions. It parses what xterm, tmux, screen, rxvt and the Linux console send, and the
/// sequences that terminfo lists. Unknown sequences are dropped without losing what follows.
public struct InputParser: Sendable {
    /// Seconds that a single ESC waits for the rest of a sequence before it counts as the Escape key.
    public static let escapeDelay = 0.025
    /// Seconds that any other unfinished sequence waits. The terminal writes a sequence at once, and users do not type
    /// them.
    public static let sequenceDelay = 0.5
    /// Seconds that a paste may pause before its end counts as lost.
    public static let pasteDelay = 3.0
    /// Seconds of silence before and after ^C that tell the key from a character of a paste whose end is lost. A paste comes in one stream.
    public static let keySilence = 0.1
    /// The most bytes of a paste. A longer one is cut behind a character and ends with an ellipsis.
    public static let pasteLimit = 1 << 20
    /// The most bytes of a sequence or answer. A longer one is dropped, up to its end.
    static let sequenceLimit = 1024

    enum State: Hashable {
        case ground
        /// Inside a character of several bytes.
        case character
        /// After ESC.
        case escape
        /// After ESC O.
        case singleShift
        /// After ESC [.
        case control
        /// After ESC [ [, which the Linux console sends for F1 to F5.
        case linuxFunction
        /// Inside the three bytes after ESC [ M.
        case plainMouse
        /// Inside an answer of the terminal, which ends with BEL or ESC \.
        case string
        /// After an ESC inside such an answer.
        case stringEnd
        case paste
    }

    /// When an unfinished sequence is given up, on the clock of `feed`; nil if none is unfinished.
    public private(set) var deadline: Double?
    /// The keys of the sequences that terminfo lists.
    let keys: [[UInt8]: Key]
    var state = State.ground
    /// The bytes of the unfinished sequence, character or paste.
    var pending: [UInt8] = []
    /// The bytes of the paste that were dropped already, because it is too long.
    var droppedOfPaste = 0
    /// How many ^C at the end of an unfinished paste began after a silence.
    private var interrupts = 0
    /// When the last bytes came.
    private var lastTime = -Double.infinity
    var events: [InputEvent] = []
    /// The terminal's answers to DECRQM: states by mode.
    var modeReports: [Int: Int] = [:]
    /// What the terminal says that it can do, as numbers of DA1; empty before it answered. 4 are sixel images.
    var abilities: Set<Int> = []
    /// The columns of the cursor behind the samples of pictures.
    var columns: [Int] = []
    /// The terminal's answer about its background; nil before it arrived.
    var background: Theme.Background?
    /// The terminal's name and version; nil before its answer arrived.
    var version: String?

    /// Creates a parser that knows the common sequences, but not those of terminfo.
    public init() {
        self.init(keys: [:])
    }

    init(keys: [[UInt8]: Key]) {
        self.keys = keys
    }

    /// Returns the events that these bytes complete, in order.
    /// - Parameters:
    ///   - bytes: what was read.
    ///   - now: seconds of any monotonic clock.
    public mutating func feed(_ bytes: some Sequence<UInt8>, at now: Double) -> [InputEvent] {
        var (count, mayBeKeys) = (0, state == .paste && (interrupts > 0 || now - lastTime >= Self.keySilence))
        for byte in bytes {
            count += 1
            if byte != Self.interrupt { mayBeKeys = false }
            consume(byte)
        }
        guard count > 0 else { return drainEvents() }
        interrupts = mayBeKeys ? interrupts + count : 0
        lastTime = now
        deadline = delay.map { now + $0 }
        return drainEvents()
    }

    /// Returns the events of an unfinished sequence whose time is over. Call it if nothing more can be read at the
    /// deadline.
    public mutating func expire(at now: Double) -> [InputEvent] {
        guard let deadline, now >= deadline else { return [] }
        self.deadline = nil
        giveUp()
        return drainEvents()
    }

    private mutating func drainEvents() -> [InputEvent] {
        defer { events = [] }
        return events
    }

    private var delay: Double? {
        switch state {
        case .ground: nil
        case .escape, .singleShift: Self.escapeDelay
        case .control: pending.count == 2 ? Self.escapeDelay : Self.sequenceDelay
        case .string: pending.count == 2 ? Self.escapeDelay : Self.sequenceDelay
        case .character, .linuxFunction, .plainMouse, .stringEnd: Self.sequenceDelay
        case .paste: interrupts > 0 ? Self.keySilence : Self.pasteDelay
        }
    }

    /// Interprets unfinished bytes as typed keys, or drops them.
    private mutating func giveUp() {
        switch state {
        case .ground: break
        case .character: endBrokenCharacter()
        case .escape: emit(.key(.escape))
        case .singleShift: emit(.key(.character("O"), .alt))
        case .control where pending.count == 2: emit(.key(.character("["), .alt))
        case .string where pending.count == 2: emit(.key(.character(Character(Unicode.Scalar(pending[1]))), .alt))
        case .stringEnd: emit(.key(.escape))
        case .control, .linuxFunction, .plainMouse, .string: reset()
        case .paste where interrupts > 0:
            pending.removeLast(min(interrupts, pending.count))
            interrupts = 0
            endPaste(isComplete: false)
            begin(Self.interrupt)
        case .paste: endPaste(isComplete: false)
        }
    }

    /// ^C.
    private static let interrupt: UInt8 = 0x03

    /// Adds a byte to a sequence, unless that is too long already: what is in it does not count then, only where it ends.
    mutating func keep(_ byte: UInt8) { if !isTooLong { pending.append(byte) } }

    var isTooLong: Bool { pending.count > Self.sequenceLimit }

    /// Ends the sequence with an event.
    mutating func emit(_ event: InputEvent) {
        events.append(event)
        reset()
    }

    /// Ends the sequence without an event.
    mutating func reset() {
        state = .ground
        pending.removeAll(keepingCapacity: true)
    }
}

extension InputParser {
    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    mutating func beginPaste() {
        reset()
        droppedOfPaste = 0
        state = .paste
    }

    mutating func consumePaste(_ byte: UInt8) {
        pending.append(byte)
        if byte == Self.pasteEnd.last, pending.suffix(Self.pasteEnd.count).elementsEqual(Self.pasteEnd) {
            endPaste(isComplete: true)
        } else if pending.count > Self.pasteLimit + 2 * Self.pasteEnd.count {
            // Keeps only what can be a part of the end marker.
            let excess = Self.pasteLimit..<pending.count - Self.pasteEnd.count + 1
            pending.removeSubrange(excess)
            droppedOfPaste += excess.count
        }
    }

    mutating func endPaste(isComplete: Bool) {
        let bytes = isComplete ? pending.dropLast(Self.pasteEnd.count) : pending[...]
        let isCut = droppedOfPaste > 0 || bytes.count > Self.pasteLimit
        let kept = isCut ? Self.wholeCharacters(bytes.prefix(Self.pasteLimit)) : bytes
        let text = Self.harmless(String(decoding: kept, as: UTF8.self))
        emit(.paste(isCut ? text + "…" : text, missing: droppedOfPaste + bytes.count - kept.count))
    }

    /// Returns the first bytes of a cut text without its last character, which may have gone on behind the cut.
    private static func wholeCharacters(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let scalars = bytes.dropLast(PasteBursts.cutBytes(bytes))
        return scalars.dropLast(String(decoding: scalars, as: UTF8.self).last?.utf8.count ?? 0)
    }

    /// Returns text with line ends as `\n`; every other control character except the tab becomes visible.
    private static func harmless(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var isAfterReturn = false
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0D: result.append("\n")
            case 0x0A: if !isAfterReturn { result.append("\n") }
            case 0x00..<0x20 where scalar != "\t": result.append(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}")
            case 0x7F: result.append("\u{2421}")
            case 0x80..<0xA0: result.append("\u{FFFD}")
            default: result.append(scalar)
            }
            isAfterReturn = scalar == "\r"
        }
        return String(result)
    }
}
