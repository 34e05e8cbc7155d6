import LiveTable

extension ChatState {
    /// Shown as long as there is something to be brought back, until the next key.
    static let undoNotice = ScreenMessage.notice("Deleted: u brings it back, Alt-U while you write.")

    /// Handles an event while a text is shown. What is typed while one writes goes into the line if the text is short, and is not only the key
    /// that closes it.
    /// - Returns: whether nothing else is to be done with the event.
    mutating func handleOverText(_ event: InputEvent) -> Bool {
        guard let text = screen.text, case .key(let key, let modifiers) = event else {
            screen.text = nil
            return false
        }
        guard focus == .input, case .character(let character) = key, modifiers.isEmpty else {
            screen.handleOverText(key, modifiers, strokes.read(key, modifiers))
            return true
        }
        guard !text.canScroll(in: screen.bounds, theme: screen.theme) else {
            screen.handleOverText(key, modifiers, strokes.read(key, modifiers))
            return true
        }
        screen.text = nil
        return character == " "
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
