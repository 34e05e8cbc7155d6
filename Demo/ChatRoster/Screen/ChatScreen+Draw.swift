import LiveTable

extension ChatScreen {
    private static let rosterWidth = 24
    private static let leastConversationWidth = 24
    /// The minimum height with a rule between the messages and the composer.
    private static let leastHeightWithRule = 10

    var layout: ScreenLayout { layout(focused: focus == .roster ? 0 : 1) }

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
        roster.update { $0.isFocused = focus == .roster }
        conversation.update { $0.isFocused = focus == .messages }
    }

    func draw(_ time: Double) -> Grid {
        lastDrawn = time
        var grid = Grid(width: size.width, height: size.height)
        let areas = conversationAreas(layout)
        layout.draw(into: &grid, title: title, status: status, hint: hint, theme: theme)
        roster.table.draw(into: &grid, in: rosterArea, at: time)
        conversation.table.draw(into: &grid, in: areas.messages, at: time)
        if !areas.rule.isEmpty { drawRule(areas.rule, into: &grid) }
        field.draw(
            into: &grid, in: areas.input, prompt: prompt, theme: theme,
            isFocused: focus == .input && help == nil && search?.line == nil)
        if let line = search?.line { drawSearch(line, into: &grid) } else { drawFailure(into: &grid) }
        help?.draw(into: &grid, in: grid.bounds, theme: theme)
        return grid
    }

    /// Draws the last failure above the composer.
    private func drawFailure(into grid: inout Grid) {
        guard let failure else { return }
        let keys = focus == .input ? keys.writing : keys.lists
        let opens = keys[.message]?.keys.first.map { KeyMap.name($0) } ?? ""
        layout.drawMessage(
            failure, theme.wrong, above: inputArea.isEmpty ? nil : inputArea.y, remedy: "\(opens) shows all",
            into: &grid, theme: theme)
    }

    private var prompt: Run {
        if composed.isUnsent { return Run(" not sent: ", theme.wrong) }
        let sign = theme.unicode == .ascii ? " > " : " › "
        return Run(composed.edited == nil ? sign : " edit: ", theme.secondary)
    }

    private func drawRule(_ rule: Rect, into grid: inout Grid) {
        grid.horizontalRule(rule, theme.rule, level: theme.unicode)
        if rule.x > 0, theme.unicode != .ascii { grid.draw("├", theme.rule, x: rule.x - 1, y: rule.y) }
    }

    /// Draws the pattern in place of the hints, and the state of the search at the right.
    private func drawSearch(_ line: SearchLine, into grid: inout Grid) {
        let state = searchState.map { TextMeasure(theme.unicode).truncated($0 + " ", to: size.width / 2) } ?? ""
        let (left, right) = layout.hint.splitLeft(size.width - TextMeasure(theme.unicode).width(of: state))
        line.draw(into: &grid, in: left, theme: theme)
        grid.fill(right)
        grid.draw(
            state, failure == nil ? theme.secondary : theme.wrong, x: right.x, y: right.y, in: right,
            level: theme.unicode)
    }

    private var searchState: String? {
        if search?.line != nil, let failure { return failure }
        return search?.scan.map { "\(Self.grouped($0.looked)) of \(Self.grouped($0.rows)) searched   Esc stops" }
    }

    private var title: Line {
        [Run(" yap chat", theme.header), Run(" · \(chat.database.databaseURL.lastPathComponent)", theme.secondary)]
    }

    private var status: Line {
        [
            Run(slowlySent == 0 ? "" : "sending \(slowlySent)   "),
            Run(theme.unicode == .ascii ? "* " : "● ", Style(theme.accent)), Run(ownName),
            Run("   live #\(Self.grouped(tables.connection.snapshot)) ", theme.secondary),
        ]
    }

    private var hint: Line {
        if let searchState { return Line(text: " \(searchState)", theme.secondary) }
        if let notice { return Line(text: " \(notice)", theme.secondary) }
        switch focus {
        case .input:
            return keys.writing.hintLine(
                [.send, .focusNext, .editLast, .search, .help, .quit], width: size.width, theme: theme)
        case .roster:
            return keys.lists.hintLine(
                [.next, .write, .search, .focusNext, .help, .quit], width: size.width, theme: theme)
        case .messages:
            return keys.lists.hintLine(
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
