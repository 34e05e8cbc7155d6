extension TextField {
    /// Moves the cursor one character to the left.
    public mutating func moveLeft() { cursor = max(0, cursor - 1) }
    /// Moves the cursor one character to the right.
    public mutating func moveRight() { cursor = min(characters.count, cursor + 1) }
    /// Moves the cursor to the beginning of its line.
    public mutating func moveToStart() { cursor = lineStart }
    /// Moves the cursor to the end of its line.
    public mutating func moveToEnd() { cursor = lineEnd }
    /// Moves the cursor before the first character.
    public mutating func moveToTextStart() { cursor = 0 }
    /// Moves the cursor behind the last character.
    public mutating func moveToTextEnd() { cursor = characters.count }
    /// Moves the cursor to the beginning of the word at or before it.
    public mutating func moveWordLeft() { cursor = wordStart }
    /// Moves the cursor to the end of the word at or after it.
    public mutating func moveWordRight() { cursor = wordEnd }

    /// Shows the previous text of the history; the one being typed is kept. Returns false if there is none.
    @discardableResult
    public mutating func historyBack() -> Bool {
        let index = (historyIndex ?? history.count) - 1
        guard index >= 0 else { return false }
        if historyIndex == nil { draft = characters }
        show(adopted(history[index]), at: index)
        return true
    }

    /// Shows the next text of the history, and after the last one the text that was being typed.
    @discardableResult
    public mutating func historyForward() -> Bool {
        guard let index = historyIndex else { return false }
        if index + 1 < history.count {
            show(adopted(history[index + 1]), at: index + 1)
        } else {
            show(draft, at: nil)
        }
        return true
    }

    /// The index after the line break before the cursor.
    var lineStart: Int { (characters[..<cursor].lastIndex(of: "\n") ?? -1) + 1 }

    /// The index of the line break after the cursor.
    var lineEnd: Int { characters[cursor...].firstIndex(of: "\n") ?? characters.count }

    /// The start of the word at or before the cursor.
    var wordStart: Int {
        var index = cursor
        while index > 0, !Self.isWord(characters[index - 1]) { index -= 1 }
        while index > 0, Self.isWord(characters[index - 1]) { index -= 1 }
        return index
    }

    /// The end of the word at or after the cursor.
    var wordEnd: Int {
        var index = cursor
        while index < characters.count, !Self.isWord(characters[index]) { index += 1 }
        while index < characters.count, Self.isWord(characters[index]) { index += 1 }
        return index
    }

    private static func isWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }
}
