import TerminalCells

/// Makes events of the bytes that a terminal sends.
///
/// A value without clock or file: bytes in any portions and the time go in, events come out, the same for every way the
/// bytes are cut into portions. It understands what xterm, tmux, screen, rxvt and the Linux console send, and the
/// sequences that terminfo lists. What nobody understands is dropped; what follows it is not lost.
public struct InputParser: Sendable {
    /// How long a bare ESC waits, in seconds, for the rest of a sequence before it is the Escape key.
    public static let escapeDelay = 0.025
    /// How long any other unfinished sequence waits, in seconds. It is part of one write of the terminal, however slow
    /// the line, and nobody types it.
    public static let sequenceDelay = 0.5
    /// How long a paste may pause, in seconds, before its end is taken for lost.
    public static let pasteDelay = 3.0
    /// A longer paste is cut, and ends with an ellipsis.
    public static let pasteLimit = 1 << 20
    /// No sequence or answer that is understood is longer, in bytes.
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
        /// Inside an answer of the terminal that ends with BEL or ESC \.
        case string
        /// After an ESC inside such an answer.
        case stringEnd
        case paste
    }

    /// When an unfinished sequence is given up, in the time of `feed`; nil if nothing is unfinished.
    public private(set) var deadline: Double?
    /// Keys by the sequence that terminfo lists for them.
    let keys: [[UInt8]: Key]
    var state = State.ground
    /// The bytes of the unfinished sequence, character or paste, from its first.
    var pending: [UInt8] = []
    var isPasteCut = false
    var events: [InputEvent] = []
    /// The terminal's answers to DECRQM: states by mode.
    var modeReports: [Int: Int] = [:]
    /// The terminal's answer to the question for its background; nil before it came.
    var background: Theme.Background?

    public init() {
        self.init(keys: [:])
    }

    init(keys: [[UInt8]: Key]) {
        self.keys = keys
    }

    /// The events that these bytes complete, in order. `now` is in seconds, on any monotonic scale.
    public mutating func feed(_ bytes: some Sequence<UInt8>, at now: Double) -> [InputEvent] {
        var isEmpty = true
        for byte in bytes {
            isEmpty = false
            consume(byte)
        }
        if !isEmpty { deadline = delay.map { now + $0 } }
        return drainEvents()
    }

    /// The events of an unfinished sequence whose time is over. Call it when nothing more can be read at the deadline.
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
        case .paste: Self.pasteDelay
        }
    }

    /// What stands unfinished was typed like that, or is lost.
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
        case .paste: endPaste(isComplete: false)
        }
    }

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
