import LiveTable

/// What stands in the place of messages while a person has nothing but an empty note: which file this is, who has been here, and how another
/// one comes in.
struct Welcome {
    let path: String
    /// The space that the file follows, with its server; nil for a file of its own.
    let space: String?
    let others: [RosterRow]
    /// Whether the roster shows where they are.
    let isPresenceKnown: Bool
    let invitation: String
    /// Who may open the file; nil if it follows a server.
    let reach: Reach?
    let privacy: String
    let theme: Theme

    func draw(into grid: inout Grid, in area: Rect) {
        let inner = area.splitLeft(1).rest
        for (index, line) in lines(width: inner.width - 1).prefix(inner.height).enumerated() {
            grid.draw(line, x: inner.x, y: inner.y + index, in: inner, level: theme.unicode)
        }
    }

    private func lines(width: Int) -> [Line] {
        let measure = TextMeasure(theme.unicode)
        func wrapped(_ text: String, _ style: Style = .plain) -> [Line] {
            measure.wrapped(text, width: max(1, width), maxLines: 8).map { [Run($0, style)] }
        }
        let here =
            others.isEmpty
            ? "No one else has been here yet."
            : (isPresenceKnown ? Standing.allCases.map { people($0) }.joined() : people("Others", others))
                + "Ctrl-K goes to one."
        let place =
            space.map { wrapped("This chat is \($0). Its file here is", theme.secondary) }
            ?? wrapped("This chat is the file", theme.secondary)
        return place + wrapped(path) + [[]] + wrapped(here, theme.secondary)
            + [[]]
            + wrapped("\(whoComesIn) with (Alt-C copies it)", theme.secondary)
            + wrapped(invitation) + [[]]
            + (reach == .user ? wrapped(Self.otherAccounts, theme.secondary) + [[]] : [])
            + wrapped(privacy, theme.secondary) + [[]]
            + wrapped("/join #NAME enters a room, or makes one. F1 shows all keys and commands.", theme.secondary)
    }

    /// Those whom the roster has in a section.
    private func people(_ standing: Standing) -> String {
        let label =
            switch standing {
            case .available: "Here now"
            case .away: "Away"
            case .offline, .rooms: "Here before"
            }
        return people(label, others.filter { $0.standing == standing })
    }

    private func people(_ label: String, _ rows: [RosterRow]) -> String {
        rows.isEmpty ? "" : "\(label): \(rows.map(\.title).joined(separator: ", ")). "
    }

    private var whoComesIn: String {
        switch reach {
        case .user: "In another terminal of your account, another person comes in"
        case .group(let name): "Everyone in the group \(name) comes in"
        case .all, nil: "Another person comes in"
        }
    }

    /// How people come together who have accounts of their own.
    private static var otherAccounts: String {
        let group = UserGroup.shared?.name ?? "GROUP"
        return "Other accounts of this machine cannot write this file. One for a group is made with yap chat --db "
            + "\("/tmp/\(group)/chat.sqlite".shellWord) --group \(group.shellWord)"
    }
}
