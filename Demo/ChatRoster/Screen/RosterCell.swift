import Foundation
import LiveTable

/// The cell of a buddy on the roster: presence and name, unread messages at the right, and the status text below.
struct RosterCell {
    let theme: Theme
    let people: People
    var now = Date()

    static func header(_ group: String, _ count: Int) -> SectionHeader {
        SectionHeader(group, detail: "\(count)")
    }

    func cell(_ buddy: Buddy, width: Int) -> RowCell {
        let measure = TextMeasure(theme.unicode)
        let unread = buddy.unread > 0 ? " \(buddy.unread) " : ""
        let aside = unread.isEmpty && buddy.presence == .offline ? Self.lastSeen(buddy.lastSeen, now: now) : unread
        let room = max(1, width - 2 - measure.width(of: aside) - 1)
        let nameStyle =
            buddy.presence == .offline
            ? theme.secondary : people.style(of: buddy.name, theme)
        var lines: [Line] = [
            [
                Run("\(symbol(buddy.presence)) ", symbolStyle(buddy.presence)),
                Run(measure.padded(buddy.name, to: room) + " ", nameStyle),
                Run(aside, unread.isEmpty ? theme.secondary : theme.badge),
            ]
        ]
        let status = buddy.isTyping ? "typing…" : buddy.status
        if !status.isEmpty { lines.append([Run("   " + measure.truncated(status, to: width - 3), theme.secondary)]) }
        return RowCell(lines)
    }

    private func symbol(_ presence: Presence) -> String {
        switch presence {
        case .available: theme.unicode == .ascii ? "*" : "●"
        case .away: theme.unicode == .ascii ? "+" : "◐"
        case .offline: theme.unicode == .ascii ? "-" : "○"
        }
    }

    private func symbolStyle(_ presence: Presence) -> Style {
        presence == .available ? Style(theme.accent) : theme.secondary
    }

    /// Returns a short text for the roster: a time today, `yesterday`, a weekday within a week, else a date.
    static func lastSeen(_ date: Date, now: Date) -> String {
        let calendar = Calendar.current
        let days =
            calendar.dateComponents(
                [.day], from: calendar.startOfDay(for: date), to: calendar.startOfDay(for: now)
            ).day ?? 0
        switch days {
        case ...0: return ChatDates.time.string(from: date)
        case 1: return "yesterday"
        case 2...6: return ChatDates.weekday.string(from: date)
        default: return ChatDates.day.string(from: date)
        }
    }
}
