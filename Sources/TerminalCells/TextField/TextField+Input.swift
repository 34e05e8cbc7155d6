/// The result of an event that a text field handled.
public enum TextFieldEvent: Hashable, Sendable {
    /// The text or the cursor may have changed.
    case changed
    /// Enter: the text, which is now in the field's history.
    case submitted(String)
    /// Esc.
    case cancelled
}

extension TextField {
    /// Handles a key or a paste; returns nil if the field does not use it, so that another part of the screen may.
    ///
    /// In a field of several lines Alt-Enter or Shift-Enter begins a new one. Up in the first line and Down in the last go
    /// through the history if ``usesHistory`` is set, and are left to the screen otherwise. Ctrl-_ takes back a change.
    public mutating func handle(_ event: InputEvent) -> TextFieldEvent? {
        switch event {
        case .paste(let text, let missing):
            insert(text)
            if missing > 0 { isCut = true }
        case .key(let key, let modifiers):
            if key == .enter, modifiers.isEmpty { return .submitted(submit()) }
            if key == .escape { return .cancelled }
            isCut = false
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
        case .enter:
            guard maxLines > 1 else { return false }
            insert("\n")
        case .left: if modifiers.isEmpty { moveLeft() } else { moveWordLeft() }
        case .right: if modifiers.isEmpty { moveRight() } else { moveWordRight() }
        case .home: if modifiers.isEmpty { moveToStart() } else { moveToTextStart() }
        case .end: if modifiers.isEmpty { moveToEnd() } else { moveToTextEnd() }
        case .up: return modifiers.isEmpty && goUp()
        case .down: return modifiers.isEmpty && goDown()
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
        case "p": return goUp()
        case "n": return goDown()
        case "_": undo()
        default: return false
        }
        return true
    }

    private mutating func goUp() -> Bool { moveUp() || (usesHistory && historyBack()) }
    private mutating func goDown() -> Bool { moveDown() || (usesHistory && historyForward()) }
}
