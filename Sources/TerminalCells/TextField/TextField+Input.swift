/// The result of an event that a text field handled.
public enum TextFieldEvent: Hashable, Sendable {
    /// The text or the cursor may have changed.
    case changed
    /// Enter: the line, which is now in the field's history.
    case submitted(String)
    /// Esc.
    case cancelled
}

extension TextField {
    /// Handles a key or a paste; returns nil if the field does not use it, so that another part of the screen may.
    public mutating func handle(_ event: InputEvent) -> TextFieldEvent? {
        switch event {
        case .paste(let text): insert(text)
        case .key(let key, let modifiers):
            if key == .enter, modifiers.isEmpty { return .submitted(submit()) }
            if key == .escape { return .cancelled }
            guard handle(key, modifiers) else { return nil }
        case .mouse, .resize, .focus: return nil
        }
        return .changed
    }

    private mutating func handle(_ key: Key, _ modifiers: Modifiers) -> Bool {
        switch key {
        case .character(let character): return handle(character, modifiers)
        case .backspace:
            if modifiers.contains(.alt) || modifiers.contains(.control) {
                deleteWordBackward()
            } else {
                deleteBackward()
            }
        case .delete: deleteForward()
        case .left: if modifiers.isEmpty { moveLeft() } else { moveWordLeft() }
        case .right: if modifiers.isEmpty { moveRight() } else { moveWordRight() }
        case .home: moveToStart()
        case .end: moveToEnd()
        case .up: return historyBack()
        case .down: return historyForward()
        default: return false
        }
        return true
    }

    private mutating func handle(_ character: Character, _ modifiers: Modifiers) -> Bool {
        if modifiers.contains(.control) { return handleControl(character) }
        guard modifiers.contains(.alt) else {
            insert(String(character))
            return true
        }
        switch character {
        case "b": moveWordLeft()
        case "f": moveWordRight()
        case "d": deleteWordForward()
        default: return false
        }
        return true
    }

    private mutating func handleControl(_ character: Character) -> Bool {
        switch character {
        case "a": moveToStart()
        case "e": moveToEnd()
        case "b": moveLeft()
        case "f": moveRight()
        case "d": deleteForward()
        case "h": deleteBackward()
        case "w": deleteWordBackward()
        case "u": deleteToStart()
        case "k": deleteToEnd()
        case "y": yank()
        case "p": return historyBack()
        case "n": return historyForward()
        default: return false
        }
        return true
    }
}
