import Foundation
import LiveTable

/// The cell of a message that a search has found: where and when, and the words around the first one that was searched.
struct FoundCell {
    let theme: Theme
    let facts: Facts
    let now: Date

    init(theme: Theme, facts: Facts, now: Date? = nil) {
        (self.theme, self.facts, self.now) = (theme, facts, now ?? facts.clock())
    }

    func cell(_ message: Message, width: Int) -> RowCell {
        let measure = TextMeasure(theme.unicode)
        let place = Conversation(id: message.conversation)?.title(for: facts.me) ?? message.conversation
        let head: Line = [
            Run(message.author, facts.style(of: message.author, theme)),
            Run(
                measure.truncated("  \(place)  \(ChatDates.short(message.time, now: now))", to: max(1, width - 8)),
                theme.secondary),
        ]
        return RowCell([head, [Run("  ")] + snippet(message.text, width: max(8, min(MessageCell.measure, width - 3)))])
    }

    /// The part of the text around the first match, with all matches in it marked.
    func snippet(_ text: String, width: Int) -> Line {
        let plain = String(text.map { $0.isNewline ? " " : $0 })
        let options: String.CompareOptions = [.caseInsensitive, .diacriticInsensitive]
        let first = facts.searched.compactMap { plain.range(of: $0, options: options)?.lowerBound }.min()
        let before = first.map { plain.distance(from: plain.startIndex, to: $0) } ?? 0
        let skipped = max(0, before - width / 3)
        let shown = TextMeasure(theme.unicode).truncated(
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
