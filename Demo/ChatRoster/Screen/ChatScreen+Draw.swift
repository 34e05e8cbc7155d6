import Foundation
import LiveTable

extension ChatScreen {
    func draw() -> Grid {
        let time = state.screen.lastDrawn
        var grid = Grid(width: size.width, height: size.height)
        let layout = layout
        let areas = areas(layout)
        layout.draw(into: &grid, title: title, status: status, hint: hint, theme: theme)
        roster.table.draw(into: &grid, in: rosterArea, at: time)
        if state.searched == nil, isUnusedNote {
            Welcome(
                path: chat.database.databaseURL.path, space: facts.space,
                others: state.roster.filter { $0.standing != .rooms }, isPresenceKnown: facts.isPresenceKnown,
                invitation: state.invitation, reach: facts.reach, privacy: facts.privacy, theme: theme
            ).draw(into: &grid, in: areas.messages)
        } else {
            shownTable(in: .messages).draw(into: &grid, in: areas.messages, at: time)
        }
        for (index, line) in outboxLines(width: areas.outbox.width).prefix(areas.outbox.height).enumerated() {
            let place = Rect(x: areas.outbox.x, y: areas.outbox.y + index, width: areas.outbox.width, height: 1)
            grid.fill(place)
            grid.draw(line, x: place.x, y: place.y, in: place, level: theme.unicode)
        }
        if !areas.rule.isEmpty { drawRule(areas.rule, into: &grid) }
        let isWriting = state.focus == .input && state.screen.text == nil && state.prompt == nil
        state.composer.field.draw(into: &grid, in: areas.input, prompt: prompt, theme: theme, isFocused: isWriting)
        if layout.panes.count > 2 { profile.draw(into: &grid, in: layout.panes[2], state.row, facts, theme) }
        if !isWriting { putCursor(into: &grid) }
        drawPrompt(layout, into: &grid)
        state.screen.text?.draw(into: &grid, in: grid.bounds, theme: theme)
        return grid
    }

    /// The cursor stands at the selected row, where screen readers look for it.
    private func putCursor(into grid: inout Grid) {
        let (table, area) = (shownTable(in: state.focus), state.focus == .roster ? rosterArea : messagesArea)
        guard let selected = table.selectedPath else { return }
        let line = (0..<area.height).first { line in
            if case .row(_, selected) = table.hit(x: 0, y: line, at: state.screen.lastDrawn) {
                true
            } else {
                false
            }
        }
        if let line { grid.cursor = (area.x, area.y + line) }
    }

    /// The table of a pane; while the user searches, that of the matches stands for the conversation.
    func shownTable(in pane: ChatState.Focus) -> Table {
        pane == .roster ? roster.table : state.searched != nil ? found.table : conversation.table
    }

    private func drawPrompt(_ layout: ScreenLayout, into grid: inout Grid) {
        switch state.prompt {
        case .search(let line):
            let count =
                state.found.map { "\($0) found  Enter opens  Esc ends " }
                ?? (isSearching ? "searching…  Esc ends " : "")
            let (left, right) = layout.hint.splitLeft(max(size.width / 2, size.width - count.count))
            line.draw(into: &grid, in: left, theme: theme)
            grid.fill(right)
            grid.draw(count, theme.secondary, x: right.x, y: right.y, in: right, level: theme.unicode)
        case .paste(let paste):
            layout.drawMessage(
                paste.question, theme.header, above: inputArea.isEmpty ? nil : inputArea, remedy: "Enter f Esc",
                into: &grid, theme: theme)
        case .react(let choice):
            let lines: [Line] = choice.found.map { name in
                let isChosen = name == choice.chosenName
                return [
                    Run(isChosen ? "\(theme.selectionSymbol)" : " ", theme.selectionBar(focused: true)),
                    Run("\(EmojiNames.picture(of: name) ?? "") "), Run(name, isChosen ? theme.header : .plain),
                ]
            }
            Overlay("React", lines.isEmpty ? [[Run("No emoji has that name.")]] : lines)
                .draw(into: &grid, in: grid.bounds, theme: theme)
            choice.line.draw(into: &grid, in: layout.hint, theme: theme)
        case .goTo(let goTo):
            let shown = goTo.found.prefix(max(1, size.height - 6))
            let lines: [Line] = shown.map { place in
                let isChosen = place == goTo.choice
                return [
                    Run(isChosen ? "\(theme.selectionSymbol)" : " ", theme.selectionBar(focused: true)),
                    Run(place.title, isChosen ? theme.header : .plain),
                    Run(place.detail.isEmpty ? "" : "  \(place.detail)", theme.secondary),
                    Run(place.topic.isEmpty ? "" : "  \(place.topic)"),
                ]
            }
            Overlay(goTo.title, lines.isEmpty ? [[Run("Enter opens a new one")]] : lines)
                .draw(into: &grid, in: grid.bounds, theme: theme)
            goTo.line.draw(into: &grid, in: layout.hint, theme: theme)
        case nil:
            let keys = state.focus == .input ? state.keys.writing : state.keys.lists
            state.screen.drawMessage(
                in: layout, notice: theme.secondary, above: inputArea.isEmpty ? nil : inputArea, keys: keys,
                into: &grid)
        }
    }

    var prompt: Run {
        if state.composer.edited != nil { return Run(" edit: ", theme.secondary) }
        let sign = theme.unicode == .ascii ? " > " : " › "
        if let reply = state.composer.reply {
            return Run(" reply to \(TextMeasure(theme.unicode).truncated(reply.author, to: 8))\(sign)", theme.secondary)
        }
        return Run(sign, theme.secondary)
    }

    /// The line above the composer: who is typing, at a fixed place, or when the selected message was written.
    private func drawRule(_ rule: Rect, into grid: inout Grid) {
        grid.horizontalRule(rule, theme.rule, level: theme.unicode)
        if rule.x > 0, theme.unicode != .ascii { grid.draw("├", theme.rule, x: rule.x - 1, y: rule.y) }
        if rule.maxX < grid.width, theme.unicode != .ascii { grid.draw("┤", theme.rule, x: rule.maxX, y: rule.y) }
        let measure = TextMeasure(theme.unicode)
        let text = measure.truncated(ruleText, to: max(0, rule.width - 4))
        if !text.isEmpty {
            grid.draw(" \(text) ", theme.secondary, x: rule.x + 2, y: rule.y, in: rule, level: theme.unicode)
        }
        guard let unread = state.row?.unread, unread > 0, conversation.table.newBelow == 0, state.searched == nil,
            conversation.table.scrollState != .atEnd
        else { return }
        let below = " \(theme.unicode == .ascii ? "v" : "↓") \(unread) new below "
        grid.draw(
            below, Style(theme.accent, on: .terminal, .bold), x: rule.maxX - measure.width(of: below) - 1, y: rule.y,
            in: rule, level: theme.unicode)
    }

    private var ruleText: String {
        if !state.typing.isEmpty {
            let names = state.typing.prefix(2).joined(separator: " and ")
            let more = state.typing.count > 2 ? " and \(state.typing.count - 2) more" : ""
            return "\(names)\(more) \(state.typing.count == 1 ? "is" : "are") typing…"
        }
        if let reply = state.composer.reply {
            return "answers \(reply.author): \(quoted(reply.id) ?? "(deleted)")"
        }
        guard state.searched == nil, let path = conversation.table.selectedPath,
            let message = (try? message(at: path)) ?? nil
        else { return "" }
        return ChatDates.moment.string(from: message.time) + (message.edited == nil ? "" : ", edited")
    }

    /// The beginning of a message, read once; nil for one that was deleted.
    private func quoted(_ id: String) -> String? {
        if let known = facts.quotes[id] { return known }
        let text = (try? tables.connection.read { try $0.quoted(id) }) ?? nil
        facts.quotes[id] = .some(text)
        return text
    }

    /// The conversation, presence and topic.
    private var title: Line {
        let row = state.row
        let name = state.conversation?.title(for: chat.me) ?? state.composer.conversation
        var line: Line = size.width < 60 ? [] : [Run(" yap chat ", theme.header), Run("·", theme.secondary)]
        line.append(Run(" \(name) ", theme.header))
        guard let row else { return line }
        if row.standing == .rooms {
            if state.members.count > 1 { line.append(Run(" \(state.members.count) members", theme.secondary)) }
        } else {
            let isKnown = facts.isPresenceKnown
            line.append(
                Run(isKnown ? theme.symbol(of: row) : "?", isKnown ? theme.symbolStyle(of: row) : theme.secondary))
            line.append(Run(" \(isKnown ? row.standing.rawValue : "unknown")", theme.secondary))
        }
        if !row.status.isEmpty { line.append(Run(" · \(row.status)", theme.secondary)) }
        if size.height < 10, let typing = state.typing.first {
            line.append(Run(" · \(typing) is typing…", theme.secondary))
        }
        return line
    }

    private var status: Line {
        let unread = state.roster.reduce(0) { $0 + ($1.seat.isMuted ? 0 : $1.unread) }
        let count = unread > 0 ? "\(unread) unread  " : ""
        if let delay = state.delay {
            let keys = state.focus == .input ? state.keys.writing : state.keys.lists
            let key = keys[.message]?.keys.first.map { KeyMap.name($0) } ?? ""
            // On a wide screen the conversation keeps its place beside it.
            let width = size.width < 60 ? size.width - 1 : size.width - 30
            return [Run(" \(delay.line(at: Date(), key: key, width: width)) ", theme.wrong)]
        }
        guard size.width >= 60 else { return [Run(unread > 0 ? " \(unread) unread" : "")] }
        return [
            Run(" " + count), Run(theme.unicode == .ascii ? "* " : "● ", Style(theme.accent)), Run(state.me),
            Run(size.width >= 100 ? "   \(chat.database.databaseURL.lastPathComponent) " : " ", theme.secondary),
        ]
    }

    private var hint: Line {
        switch state.focus {
        case .input:
            let canCancel = state.composer.reply != nil || state.composer.edited != nil
            return state.keys.writing.hintLine(
                [.send, canCancel ? .cancel : .editLast, .focusNext, .search, .help, .goTo, .quit], width: size.width,
                theme: theme)
        case .roster:
            return state.keys.lists.hintLine(
                [.next, .write, .search, .focusNext, .help, .goTo, .quit], width: size.width, theme: theme)
        case .messages:
            return state.keys.lists.hintLine(
                [.next, .reply, .react, .who, .edit, .delete, .copy, .search, .focusNext, .help, .quit],
                width: size.width, theme: theme)
        }
    }
}
