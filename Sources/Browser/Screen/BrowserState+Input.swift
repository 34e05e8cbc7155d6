import ScreenPrograms

extension BrowserState {
    /// - Parameter isReading: whether the list is being loaded; keys that are meant for it wait.
    mutating func update(_ event: InputEvent, isReading: Bool) -> Request? {
        if screen.typeOverText(event) { return nil }
        switch event {
        case .resize(let width, let height):
            screen.size = (width, height)
            return .layOut
        case .mouse(let mouse): return update(mouse)
        case .key(let key, let modifiers):
            screen.message = nil
            if isReading, mustWait(event) { return nil }
            return prompt == nil ? update(key, modifiers) : updatePrompt(event)
        case .paste:
            if isReading, mustWait(event) { return nil }
            return prompt == nil ? nil : updatePrompt(event)
        case .focus: return nil
        }
    }

    private mutating func update(_ key: Key, _ modifiers: Modifiers) -> Request? {
        let outcome = strokes.read(key, modifiers)
        if screen.text != nil {
            screen.handleOverText(key, modifiers, outcome)
            return nil
        }
        guard case .action(let action, let count) = outcome else { return nil }
        if menu != nil { return updateMenu(action, count) }
        if let command = TableCommand(action, count: count) { return .move(command) }
        return screen.perform(action, help: keys.help) ? nil : request(action, count)
    }

    /// What an action asks of the panes and the file.
    private func request(_ action: Action, _ count: Int?) -> Request? {
        switch action {
        case .open: .open
        case .goIn: .goIn
        case .goOut: .goOut
        case .fold: .fold
        case .focusNext: .focus(Pane.allCases.neighbor(of: focus, up: true))
        case .focusPrevious: .focus(Pane.allCases.neighbor(of: focus, up: false))
        case .cancel: .cancel
        case .mark: .mark
        case .follow: .toggleFollowing
        case .copy: .copyValue
        case .copyPath: .copyPath
        case .raw: .showRaw
        case .save: .save
        case .openOutside, .seeImage: .openOutside(isImage: action == .seeImage)
        case .space: .showSpace
        case .unfoldAll, .foldAll: .openRow(all: action == .unfoldAll)
        default: listRequest(action, count).map { .inList($0) }
        }
    }

    private func listRequest(_ action: Action, _ count: Int?) -> ListRequest? {
        switch action {
        case .search: .ask(.pattern(TextField(history: patterns)))
        case .searchKeys: .ask(.pattern(isKeysOnly: true, TextField(history: patterns)))
        case .filter: .ask(.pattern(isFilter: true, TextField(history: patterns)))
        case .searchNext: .goToMatch(by: 1)
        case .searchPrevious: .goToMatch(by: -1)
        case .goTo: .ask(Prompt(.goTo))
        case .fullText: .askFullText
        case .range: .askRange
        case .reverse: .reverse
        case .sort: .sort
        case .sortAscending, .sortDescending: .sortByField(isDescending: action == .sortDescending)
        case .countBy: .countByField
        case .columns: .chooseColumns
        case .decoder: .chooseDecoder
        default: WidthChange(action, count: count).map { .changeWidth($0) }
        }
    }

    private mutating func update(_ mouse: MouseEvent) -> Request? {
        if case .press = mouse.kind { screen.message = nil }
        guard screen.text == nil else {
            screen.handleOverText(mouse)
            return nil
        }
        guard var open = menu else { return .mouse(mouse) }
        switch mouse.kind {
        case .wheel(let lines): return apply(open.menu.handle(lines > 0 ? .next : .previous, count: abs(lines)), open)
        case .press(button: 1):
            return apply(open.menu.click(x: mouse.x, y: mouse.y, in: screen.bounds, theme: screen.theme), open)
        default: return nil
        }
    }

    private mutating func updateMenu(_ action: Action, _ count: Int?) -> Request? {
        guard var open = menu else { return nil }
        if open.purpose == .columns, let change = WidthChange(action, count: count) {
            return .adjust(open.menu.selected, change)
        }
        return apply(open.menu.handle(action, count: count), open)
    }

    private mutating func apply(_ outcome: Menu.Response, _ open: OpenMenu) -> Request? {
        switch outcome {
        case .nothing: menu = open
        case .closed: menu = nil
        case .chosen(let index):
            menu = open.menu.isMultiple ? open : nil
            return .choose(index, open.purpose)
        }
        return nil
    }

    private mutating func updatePrompt(_ event: InputEvent) -> Request? {
        let isInterrupted = event == .key(.character("c"), .control)
        guard let outcome = isInterrupted ? .cancelled : prompt?.handleWithTab(event), let asked = prompt else {
            return nil
        }
        if case .typed(let text) = outcome {
            guard case .pattern(isFilter: false, let isKeysOnly) = asked.question else { return nil }
            return .searchAsTyped(text, isKeysOnly: isKeysOnly)
        }
        prompt = nil
        guard case .accepted(let text) = outcome else { return .cancelTyping }
        if case .pattern = asked.question { patterns = asked.field.history }
        return .accept(text, asked.question)
    }
}

// MARK: Keys for a list that is being loaded

extension BrowserState {
    private static let maxTypedAhead = 200

    /// Keeps a key that is meant for the list that is being loaded, and returns whether it was one. Keys that navigate
    /// away do not wait.
    private mutating func mustWait(_ event: InputEvent) -> Bool {
        guard isTypedAhead(event) else { return false }
        typedAhead.append(event)
        return true
    }

    private func isTypedAhead(_ event: InputEvent) -> Bool {
        guard focus == .list, screen.text == nil, menu == nil, typedAhead.count < Self.maxTypedAhead else {
            return false
        }
        // A line being typed may contain any character.
        if typedAhead.contains(where: { keys.map.action(of: $0).map(Self.promptActions.contains) ?? false }) {
            return ![.key(.escape), .key(.character("c"), .control)].contains(event)
        }
        return keys.map.action(of: event).map { !Self.leavingActions.contains($0) } ?? true
    }

    private static let promptActions: Set<Action> = [
        .search, .searchKeys, .filter, .goTo, .range, .fullText, .save,
    ]
    private static let leavingActions: Set<Action> = [
        .quit, .help, .cancel, .goOut, .focusNext, .focusPrevious, .follow,
    ]
}
