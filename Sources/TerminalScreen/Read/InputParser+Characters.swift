import TerminalCells

extension InputParser {
    /// Begins a character of several bytes. `pending` may hold the ESC that makes it an Alt key.
    mutating func beginCharacter(_ byte: UInt8) {
        begin(.character, with: byte)
        // A byte that cannot begin a UTF-8 character is replaced on its own.
        if expectedLength == nil { endBrokenCharacter() }
    }

    mutating func continueCharacter(_ byte: UInt8) {
        guard allowedNext.contains(byte), let expectedLength else {
            endBrokenCharacter()
            return begin(byte)
        }
        pending.append(byte)
        if characterBytes.count == expectedLength { endCharacter() }
    }

    /// Emits one replacement character for invalid bytes.
    mutating func endBrokenCharacter() {
        emit(.key(.character("\u{FFFD}"), modifiersOfCharacter))
    }

    private mutating func endCharacter() {
        guard let scalar = String(decoding: characterBytes, as: UTF8.self).unicodeScalars.first else { return reset() }
        // C1 controls are not text, and no key sends them.
        if (0x80..<0xA0).contains(scalar.value) { return reset() }
        emit(.key(.character(Character(scalar)), modifiersOfCharacter))
    }

    private var characterBytes: ArraySlice<UInt8> {
        pending.first == Self.escape ? pending.dropFirst() : pending[...]
    }

    private var modifiersOfCharacter: Modifiers { pending.first == Self.escape ? .alt : [] }

    private var expectedLength: Int? {
        switch characterBytes.first ?? 0 {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: nil
        }
    }

    /// The bytes that may follow: the range of the second is narrower where an overlong form, a surrogate or a value
    /// past the last character would begin.
    private var allowedNext: ClosedRange<UInt8> {
        guard characterBytes.count == 1 else { return 0x80...0xBF }
        return switch characterBytes.first ?? 0 {
        case 0xE0: 0xA0...0xBF
        case 0xED: 0x80...0x9F
        case 0xF0: 0x90...0xBF
        case 0xF4: 0x80...0x8F
        default: 0x80...0xBF
        }
    }
}
