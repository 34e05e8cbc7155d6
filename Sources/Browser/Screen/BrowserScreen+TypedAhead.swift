import LiveTable

extension BrowserScreen {
    /// Whether a key is meant for a list that is being loaded and must wait for it. Keys that navigate away do not
    /// wait.
    func isTypedAhead(_ event: InputEvent) -> Bool {
        guard focus == .list, list.isReading, help == nil, menu == nil, typedAhead.count < Self.mostTypedAhead else {
            return false
        }
        // A line being typed may contain any character.
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

    /// Handles the keys that were typed for the list before it was loaded.
    func handleTypedAhead() {
        let events = typedAhead
        typedAhead = []
        for event in events { handle(event) }
    }
}
