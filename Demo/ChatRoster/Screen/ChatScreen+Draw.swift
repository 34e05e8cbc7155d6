import LiveTable

extension ChatScreen {
    private static let rosterWidth = 24
    private static let leastConversationWidth = 24
    /// The minimum height with a rule between the messages and the composer.
    private static let leastHeightWithRule = 10

    var layout: ScreenLayout { layout(focused: state.focus == .roster ? 0 : 1) }

    private func layout(focused pane: Int) -> ScreenLayout {
        ScreenLayout(
            width: size.width, height: size.height,
            panes: [.init(least: Self.rosterWidth), .init(least: Self.leastConversationWidth, share: 1)],
            focused: pane)
    }

    var rosterArea: Rect { layout.panes[0] }
    var messagesArea: Rect { conversationAreas(layout).messages }
    var inputArea: Rect { conversationAreas(layout).input }

    private func conversationAreas(_ layout: ScreenLayout) -> (messages: Rect, rule: Rect, input: Rect) {
        let (above, input) = layout.panes[1].splitBottom(1)
        guard size.height >= Self.leastHeightWithRule else {
            return (above, Rect(x: 0, y: 0, width: 0, height: 0), input)
        }
        let (messages, rule) = above.splitBottom(1)
        return (messages, rule, input)
    }

    /// Sets the areas of the tables, after a change of size or focus. A table without room gets the area that it would
    /// have with the focus, so that keys still work in it.
    func layOut() throws {
        let places = [
            (roster, [rosterArea, layout(focused: 0).panes[0]]),
            (conversation, [messagesArea, conversationAreas(layout(focused: 1)).messages]),
        ]
        for (list, areas) in places {
            guard let area = areas.first(where: { !$0.isEmpty }) else { continue }
            try list.update { table, source in
                table.resize(width: area.width, height: area.height, source: source, at: now())
            }
        }
        roster.update { $0.isFocused = state.focus == .roster }
        conversation.update { $0.isFocused = state.focus == .messages }
    }

    func draw() -> Grid {
        let time = state.screen.lastDrawn
        var grid = Grid(width: size.width, height: size.height)
        let areas = conversationAreas(layout)
        layout.draw(into: &grid, title: title, status: status, hint: hint, theme: theme)
        roster.table.draw(into: &grid, in: rosterArea, at: time)
        conversation.table.draw(into: &grid, in: areas.messages, at: time)
        if !areas.rule.isEmpty { drawRule(areas.rule, into: &grid) }
        state.composer.field.draw(
            into: &grid, in: areas.input, prompt: prompt, theme: theme,
            isFocused: state.focus == .input && state.screen.text == nil && state.search?.line == nil)
        if let line = state.search?.line {
            drawSearch(line, into: &grid)
        } else {
            let keys = state.focus == .input ? state.keys.writing : state.keys.lists
            state.screen.drawMessage(
                in: layout, notice: theme.secondary, above: inputArea.isEmpty ? nil : inputArea.y, keys: keys,
                into: &grid)
        }
        state.screen.text?.draw(into: &grid, in: grid.bounds, theme: theme)
        return grid
    }

    private var prompt: Run {
        if state.composer.draft.isUnsent { return Run(" not sent: ", theme.wrong) }
        let sign = theme.unicode == .ascii ? " > " : " › "
        return Run(state.composer.draft.edited == nil ? sign : " edit: ", theme.secondary)
    }

    private func drawRule(_ rule: Rect, into grid: inout Grid) {
        grid.horizontalRule(rule, theme.rule, level: theme.unicode)
        if rule.x > 0, theme.unicode != .ascii { grid.draw("├", theme.rule, x: rule.x - 1, y: rule.y) }
    }

    /// Draws the pattern in place of the hints, and the state of the search at the right.
    private func drawSearch(_ line: PromptLine<ChatSearch.Pattern>, into grid: inout Grid) {
        let state = searchState.map { TextMeasure(theme.unicode).truncated($0 + " ", to: size.width / 2) } ?? ""
        let (left, right) = layout.hint.splitLeft(size.width - TextMeasure(theme.unicode).width(of: state))
        line.draw(into: &grid, in: left, theme: theme)
        grid.fill(right)
        grid.draw(
            state, message?.isFailure == true ? theme.wrong : theme.secondary, x: right.x, y: right.y, in: right,
            level: theme.unicode)
    }

    private var message: ScreenMessage? { state.screen.message }

    private var searchState: String? {
        if state.search?.line != nil, let message { return message.text }
        return state.search?.scan.map { "\(Self.grouped($0.looked)) of \(Self.grouped($0.rows)) searched   Esc stops" }
    }

    private var title: Line {
        [Run(" yap chat", theme.header), Run(" · \(chat.database.databaseURL.lastPathComponent)", theme.secondary)]
    }

    private var status: Line {
        let slow = state.composer.slowlySent(at: state.screen.lastDrawn)
        return [
            Run(slow == 0 ? "" : "sending \(slow)   "),
            Run(theme.unicode == .ascii ? "* " : "● ", Style(theme.accent)), Run(state.ownName),
            Run("   live #\(Self.grouped(tables.connection.snapshot)) ", theme.secondary),
        ]
    }

    private var hint: Line {
        if let searchState { return Line(text: " \(searchState)", theme.secondary) }
        switch state.focus {
        case .input:
            return state.keys.writing.hintLine(
                [.send, .focusNext, .editLast, .search, .help, .quit], width: size.width, theme: theme)
        case .roster:
            return state.keys.lists.hintLine(
                [.next, .write, .search, .focusNext, .help, .quit], width: size.width, theme: theme)
        case .messages:
            return state.keys.lists.hintLine(
                [.next, .search, .edit, .delete, .copy, .focusNext, .help, .quit], width: size.width, theme: theme)
        }
    }

    /// Formats 1204 as `1,204`.
    private static func grouped(_ number: Int) -> String {
        var text = ""
        for (index, digit) in String(number).reversed().enumerated() {
            if index > 0, index.isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return String(text.reversed())
    }
}
