import TerminalCells

/// Recognizes pastes of a terminal that does not bracket them: lines of text that arrive at once, faster than a hand types. As keys their line
/// breaks would send the lines, and their tabs move the focus.
struct PasteBursts {
    /// The least bytes of one: a short line and the next key may have waited for a slow line together.
    static let leastBytes = 8
    /// Bytes that a hand types in a second, generously.
    static let bytesTyped = 20.0
    /// Seconds after a part of a paste in which more text is the rest of it, which a terminal may write piece by piece.
    static let pause = 0.1

    private var last: Double?

    /// Feeds a parser with what was read at once, a paste in brackets.
    /// - Parameter away: the seconds for which nothing was read although there may have been something: a hand may have typed meanwhile.
    mutating func feed(
        _ bytes: [UInt8], to parser: inout InputParser, at now: Double, away: Double = 0
    ) -> [InputEvent] {
        guard !bytes.isEmpty, parser.state == .ground, Self.isText(bytes),
            isRest(at: now) || Self.isBurst(bytes, away: away)
        else {
            last = nil
            return parser.feed(bytes, at: now)
        }
        last = now
        // The rest of a character that was cut is still to come.
        let whole = bytes.count - Self.cutBytes(bytes[...])
        return parser.feed(Self.start + bytes[..<whole] + Self.end, at: now) + parser.feed(bytes[whole...], at: now)
    }

    private func isRest(at now: Double) -> Bool { last.map { now - $0 < Self.pause } ?? false }

    private static let start = Array("\u{1B}[200~".utf8)
    private static let end = Array("\u{1B}[201~".utf8)

    /// Whether there is no key but those that text has: no sequence, and no control character.
    private static func isText(_ bytes: [UInt8]) -> Bool {
        bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || [0x09, 0x0A, 0x0D].contains($0) }
    }

    /// Whether there is text on both sides of a line break. A line that a person ends with Enter has none behind it.
    private static func isBurst(_ bytes: [UInt8], away: Double) -> Bool {
        guard Double(bytes.count) >= Double(leastBytes) + away * bytesTyped else { return false }
        return bytes.split(maxSplits: 1) { $0 == 0x0A || $0 == 0x0D }.count > 1
    }

    /// The number of bytes at the end that begin a character and do not complete it.
    static func cutBytes(_ bytes: ArraySlice<UInt8>) -> Int {
        let tail = bytes.suffix(3).reversed().prefix { $0 & 0xC0 == 0x80 }.count
        guard tail < min(3, bytes.count), case let lead = bytes[bytes.endIndex - 1 - tail], lead >= 0xC0 else {
            return 0
        }
        let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
        return tail + 1 < length ? tail + 1 : 0
    }
}
