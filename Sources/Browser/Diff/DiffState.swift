import FileReading
import ScreenPrograms

/// What the screen of `yap diff` asks for at its bottom.
enum DiffQuestion: PromptQuestion {
    case search
    case filter

    var label: String { self == .search ? "/" : "&" }
}

/// The state of the screen of `yap diff`, besides its two panes.
struct DiffState: ProgramState {
    enum Pane: Int, CaseIterable, Sendable { case list, details }

    /// What an event asks of the panes and the files.
    enum Request: Hashable {
        case layOut
        case mouse(MouseEvent)
        case move(TableCommand)
        case focus(Pane)
        case ask(DiffQuestion)
        case typed(String)
        case accept(String, DiffQuestion)
        case cancelTyping
        case goToMatch(forward: Bool)
        case show(ChangeKind)
        case copy(path: Bool)
        case cancel
    }

    var screen: ScreenState
    let keys: DiffKeys
    var strokes: KeyReader
    var focus = Pane.list
    var prompt: PromptLine<DiffQuestion>?
    /// Earlier patterns, the oldest first.
    var patterns: [String] = []
    /// The pattern that was searched for last.
    var searched: String?
    /// What the list is filtered by.
    var filter = (pattern: "", kinds: Set<ChangeKind>())
    var progress = ChangeStore.Progress()
    /// Requests that replace each other: only the result of the last one is used.
    var filters = LatestRequest()
    var searches = LatestRequest()
    var details = LatestRequest()
    /// The text of the hint line while a search runs.
    var working: String?
    /// Whether a portion of the changes is being filtered.
    var isFiltering = false

    init(screen: ScreenState, keys: DiffKeys) {
        (self.screen, self.keys) = (screen, keys)
        strokes = KeyReader(keys.map)
    }

    var isFiltered: Bool { !filter.pattern.isEmpty || !filter.kinds.isEmpty }
}

extension DiffState {
    private static let widthForTwo = 70

    var shownPanes: [Pane] { screen.size.width >= Self.widthForTwo ? Pane.allCases : [focus] }

    var layout: ScreenLayout {
        let width = screen.size.width
        let panes = shownPanes.map { _ in ScreenLayout.Pane(least: min(30, width), share: 1) }
        return ScreenLayout(width: width, height: screen.size.height, panes: panes)
    }

    /// Returns a pane's area; nil if it has no room.
    func area(of pane: Pane) -> Rect? {
        guard let index = shownPanes.firstIndex(of: pane) else { return nil }
        let area = layout.panes[index]
        return area.isEmpty ? nil : area
    }
}

extension DiffState {
    mutating func update(_ event: InputEvent) -> Request? {
        if screen.typeOverText(event) { return nil }
        switch event {
        case .resize(let width, let height):
            screen.size = (width, height)
            return .layOut
        case .mouse(let mouse):
            if case .press = mouse.kind { screen.message = nil }
            guard screen.text == nil else {
                screen.handleOverText(mouse)
                return nil
            }
            return .mouse(mouse)
        case .key(let key, let modifiers):
            screen.message = nil
            return prompt == nil ? update(key, modifiers) : updatePrompt(event)
        case .paste: return prompt == nil ? nil : updatePrompt(event)
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
        if let command = TableCommand(action, count: count) { return .move(command) }
        if screen.perform(action, help: keys.help) { return nil }
        if let kind = ChangeKind(shownBy: action) { return .show(kind) }
        switch action {
        case .open, .goIn: return .focus(.details)
        case .goOut: return .focus(.list)
        case .focusNext, .focusPrevious: return .focus(focus == .list ? .details : .list)
        case .search: return .ask(.search)
        case .filter: return .ask(.filter)
        case .searchNext, .searchPrevious: return .goToMatch(forward: action == .searchNext)
        case .copy, .copyPath: return .copy(path: action == .copyPath)
        case .cancel: return .cancel
        default: return nil
        }
    }

    private mutating func updatePrompt(_ event: InputEvent) -> Request? {
        let isInterrupted = event == .key(.character("c"), .control)
        guard let asked = prompt, let outcome = isInterrupted ? .cancelled : prompt?.handle(event) else { return nil }
        switch outcome {
        case .typed(let text): return asked.question == .search ? .typed(text) : nil
        case .accepted(let text):
            patterns = prompt?.field.history ?? patterns
            prompt = nil
            return .accept(text, asked.question)
        case .cancelled:
            prompt = nil
            return .cancelTyping
        }
    }
}
