import LiveTable

extension ChatScreen {
    /// Where everything is, for a size of the screen. In a narrow one the panes take turns.
    private struct Areas {
        var title: Rect
        var topRule: Rect
        var roster: Rect
        var divider: Rect
        var messages: Rect
        var inputRule: Rect
        var input: Rect
        var bottomRule: Rect
        var hint: Rect
    }

    private static let rosterWidth = 24
    private static let smallestWidth = 48
    private static let smallestHeight = 10

    private var areas: Areas {
        let isTall = size.height >= Self.smallestHeight
        let none = Rect(x: 0, y: 0, width: 0, height: 0)
        let (title, below) = Rect(x: 0, y: 0, width: size.width, height: size.height).splitTop(1)
        let (topRule, rest) = isTall ? below.splitTop(1) : (none, below)
        let (above, hint) = rest.splitBottom(1)
        let (content, bottomRule) = isTall ? above.splitBottom(1) : (above, none)
        guard size.width >= Self.smallestWidth else {
            let (messages, input) = content.splitBottom(1)
            let showsRoster = focus == .roster
            return Areas(
                title: title, topRule: topRule, roster: showsRoster ? content : none, divider: none,
                messages: showsRoster ? none : messages, inputRule: none, input: showsRoster ? none : input,
                bottomRule: bottomRule, hint: hint)
        }
        let (roster, right) = content.splitLeft(Self.rosterWidth)
        let (divider, pane) = right.splitLeft(1)
        let (withoutInput, input) = pane.splitBottom(1)
        let (messages, inputRule) = isTall ? withoutInput.splitBottom(1) : (withoutInput, none)
        return Areas(
            title: title, topRule: topRule, roster: roster, divider: divider, messages: messages,
            inputRule: inputRule, input: input, bottomRule: bottomRule, hint: hint)
    }

    var rosterArea: Rect { areas.roster }
    var messagesArea: Rect { areas.messages }

    /// Gives the tables their places; needed after a new size and, in a narrow screen, after a change of focus.
    func layOut() throws {
        let areas = areas
        for (list, area) in [(roster, areas.roster), (conversation, areas.messages)] where !area.isEmpty {
            try list.update { table, source in
                table.resize(width: area.width, height: area.height, source: source, at: now())
            }
        }
        roster.update { $0.isFocused = focus == .roster }
        conversation.update { $0.isFocused = focus == .messages }
    }

    func draw(_ time: Double) -> Grid {
        var grid = Grid(width: size.width, height: size.height)
        let areas = areas
        drawTitle(&grid, areas.title)
        for rule in [areas.topRule, areas.inputRule, areas.bottomRule] where !rule.isEmpty {
            grid.horizontalRule(rule, theme.rule, level: theme.unicode)
        }
        if !areas.divider.isEmpty {
            grid.verticalRule(areas.divider, theme.rule, level: theme.unicode)
            joinRules(&grid, areas.divider.x, areas.topRule, areas.bottomRule)
        }
        if !areas.roster.isEmpty { roster.table.draw(into: &grid, in: areas.roster, at: time) }
        if !areas.messages.isEmpty { conversation.table.draw(into: &grid, in: areas.messages, at: time) }
        if !areas.input.isEmpty { drawInput(&grid, areas.input) }
        drawHint(&grid, areas.hint)
        if showsHelp { drawHelp(&grid) }
        return grid
    }

    private func drawTitle(_ grid: inout Grid, _ area: Rect) {
        let left = " yap chat · \(chat.database.databaseURL.lastPathComponent)"
        let right = "● \(ownName)   live #\(grouped(tables.connection.snapshot)) "
        let text = TextMeasure(theme.unicode).columns(left, right, width: area.width)
        grid.draw(text, theme.header, x: area.x, y: area.y, in: area, level: theme.unicode)
    }

    private func joinRules(_ grid: inout Grid, _ x: Int, _ top: Rect, _ bottom: Rect) {
        guard theme.unicode != .ascii else { return }
        if !top.isEmpty { grid[x, top.y] = Grid.Cell("┬", theme.rule) }
        if !bottom.isEmpty { grid[x, bottom.y] = Grid.Cell("┴", theme.rule) }
    }

    private func drawInput(_ grid: inout Grid, _ area: Rect) {
        let prompt = editing == nil ? (theme.unicode == .ascii ? " > " : " › ") : " edit: "
        let x = grid.draw(prompt, theme.secondary, x: area.x, y: area.y, in: area, level: theme.unicode)
        let rest = Rect(x: x, y: area.y, width: area.maxX - x, height: 1)
        field.draw(into: &grid, in: rest, theme: theme, isFocused: focus == .input && !showsHelp)
    }

    private func drawHint(_ grid: inout Grid, _ area: Rect) {
        if let failure {
            grid.draw(" \(failure)", theme.wrong, x: area.x, y: area.y, in: area, level: theme.unicode)
            return
        }
        let text = TextMeasure(theme.unicode).truncated(" " + hint, to: area.width)
        grid.draw(text, theme.secondary, x: area.x, y: area.y, in: area, level: theme.unicode)
    }

    /// 1204 as `1,204`.
    private func grouped(_ number: Int) -> String {
        var text = ""
        for (index, digit) in String(number).reversed().enumerated() {
            if index > 0, index.isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return String(text.reversed())
    }
}
