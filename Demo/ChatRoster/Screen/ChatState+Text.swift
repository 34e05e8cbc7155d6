import LiveTable

extension ChatState {
    /// Shown as long as there is something to be brought back, until the next key.
    static let undoNotice = ScreenMessage.notice("Deleted: u brings it back, Alt-U while you write.")

    /// Handles an event while a text is shown. What is typed while one writes goes into the line, and is not only the key that closes the text.
    /// - Returns: whether nothing else is to be done with the event.
    mutating func handleOverText(_ event: InputEvent) -> Bool {
        guard let text = screen.text, case .key(let key, let modifiers) = event else {
            screen.text = nil
            return false
        }
        guard focus == .input, case .character(let character) = key, modifiers.isEmpty else {
            screen.handleOverText(strokes.read(key, modifiers))
            return true
        }
        let scrolls = text.canScroll(in: screen.bounds, theme: screen.theme)
        if scrolls, character != "q" { screen.handleOverText(strokes.read(key, modifiers)) } else { screen.text = nil }
        return screen.text != nil || character == " " || scrolls && character == "q"
    }
}

extension InputEvent {
    /// Whether it is text that begins as commands do.
    var beginsCommand: Bool {
        switch self {
        case .key(.character("/"), []): true
        case .paste(let text, _): text.hasPrefix("/")
        default: false
        }
    }
}
