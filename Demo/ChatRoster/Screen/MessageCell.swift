import Foundation
import LiveTable

/// The cell of a message. It depends on the message before it: a time line is shown above it after a pause, and the
/// sender's name only on the first message of a run. So deleting a message redraws the next one.
struct MessageCell {
    /// Minutes without a message after which the next one has a time line.
    static let pause = 15.0

    let theme: Theme
    /// The name on own messages.
    let ownName: String
    /// The id of the first message that was unread when the conversation was opened.
    var firstUnread: String?
    var people = People([])

    func cell(_ message: Message, after previous: Message?, buddy: String, width: Int) -> RowCell {
        var lines: [Line] = []
        var decorations = 0
        let isAfterPause = previous.map { message.date.timeIntervalSince($0.date) > Self.pause * 60 } ?? true
        if isAfterPause {
            if previous != nil { lines.append([]) }
            lines.append(centered(ChatDates.moment.string(from: message.date), width: width))
            decorations = lines.count
        }
        if message.id == firstUnread {
            lines.append(newLine(width: width))
            decorations = lines.count
        }
        if isAfterPause || message.id == firstUnread || previous?.isMine != message.isMine {
            let name = message.isMine ? ownName : buddy
            lines.append(aligned(name, people.style(of: name, theme), message.isMine, width))
        }
        let measure = TextMeasure(theme.unicode)
        let texts = measure.wrapped(message.text, width: max(8, width - 2 - width / 6), maxLines: 200)
        for (index, text) in texts.enumerated() {
            let isLast = index == texts.count - 1
            lines.append(body(text, isLast ? mark(message) : "", message.isMine, width))
        }
        return RowCell(lines, decorations: decorations)
    }

    /// Returns one tick for a stored message, two for one that was read.
    private func mark(_ message: Message) -> String {
        let ticks = theme.unicode == .ascii ? ["+", "++"] : ["✓", "✓✓"]
        return (message.isEdited ? " (edited)" : "")
            + (message.isMine ? " " + ticks[message.isSeen == true ? 1 : 0] : "")
    }

    private func newLine(width: Int) -> Line {
        let room = max(0, width - 7)
        let dash = theme.unicode == .ascii ? "-" : "─"
        return [
            Run(" " + String(repeating: dash, count: room / 2), theme.rule), Run(" new ", Style(theme.accent)),
            Run(String(repeating: dash, count: room - room / 2), theme.rule),
        ]
    }

    private func body(_ text: String, _ mark: String, _ isMine: Bool, _ width: Int) -> Line {
        let measure = TextMeasure(theme.unicode)
        let used = measure.width(of: text) + mark.count
        let indent = isMine ? max(0, width - 2 - used) : 2
        return [Run(String(repeating: " ", count: indent) + text), Run(mark, theme.secondary)]
    }

    private func aligned(_ text: String, _ style: Style, _ isRight: Bool, _ width: Int) -> Line {
        let measure = TextMeasure(theme.unicode)
        let text = measure.truncated(text, to: width)
        let indent = isRight ? max(0, width - 1 - measure.width(of: text)) : 0
        return [Run(String(repeating: " ", count: indent)), Run(text, style)]
    }

    private func centered(_ text: String, width: Int) -> Line {
        [Run(TextMeasure(theme.unicode).padded(text, to: width, .center), theme.secondary)]
    }
}
