import Foundation
import LiveTable

/// Who the other one is, or who is in a room, and which links were shared: the third pane of a wide screen.
struct Profile {
    /// The messages that are searched for links, and the most links that are shown.
    private static let searched = 200
    private static let maxLinks = 12

    private var conversation: String?
    private var count = 0
    private var links: [String] = []
    private var people: [Person] = []

    /// Reads what the pane shows. The links are read again only after a message.
    mutating func update(_ transaction: YapDatabaseReadTransaction, _ conversation: Conversation, of me: String) throws
    {
        let members = try transaction.members(of: conversation)
        people = try members.compactMap { try transaction[Chat.people].readable($0) }
        let list = try transaction[Chat.conversations]
        let count = list.count(in: conversation.id)
        guard self.conversation != conversation.id || self.count != count else { return }
        self.conversation = conversation.id
        self.count = count
        links = []
        for index in (max(0, count - Self.searched)..<count).reversed() where links.count < Self.maxLinks {
            guard let text = try list.value(at: index, in: conversation.id)?.text, text.contains("://") else {
                continue
            }
            links += MessageText(text).links.filter { !links.contains($0) }
        }
    }

    func draw(into grid: inout Grid, in area: Rect, _ row: RosterRow?, _ facts: Facts, _ theme: Theme) {
        let inner = area.splitLeft(1).rest
        for (index, line) in lines(row, facts, theme, width: inner.width - 1).prefix(inner.height).enumerated() {
            grid.draw(line, x: inner.x, y: inner.y + index, in: inner, level: theme.unicode)
        }
    }

    private func lines(_ row: RosterRow?, _ facts: Facts, _ theme: Theme, width: Int) -> [Line] {
        guard let row else { return [] }
        let measure = TextMeasure(theme.unicode)
        var lines: [Line] = [[Run(row.title, theme.header)]]
        lines += measure.wrapped(row.status, width: width, maxLines: 4).map { [Run($0, theme.secondary)] }
        for person in people where person.name != facts.me || people.count > 2 {
            let presence =
                person.standing == .offline
                ? person.lastSeen.map { "offline since \(ChatDates.short($0, now: facts.clock()))" } ?? "never here"
                : person.away ?? person.standing.rawValue
            lines.append([Run(person.name, facts.style(of: person.name, theme))])
            lines.append([Run("  " + measure.truncated(presence, to: max(1, width - 2)), theme.secondary)])
            if person.isSimulated { lines.append([Run("  simulated", theme.secondary)]) }
        }
        if !links.isEmpty { lines += [[], [Run("LINKS", theme.header)]] }
        for link in links.prefix(Self.maxLinks) {
            lines.append([Run(measure.truncatedInMiddle(link, to: width), theme.link, link: link)])
        }
        return lines
    }
}
