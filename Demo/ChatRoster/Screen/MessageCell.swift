import Foundation
import LiveTable

/// The cell of a message. It depends on the message before it: the day, the author and the time stand above the first
/// message of a run only. So deleting a message redraws the next one.
struct MessageCell {
    /// Minutes without a message after which the next one begins a run.
    static let pause = 5.0
    /// The most columns of a text; longer lines are hard to read.
    static let measure = 90
    /// The lines of a long message that are shown before it is unfolded.
    static let folded = 12

    let theme: Theme
    let facts: Facts
    let now: Date

    init(theme: Theme, facts: Facts, now: Date? = nil) {
        (self.theme, self.facts, self.now) = (theme, facts, now ?? facts.clock())
    }

    /// - Parameters:
    ///   - shown: how its time is shown; nil to see that from these two messages alone.
    ///   - title: the conversation whose first message this is; nil for any other message.
    func cell(
        _ message: Message, after previous: Message?, at shown: ShownTime? = nil, beginning title: String?, width: Int
    ) -> RowCell {
        let shown = shown ?? ShownTime(message, now: now) { $0 == -1 ? previous : nil }
        var lines: [Line] = []
        if let title { lines += beginning(of: title, isRoom: message.conversation.hasPrefix("#"), width) }
        let isNewDay = !shown.isDoubtful && shown.before.map { !ChatDates.isSameDay($0, message.time) } ?? true
        if isNewDay {
            lines += (previous == nil ? [] : [[]]) + [centered(ChatDates.heading(message.time, now: now), width)]
        }
        let isFirstUnread = message.id == facts.firstUnread
        if isFirstUnread { lines.append(newLine(width)) }
        let decorations = lines.count
        if message.kind == .notice {
            lines.append([Run("  " + fitted(message.signedNotice, width - 4), theme.secondary)])
            if let reactions = message.givenReactions {
                lines.append([Run("  " + fitted(Self.text(of: reactions), width - 4), theme.secondary)])
            }
            return RowCell(lines, decorations: decorations)
        }
        if isNewDay || isFirstUnread || shown.isDoubtful || beginsRun(message, after: previous) {
            if !isNewDay, !isFirstUnread, previous != nil { lines.append([]) }
            lines.append(head(message, isDoubtful: shown.isDoubtful))
        }
        return RowCell(lines + body(message, width), decorations: min(decorations, lines.count))
    }

    private func beginsRun(_ message: Message, after previous: Message?) -> Bool {
        guard let previous, previous.author == message.author, previous.kind != .notice else { return true }
        return abs(message.time.timeIntervalSince(previous.time)) > Self.pause * 60
    }

    private func beginning(of title: String, isRoom: Bool, _ width: Int) -> [Line] {
        var texts = ["The beginning of \(title)"]
        if !isRoom {
            if !facts.privacy.isEmpty { texts.append(facts.privacy) }
        } else if let invitation = facts.invitationOfOthers {
            texts += ["Others come in with", invitation, "and then /join \(title)"]
        }
        return texts.flatMap { TextMeasure(theme.unicode).wrapped($0, width: width, maxLines: 3) }.map {
            centered($0, width)
        }
    }

    private func head(_ message: Message, isDoubtful: Bool) -> Line {
        let time = ChatDates.time.string(from: message.time)
        let said = isDoubtful ? "\(ChatDates.dayOfYear.string(from: message.time)) \(time) (a wrong clock)" : time
        return [
            Run(message.author, facts.style(of: message.author, theme)), Run("  " + said, theme.secondary),
        ]
    }

    /// The text with a margin: a bar beside own messages.
    private func body(_ message: Message, _ width: Int) -> [Line] {
        let isMine = message.author == facts.me
        let bar = theme.unicode == .ascii ? "| " : "▎ "
        let margin = isMine ? Run(bar, Style(theme.accent)) : Run("  ")
        let room = max(4, min(Self.measure, width - 3))
        if message.isDeleted { return [[margin, Run("deleted", theme.secondary)]] }
        var lines: [Line] = []
        if let reply = message.reply {
            let sign = theme.unicode == .ascii ? "> " : "↳ "
            let quoted = (facts.quotes[reply.id] ?? nil) ?? "(deleted)"
            lines.append([Run(fitted("\(sign)\(reply.author): \(quoted)", room), theme.secondary)])
        }
        lines += text(message, room)
        if let reactions = message.givenReactions {
            lines.append([Run(fitted(Self.text(of: reactions), room), theme.secondary)])
        }
        return lines.map { [margin] + $0 }
    }

    private func text(_ message: Message, _ room: Int) -> [Line] {
        let said = message.kind == .action ? "* \(message.author) \(message.text)" : message.text
        let most = facts.unfolded.contains(message.id) ? MessageText.maxLines : Self.folded
        let text = MessageText(said, names: facts.members, reader: facts.me)
        let shown = text.lines(width: room, theme: theme, most: most, hint: "(o opens it)")
        let mark = self.mark(message)
        let measure = TextMeasure(theme.unicode)
        guard !mark.isEmpty else { return shown.lines }
        var lines = shown.lines
        if shown.hidden == 0, let last = lines.last, measure.width(of: last.text) + measure.width(of: mark) <= room {
            lines[lines.count - 1].append(Run(mark, theme.secondary))
        } else {
            lines.append([Run(mark.trimmed, theme.secondary)])
        }
        return lines
    }

    /// A circle for an own message that the server does not have yet, one tick for one that is stored, two for one that all have read.
    private func mark(_ message: Message) -> String {
        let edited = message.edited == nil ? "" : " (edited)"
        guard message.author == facts.me else { return edited }
        let ticks = theme.unicode == .ascii ? ["+", "++"] : ["✓", "✓✓"]
        if facts.marks.contains(message.id) { return edited + (theme.unicode == .ascii ? " o" : " ○") }
        let isRead = facts.readByAll.map { message.position <= $0 } ?? false
        return edited + " " + ticks[isRead ? 1 : 0]
    }

    private static func text(of reactions: [String: [String]]) -> String {
        reactions.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.count)" }.joined(separator: "  ")
    }

    private func newLine(_ width: Int) -> Line {
        let room = max(0, width - 7)
        let dash = theme.unicode == .ascii ? "-" : "─"
        return [
            Run(" " + String(repeating: dash, count: room / 2), theme.rule), Run(" new ", Style(theme.accent)),
            Run(String(repeating: dash, count: room - room / 2), theme.rule),
        ]
    }

    private func fitted(_ text: String, _ width: Int) -> String {
        TextMeasure(theme.unicode).truncated(text, to: max(1, width))
    }

    private func centered(_ text: String, _ width: Int) -> Line {
        [Run(TextMeasure(theme.unicode).padded(text, to: width, .center), theme.secondary)]
    }
}
