/// A piece of a message's text that has one meaning.
struct MessageSpan: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case plain
        case code
        case link
        /// `@name` of a person who is known, in lower case.
        case mention(String)
    }

    var kind: Kind
    var text: String
}

/// Divides one line of a message into spans, from left to right: O(n), however often a mark has no counterpart.
struct SpanScanner {
    private let bytes: [UInt8]
    /// The names that can be mentioned, in lower case.
    private let names: Set<String>
    /// Whether `:name:` becomes a picture.
    private let showsEmoji: Bool
    private var position = 0
    private var plainStart = 0
    /// Whether the rest has no backtick.
    private var hasNoBacktick = false
    private var spans: [MessageSpan] = []

    static func spans(of line: String, names: Set<String>, showsEmoji: Bool) -> [MessageSpan] {
        var scanner = SpanScanner(bytes: Array(line.utf8), names: names, showsEmoji: showsEmoji)
        scanner.scan()
        return scanner.spans
    }

    private init(bytes: [UInt8], names: Set<String>, showsEmoji: Bool) {
        self.bytes = bytes
        self.names = names
        self.showsEmoji = showsEmoji
    }

    private mutating func scan() {
        while position < bytes.count {
            let isFound =
                switch bytes[position] {
                case UInt8(ascii: "`"): scanCode()
                case UInt8(ascii: "h"), UInt8(ascii: "H"): scanLink()
                case UInt8(ascii: "@"): scanMention()
                case UInt8(ascii: ":"): scanEmoji()
                default: false
                }
            if !isFound { position += 1 }
        }
        endPlain(at: bytes.count)
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    private mutating func endPlain(at end: Int) {
        guard end > plainStart else { return }
        append(.plain, text(plainStart..<end))
    }

    private mutating func append(_ kind: MessageSpan.Kind, _ text: String) {
        if kind == .plain, spans.last?.kind == .plain {
            spans[spans.count - 1].text += text
        } else {
            spans.append(MessageSpan(kind: kind, text: text))
        }
    }

    private mutating func emit(_ kind: MessageSpan.Kind, to end: Int, as replacement: String? = nil) -> Bool {
        endPlain(at: position)
        append(kind, replacement ?? text(position..<end))
        position = end
        plainStart = end
        return true
    }

    /// Whether a word can begin here.
    private var isAtWordStart: Bool { position == 0 || !Self.isWord(bytes[position - 1]) }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }
}

// MARK: The kinds of spans

extension SpanScanner {
    /// `` `code` ``
    private mutating func scanCode() -> Bool {
        guard !hasNoBacktick else { return false }
        guard let close = bytes[(position + 1)...].firstIndex(of: UInt8(ascii: "`")) else {
            hasNoBacktick = true
            return false
        }
        return close > position + 1 && !isMark(at: close + 1) && emit(.code, to: close + 1)
    }

    /// Whether a mark follows, which belongs to the character before it.
    private func isMark(at index: Int) -> Bool {
        guard index < bytes.count, bytes[index] >= 0x80 else { return false }
        return [.mark, .hidden].contains(ScalarClass(of: scalar(at: index)))
    }

    /// Whether invisible characters follow that join what is around them, or a mark behind them.
    private func joins(at index: Int) -> Bool {
        var index = index
        while index < bytes.count, bytes[index] >= 0x80 {
            let scalar = scalar(at: index)
            if scalar.isJoiner || scalar.asksForPicture || ScalarClass(of: scalar) == .mark { return true }
            guard ScalarClass(of: scalar) == .hidden else { return false }
            index += UTF8.width(scalar)
        }
        return false
    }

    private func scalar(at index: Int) -> Unicode.Scalar {
        let next = bytes[index..<min(bytes.count, index + 4)]
        return String(decoding: next, as: UTF8.self).unicodeScalars.first ?? "\u{FFFD}"
    }

    /// `http://…` and `https://…`, without the punctuation of the sentence around it.
    private mutating func scanLink() -> Bool {
        guard isAtWordStart, let prefix = ["http://", "https://"].first(where: hasPrefix) else { return false }
        let start = position + prefix.utf8.count
        var end = start
        while end < bytes.count, let size = sizeInLink(at: end) { end += size }
        if joins(at: end) { return false }
        guard end > start else { return false }
        var open = bytes[start..<end].count { $0 == UInt8(ascii: "(") }
        open -= bytes[start..<end].count { $0 == UInt8(ascii: ")") }
        while end > start {
            let last = bytes[end - 1]
            if last == UInt8(ascii: ")"), open < 0 { open += 1 } else if !Self.endsSentence.contains(last) { break }
            end -= 1
        }
        return end > start && emit(.link, to: end)
    }

    private func hasPrefix(_ prefix: String) -> Bool {
        let length = prefix.utf8.count
        return position + length <= bytes.count
            && zip(bytes[position..<position + length], prefix.utf8).allSatisfy {
                $0 == $1 || $0 | 0x20 == $1 && $1 >= UInt8(ascii: "a")
            }
    }

    private static let endsSentence = Set(".,;:!?'\"]*_".utf8)

    /// Returns the bytes of a character of a link; nil for a blank, a delimiter, or what is invisible and so could hide
    /// where the link goes.
    private func sizeInLink(at index: Int) -> Int? {
        let byte = bytes[index]
        if byte < 0x80 { return byte > 0x20 && byte < 0x7F && !Self.delimiters.contains(byte) ? 1 : nil }
        let scalar = scalar(at: index)
        let isVisible = [.narrow, .wide, .mark].contains(ScalarClass(of: scalar)) && !Character(scalar).isWhitespace
        return isVisible ? UTF8.width(scalar) : nil
    }

    private static let delimiters = Set("<>\"`{}|\\^".utf8)

    /// `@name`
    private mutating func scanMention() -> Bool {
        guard isAtWordStart else { return false }
        var end = position + 1
        while end < bytes.count, end - position <= Self.longestName, Self.isInName(bytes[end]) { end += 1 }
        while end > position + 1, bytes[end - 1] == UInt8(ascii: ".") || bytes[end - 1] == UInt8(ascii: "-") {
            end -= 1
        }
        let name = text(position + 1..<end).lowercased()
        return names.contains(name) && emit(.mention(name), to: end)
    }

    /// The most bytes of a name that is looked for.
    private static let longestName = 128

    private static func isInName(_ byte: UInt8) -> Bool {
        isWord(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    /// `:smile:`
    private mutating func scanEmoji() -> Bool {
        guard showsEmoji else { return false }
        let most = min(bytes.count, position + 2 + EmojiNames.longest)
        guard position + 1 < most, let close = bytes[(position + 1)..<most].firstIndex(of: UInt8(ascii: ":")),
            !isMark(at: close + 1), let picture = EmojiNames.picture(of: text(position + 1..<close))
        else { return false }
        return emit(.plain, to: close + 1, as: picture)
    }
}
