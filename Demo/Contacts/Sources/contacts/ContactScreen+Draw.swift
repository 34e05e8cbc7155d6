import LiveTable

extension ContactScreen {
    func showTheme() { for (_, table) in lists { attempt { try table.setTheme(theme, at: now()) } } }
    func prepareFrame() {}
    var nextTime: Double? { tables.nextFrame(after: state.screen.lastDrawn) }

    var layout: ScreenLayout {
        ScreenLayout(
            width: size.width, height: size.height, panes: [.init(least: 30, share: 1), .init(least: 28, share: 1)])
    }

    func layOut() {
        let area = layout.panes[0]
        for (_, table) in lists {
            attempt {
                try table.update { table, source in
                    table.resize(width: area.width, height: area.height, source: source, at: now())
                }
            }
        }
    }

    func draw() -> Grid {
        var grid = Grid(width: size.width, height: size.height)
        layout.draw(
            into: &grid, title: [],
            hint: Self.keys.hintLine(
                [.add, .filter, .star, .group, .remove, .quit], width: size.width, theme: theme), theme: theme)
        let prompt = Run(state.showsStarred ? " ★ Contacts › " : " Contacts › ", theme.header)
        state.field.draw(into: &grid, in: layout.title, prompt: prompt, theme: theme, isFocused: true)
        shown.table.table.draw(into: &grid, in: layout.panes[0], at: state.screen.lastDrawn)
        let card = layout.panes[1]
        for (y, line) in cardLines.prefix(card.height).enumerated() {
            grid.draw(line, x: card.x + 1, y: card.y + y, in: card, level: theme.unicode)
        }
        state.screen.drawMessage(in: layout, notice: .plain, keys: Self.keys, into: &grid)
        return grid
    }

    /// The selected person, the others of the group, and who came last.
    private var cardLines: [Line] {
        var lines: [Line] = []
        if let person = selected {
            lines += [[Run(person.name, theme.header)], [Run(person.phone)], []]
            if let group = person.groupID {
                let members = try? tables.connection.read { try $0[membership].sources(of: group) }
                lines.append([Run("\(group), \(members?.count ?? 0)", theme.header)])
                lines += (members ?? []).map(\.name).sorted().prefix(8).map { [Run("  \($0)")] } + [[]]
            }
        }
        let new = state.latest.filter { $0.added > .distantPast }
        if !new.isEmpty { lines += [[Run("Latest", theme.header)]] + new.map { [Run("  \($0.name)")] } }
        return lines
    }
}
