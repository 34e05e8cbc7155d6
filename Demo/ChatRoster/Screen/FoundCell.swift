import Foundation
import LiveTable

/// The cell of a message that a search has found: who said it where and when, and the words around the first one that was searched.
struct FoundCell {
    let theme: Theme
    let facts: Facts
    let now: Date

    init(theme: Theme, facts: Facts, now: Date? = nil) {
        (self.theme, self.facts, self.now) = (theme, facts, now ?? facts.clock())
    }

    func cell(_ message: Message, width: Int) -> RowCell {
        let measure = TextMeasure(theme.unicode)
        let head: Line = [
            Run(message.author, facts.style(of: message.author, theme)),
            Run(
                measure.truncated(
                    " \(place(of: message))  \(ChatDates.short(message.time, now: now))", to: max(1, width - 8)),
                theme.secondary),
        ]
        return RowCell([head, [Run("  ")] + snippet(message.text, width: max(8, width - 3))])
    }

    /// Where a message was said, behind its author.
    private func place(of message: Message) -> String {
        switch Conversation(id: message.conversation) {
        case .room?: "in \(message.conversation)"
        case .note?: "in a note"
        case .pair(let first, let second)?:
            message.author != facts.me ? "to you" : "to \(first == facts.me ? second : first)"
        case nil: "in \(message.conversation)"
        }
    }

    /// The part of the text around the first match, with all matches in it marked.
    func snippet(_ text: String, width: Int) -> Line {
        let plain = String(text.map { $0.isNewline ? " " : $0 })
        let options: String.CompareOptions = [.caseInsensitive, .diacriticInsensitive]
        let first = facts.searched.compactMap { plain.range(of: $0, options: options)?.lowerBound }.min()
        let before = first.map { plain.distance(from: plain.startIndex, to: $0) } ?? 0
        let measure = TextMeasure(theme.unicode)
        // No more than leaves enough to fill the line, with the sign that something is left out.
        let characters = Array(plain)
        let skipped =
            measure.width(of: plain) <= width
            ? 0
            : min(
                measure.start(of: characters[..<before], fitting: width / 3),
                measure.start(of: characters[...], fitting: width - 1))
        let shown = measure.truncated(
            (skipped > 0 ? "…" : "") + plain.dropFirst(skipped), to: width)
        var rest = shown[...]
        var line: Line = []
        while let range = facts.searched.compactMap({ rest.range(of: $0, options: options) }).min(by: {
            $0.lowerBound < $1.lowerBound
        }), !range.isEmpty {
            line.append(Run(String(rest[..<range.lowerBound])))
            line.append(Run(String(rest[range]), theme.match))
            rest = rest[range.upperBound...]
        }
        return line + [Run(String(rest))]
    }
}

extension TextMeasure {
    /// Where the longest end of a text begins that has so many columns at most.
    fileprivate func start(of characters: ArraySlice<Character>, fitting columns: Int) -> Int {
        var room = columns
        let last = characters.lastIndex { character in
            room -= width(of: String(character))
            return room < 0
        }
        return last.map { $0 + 1 } ?? 0
    }
}
