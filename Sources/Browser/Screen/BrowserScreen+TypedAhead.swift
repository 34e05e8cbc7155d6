import LiveTable

extension BrowserScreen {
    /// Whether a key is for a list that is on its way: it waits for it. The keys that lead away do not.
    func isTypedAhead(_ event: InputEvent) -> Bool {
        guard focus == .list, list.isReading, help == nil, menu == nil, typedAhead.count < Self.mostTypedAhead else {
            return false
        }
        // A line that is being typed may hold any character.
        if typedAhead.contains(where: opensPrompt) {
            return ![.key(.escape), .key(.character("c"), .control)].contains(event)
        }
        guard case .key(let key, let modifiers) = event else { return true }
        var reader = KeyReader(keys.map)
        guard case .action(let action, _) = reader.read(key, modifiers) else { return true }
        return ![.quit, .help, .cancel, .goOut, .focusNext, .focusPrevious, .follow].contains(action)
    }

    private func opensPrompt(_ event: InputEvent) -> Bool {
        guard case .key(let key, let modifiers) = event else { return false }
        var reader = KeyReader(keys.map)
        guard case .action(let action, _) = reader.read(key, modifiers) else { return false }
        return [.search, .searchKeys, .filter, .goTo, .range, .fullText].contains(action)
    }

    private static let mostTypedAhead = 200

    /// Does what was typed for the list that has come.
    func handleTypedAhead() {
        let events = typedAhead
        typedAhead = []
        for event in events { handle(event) }
    }
}
