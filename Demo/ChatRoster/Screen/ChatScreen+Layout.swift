import LiveTable

extension ChatScreen {
    private static let rosterWidth = 24
    private static let leastConversationWidth = 24
    private static let profileWidth = 30
    /// The minimum width with a pane about the other one.
    private static let leastWidthWithProfile = 120
    /// The minimum height with a rule between the messages and the composer.
    private static let leastHeightWithRule = 10

    var layout: ScreenLayout { layout(focused: state.focus == .roster ? 0 : 1) }

    private func layout(focused pane: Int) -> ScreenLayout {
        var panes: [ScreenLayout.Pane] = [
            .init(least: Self.rosterWidth), .init(least: Self.leastConversationWidth, share: 1),
        ]
        if size.width >= Self.leastWidthWithProfile { panes.append(.init(least: Self.profileWidth)) }
        return ScreenLayout(width: size.width, height: size.height, panes: panes, focused: pane)
    }

    /// The parts of the pane of a conversation, from top to bottom.
    struct ConversationAreas {
        var messages: Rect
        var outbox: Rect
        var rule: Rect
        var input: Rect
    }

    var rosterArea: Rect { layout.panes[0] }
    var messagesArea: Rect { areas(layout).messages }
    var inputArea: Rect { areas(layout).input }

    func areas(_ layout: ScreenLayout) -> ConversationAreas {
        let pane = layout.panes[1]
        let none = Rect(x: pane.x, y: pane.y, width: 0, height: 0)
        if pane.isEmpty { return ConversationAreas(messages: none, outbox: none, rule: none, input: none) }
        let lines = min(composerLines(width: pane.width), max(1, pane.height / 2))
        let (above, input) = pane.splitBottom(lines)
        let (rest, rule) = above.splitBottom(size.height >= Self.leastHeightWithRule ? 1 : 0)
        let (messages, outbox) = rest.splitBottom(min(outboxLines(width: pane.width).count, max(0, rest.height - 1)))
        return ConversationAreas(messages: messages, outbox: outbox, rule: rule, input: input)
    }

    /// Sets the areas of the tables, after a change of size, focus or composer. A table without room gets the area that it
    /// would have with the focus, so that keys still work in it.
    func layOut() throws {
        let (here, there) = (areas(layout).messages, areas(layout(focused: 1)).messages)
        let messagesArea = here.isEmpty ? there : here
        let places = [
            (roster, rosterArea.isEmpty ? layout(focused: 0).panes[0] : rosterArea), (conversation, messagesArea),
        ]
        for (list, area) in places where !area.isEmpty {
            try list.update { table, source in
                table.resize(width: area.width, height: area.height, source: source, at: now())
            }
        }
        if !messagesArea.isEmpty {
            found.update { table, source in
                table.resize(width: messagesArea.width, height: messagesArea.height, source: source, at: now())
            }
        }
        roster.update { $0.isFocused = state.focus == .roster }
        conversation.update { $0.isFocused = state.focus == .messages }
        let hasProfile = layout.panes.count > 2
        defer { showsProfile = hasProfile }
        // It is read with each commit, but only while it has a place.
        if hasProfile, !showsProfile { try refresh(tells: false) }
    }

    // MARK: What was not sent

    /// The lines above the composer: texts that are on their way for long, or were not sent, with the reason.
    func outboxLines(width: Int) -> [Line] {
        let outbox = state.composer.visibleOutbox(at: state.screen.lastDrawn)
        guard let last = outbox.last, width > 4 else { return [] }
        let measure = TextMeasure(theme.unicode)
        let shown = outbox.suffix(max(1, min(3, size.height / 6)))
        var lines: [Line] = shown.map { sending in
            let isFailed = sending.failure != nil
            let label = isFailed ? " not sent: " : " sending: "
            let text = measure.truncated(
                sending.draft.text, to: max(1, width - label.count - 1))
            return [Run(label, isFailed ? theme.wrong : theme.secondary), Run(text)]
        }
        if outbox.count > shown.count {
            lines.insert([Run(" \(outbox.count - shown.count) more", theme.secondary)], at: 0)
        }
        guard let reason = outbox.last(where: { $0.failure != nil })?.failure ?? last.failure else { return lines }
        lines += measure.wrapped(reason, width: width - 2, maxLines: size.height < 10 ? 1 : 4).map {
            [Run(" \($0)", theme.secondary)]
        }
        lines.append(state.keys.writing.hintLine([.retry, .takeBack], width: width, theme: theme))
        return lines
    }

    func composerLines(width: Int) -> Int {
        state.composer.field.height(inWidth: width, prompt: prompt, level: theme.unicode)
    }
}
