import TerminalCells

extension InputParser {
    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    mutating func beginPaste() {
        reset()
        isPasteCut = false
        state = .paste
    }

    mutating func consumePaste(_ byte: UInt8) {
        pending.append(byte)
        if byte == Self.pasteEnd.last, pending.suffix(Self.pasteEnd.count).elementsEqual(Self.pasteEnd) {
            endPaste(isComplete: true)
        } else if pending.count > Self.pasteLimit + 2 * Self.pasteEnd.count {
            // Keeps only what can be a part of the end marker.
            pending.removeSubrange(Self.pasteLimit..<pending.count - Self.pasteEnd.count + 1)
            isPasteCut = true
        }
    }

    mutating func endPaste(isComplete: Bool) {
        var bytes = isComplete ? pending.dropLast(Self.pasteEnd.count) : pending[...]
        if isPasteCut || bytes.count > Self.pasteLimit {
            isPasteCut = true
            bytes = bytes.prefix(Self.pasteLimit)
        }
        let text = Self.harmless(String(decoding: bytes, as: UTF8.self))
        emit(.paste(isPasteCut ? text + "…" : text))
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
