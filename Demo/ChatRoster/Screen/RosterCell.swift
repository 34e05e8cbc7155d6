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

    func cell(_ seat: Seat, width: Int) -> RowCell {
        let measure = TextMeasure(theme.unicode)
        let badge = seat.unread > 0 ? " \(seat.mentions > 0 ? "@" : "")\(seat.unread) " : ""
        let aside = badge.isEmpty ? self.aside(seat) : badge
        let room = max(1, width - 2 - measure.width(of: aside) - 1)
        let number =
            facts.numbers[seat.conversation].map { key(of: $0, besides: measure.width(of: seat.title), room) } ?? ""
        let title = measure.truncated(seat.title, to: room - measure.width(of: number))
        let symbolStyle = facts.isPresenceKnown ? theme.symbolStyle(of: seat) : theme.secondary
        var style = seat.standing == .rooms ? Style.plain : facts.style(of: seat.title, theme)
        if seat.standing == .offline { style = theme.secondary }
        if seat.unread > 0 { style.attributes.insert(.bold) }
        var lines: [Line] = [
            [
                Run("\(facts.isPresenceKnown ? theme.symbol(of: seat) : theme.unknownSymbol(of: seat)) ", symbolStyle),
                Run(title, style), Run(number, theme.secondary),
                Run(String(repeating: " ", count: max(1, room + 1 - measure.width(of: title + number)))),
                Run(aside, badge.isEmpty ? theme.secondary : theme.badge),
            ]
        ]
        if seat.standing == .away, !seat.status.isEmpty {
            lines.append([Run("   " + measure.truncated(seat.status, to: width - 3), theme.secondary)])
        }
        return RowCell(lines)
    }

    /// The key that opens a conversation: the number alone could be one of messages, so it stands so only where there is no room.
    private func key(of number: Int, besides title: Int, _ room: Int) -> String {
        let whole = " Alt-\(number)"
        return title + whole.count <= room ? whole : room > 6 ? " \(number)" : ""
    }

    private func aside(_ seat: Seat) -> String {
        if seat.isMuted { return "muted" }
        return seat.standing == .offline ? seat.lastSeen.map { ChatDates.short($0, now: now) } ?? "" : ""
    }
}

extension Theme {
    /// The sign of a person's presence, or of a room.
    func symbol(of seat: Seat) -> String {
        switch seat.standing {
        case .rooms: unicode == .ascii ? "#" : seat.conversation.hasPrefix("#") ? "▪" : "✎"
        case .available: unicode == .ascii ? "*" : "●"
        case .away: unicode == .ascii ? "+" : "◐"
        case .offline: unicode == .ascii ? "-" : "○"
        }
    }

    /// The sign of a person whose presence is not known, because the server is away.
    func unknownSymbol(of seat: Seat) -> String { seat.standing == .rooms ? symbol(of: seat) : "?" }

    func symbolStyle(of seat: Seat) -> Style { seat.standing == .available ? Style(accent) : secondary }
}
