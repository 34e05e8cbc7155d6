import Foundation
import LiveTable

/// The cell of a conversation on the roster: presence and name, what is unread at the right, and what an absent person is
/// doing below.
struct RosterCell {
    let theme: Theme
    let facts: Facts
    let now: Date

    init(theme: Theme, facts: Facts, now: Date? = nil) {
        (self.theme, self.facts, self.now) = (theme, facts, now ?? facts.clock())
    }

    static func header(_ group: String, _ count: Int) -> SectionHeader {
        SectionHeader(group.split(separator: "/").last.map(String.init) ?? group, detail: "\(count)")
    }

    func cell(_ row: RosterRow, width: Int) -> RowCell {
        let measure = TextMeasure(theme.unicode)
        let badge = row.unread > 0 ? " \(row.mentions > 0 ? "@" : "")\(row.unread) " : ""
        let aside = badge.isEmpty ? self.aside(row) : badge
        let room = max(1, width - 2 - measure.width(of: aside) - 1)
        let number =
            facts.numbers[row.conversation].map { key(of: $0, besides: measure.width(of: row.title), room) } ?? ""
        let title = measure.truncated(row.title, to: room - measure.width(of: number))
        let symbolStyle = facts.isPresenceKnown ? theme.symbolStyle(of: row) : theme.secondary
        var style = row.standing == .rooms ? Style.plain : facts.style(of: row.title, theme)
        if row.standing == .offline { style = theme.secondary }
        if row.unread > 0 { style.attributes.insert(.bold) }
        var lines: [Line] = [
            [
                Run("\(facts.isPresenceKnown ? theme.symbol(of: row) : theme.unknownSymbol(of: row)) ", symbolStyle),
                Run(title, style), Run(number, theme.secondary),
                Run(String(repeating: " ", count: max(1, room + 1 - measure.width(of: title + number)))),
                Run(aside, badge.isEmpty ? theme.secondary : theme.badge),
            ]
        ]
        if row.standing == .away, !row.status.isEmpty {
            lines.append([Run("   " + measure.truncated(row.status, to: width - 3), theme.secondary)])
        }
        return RowCell(lines)
    }

    /// The key that opens a conversation: the number alone could be one of messages, so it stands so only where there is no room.
    private func key(of number: Int, besides title: Int, _ room: Int) -> String {
        let whole = " Alt-\(number)"
        return title + whole.count <= room ? whole : room > 6 ? " \(number)" : ""
    }

    private func aside(_ row: RosterRow) -> String {
        if row.seat.isMuted { return "muted" }
        return row.standing == .offline ? row.lastSeen.map { ChatDates.short($0, now: now) } ?? "" : ""
    }
}

extension Theme {
    /// The sign of a person's presence, or of a room.
    func symbol(of row: RosterRow) -> String {
        switch row.standing {
        case .rooms: unicode == .ascii ? "#" : row.conversation.hasPrefix("#") ? "▪" : "✎"
        case .available: unicode == .ascii ? "*" : "●"
        case .away: unicode == .ascii ? "+" : "◐"
        case .offline: unicode == .ascii ? "-" : "○"
        }
    }

    /// The sign of a person whose presence is not known, because the server is away.
    func unknownSymbol(of row: RosterRow) -> String { row.standing == .rooms ? symbol(of: row) : "?" }

    func symbolStyle(of row: RosterRow) -> Style { row.standing == .available ? Style(accent) : secondary }
}
