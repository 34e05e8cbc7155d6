import TerminalCells

extension InputParser {
    static let escape: UInt8 = 0x1B

    /// Advances by one byte. A byte that does not belong to the unfinished sequence ends it and begins a new one.
    mutating func consume(_ byte: UInt8) {
        switch state {
        case .ground: begin(byte)
        case .character: continueCharacter(byte)
        case .escape: consumeAfterEscape(byte)
        case .singleShift: consumeSingleShift(byte)
        case .control: consumeControl(byte)
        case .linuxFunction: consumeLinuxFunction(byte)
        case .plainMouse: consumePlainMouse(byte)
        case .string: consumeString(byte)
        case .stringEnd: consumeStringEnd(byte)
        case .paste: consumePaste(byte)
        }
    }

    mutating func begin(_ byte: UInt8) {
        switch byte {
        case Self.escape: begin(.escape, with: byte)
        case 0x00..<0x20, 0x7F: emitControlKey(byte)
        case 0x20..<0x7F: emit(.key(.character(Character(Unicode.Scalar(byte)))))
        default: beginCharacter(byte)
        }
    }

    mutating func begin(_ state: State, with byte: UInt8) {
        self.state = state
        pending.append(byte)
    }

    /// Drops the sequence and continues with the byte that broke it.
    mutating func abandon(for byte: UInt8) {
        reset()
        begin(byte)
    }

    private mutating func emitControlKey(_ byte: UInt8, _ modifiers: Modifiers = []) {
        switch byte {
        case 0x08, 0x7F: emit(.key(.backspace, modifiers))
        case 0x09: emit(.key(.tab, modifiers))
        case 0x0A, 0x0D: emit(.key(.enter, modifiers))
        case 0x00: emit(.key(.character(" "), modifiers.union(.control)))
        // A control character is its letter without two bits; the letters are lower case.
        case 0x01...0x1A: emit(.key(.character(Character(Unicode.Scalar(byte | 0x60))), modifiers.union(.control)))
        default: emit(.key(.character(Character(Unicode.Scalar(byte | 0x40))), modifiers.union(.control)))
        }
    }

    private mutating func consumeAfterEscape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "["): begin(.control, with: byte)
        case UInt8(ascii: "O"): begin(.singleShift, with: byte)
        case UInt8(ascii: "P"), UInt8(ascii: "]"), UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X"):
            begin(.string, with: byte)
        case Self.escape:
            // Either the key twice, or the key followed by a sequence.
            emit(.key(.escape))
            begin(byte)
        default: consumeAlt(byte)
        }
    }

    private mutating func consumeAlt(_ byte: UInt8) {
        pending.append(byte)
        if let key = keys[pending] { return emit(.key(key)) }
        switch byte {
        case 0x00..<0x20, 0x7F: emitControlKey(byte, .alt)
        case 0x20..<0x7F: emit(.key(.character(Character(Unicode.Scalar(byte))), .alt))
        default:
            pending = [Self.escape]
            beginCharacter(byte)
        }
    }

    // MARK: Answers of the terminal

    private mutating func consumeString(_ byte: UInt8) {
        switch byte {
        case Self.escape: begin(.stringEnd, with: byte)
        case 0x07: endString()
        // CAN and SUB: the terminal breaks its answer off.
        case 0x18, 0x1A: reset()
        // Answers contain no control characters: this one was typed.
        case 0x00..<0x20, 0x7F: abandon(for: byte)
        default: keep(byte)
        }
    }

    private mutating func consumeStringEnd(_ byte: UInt8) {
        guard byte != UInt8(ascii: "\\") else {
            pending.removeLast()
            return endString()
        }
        reset()
        begin(Self.escape)
        consume(byte)
    }

    private mutating func endString() {
        guard !isTooLong else { return reset() }
        if let color = BackgroundReport(pending) { background = color.background }
        // XTVERSION: ESC P > | name and version.
        if pending.starts(with: "\u{1B}P>|".utf8) {
            version = String(decoding: pending.dropFirst(4).prefix { $0 >= 0x20 }, as: UTF8.self)
        }
        reset()
    }
}
