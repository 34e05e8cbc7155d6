extension TextField {
    /// Inserts text at the cursor; line ends become blanks, and what exceeds the limit is left out.
    public mutating func insert(_ text: String) {
        let room = Self.mostCharacters - characters.count
        guard room > 0 else { return }
        let line = String(text.prefix(room).map { $0.isNewline ? " " : $0 })
        // A mark joins the character before it, so the text before the cursor is divided into characters again.
        let before = Array(String(characters[..<cursor]) + line)
        characters = before + characters[cursor...]
        cursor = before.count
        historyIndex = nil
    }

    /// Deletes the character before the cursor.
    public mutating func deleteBackward() { remove(from: cursor - 1, to: cursor, keep: false) }
    /// Deletes the character after the cursor.
    public mutating func deleteForward() { remove(from: cursor, to: cursor + 1, keep: false) }
    /// Deletes from the beginning of the word at or before the cursor; ``yank()`` brings it back.
    public mutating func deleteWordBackward() { remove(from: wordStart, to: cursor, keep: true) }
    /// Deletes to the end of the word at or after the cursor; ``yank()`` brings it back.
    public mutating func deleteWordForward() { remove(from: cursor, to: wordEnd, keep: true) }
    /// Deletes everything before the cursor; ``yank()`` brings it back.
    public mutating func deleteToStart() { remove(from: 0, to: cursor, keep: true) }
    /// Deletes everything after the cursor; ``yank()`` brings it back.
    public mutating func deleteToEnd() { remove(from: cursor, to: characters.count, keep: true) }

    /// Inserts the text that was last deleted by a command that deletes more than a character.
    public mutating func yank() { insert(String(killed)) }

    /// Empties the line and adds it to the history, unless it is empty or the same as the last one.
    ///
    /// - Returns: The text of the line.
    public mutating func submit() -> String {
        let line = text
        if !line.isEmpty, history.last != line { history = (history + [line]).suffix(Self.mostHistory) }
        text = ""
        draft = []
        return line
    }

    private mutating func remove(from start: Int, to end: Int, keep: Bool) {
        let range = max(0, start)..<min(characters.count, end)
        guard !range.isEmpty else { return }
        if keep { killed = Array(characters[range]) }
        characters.removeSubrange(range)
        cursor = range.lowerBound
        historyIndex = nil
    }
}
