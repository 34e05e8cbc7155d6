import LiveTable

/// A paste for which the line has no room. It is asked about until it is sent, in parts, put into a file, or dropped: no part of it is left
/// out in silence.
struct LongPaste: Hashable, Sendable {
    let pasted: String
    /// The messages that it makes, with what is in the line already.
    let parts: [String]
    private let count: Int
    /// The bytes at its end that the terminal's paste was too long for.
    private let missing: Int
    /// Why it could not be put into a file.
    var failure: String?

    /// - Parameters:
    ///   - pasted: the paste.
    ///   - missing: the bytes at its end that were left out.
    ///   - before: what is in the line already.
    ///   - limit: the most characters of a message.
    init(_ pasted: String, missing: Int = 0, after before: String = "", limit: Int = TextField.maxCharacters) {
        self.pasted = pasted
        self.missing = missing
        let text = before + pasted
        count = text.count
        var (parts, rest): ([String], Substring) = ([], text[...])
        while !rest.isEmpty {
            let most = rest.index(rest.startIndex, offsetBy: limit, limitedBy: rest.endIndex) ?? rest.endIndex
            var end = most
            // Behind a line, or else behind a word, if one ends in the second half.
            if most < rest.endIndex {
                let half = rest.index(rest.startIndex, offsetBy: limit / 2)
                let behind = rest[half..<most]
                let place = behind.lastIndex(where: \.isNewline) ?? behind.lastIndex(where: \.isWhitespace)
                end = place.map(rest.index(after:)) ?? most
            }
            let part = String(rest[..<end]).trimmed
            if !part.isEmpty { parts.append(part) }
            rest = rest[end...]
        }
        self.parts = parts
    }

    var question: String {
        (failure.map { $0 + " " } ?? "")
            + "\(count) characters\(missing > 0 ? " without the last \(missing) bytes" : ""): Enter sends \(parts.count) messages, f makes a file, Esc drops them"
    }
}
