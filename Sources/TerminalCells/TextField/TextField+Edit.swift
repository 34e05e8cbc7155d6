extension TextField {
    /// Inserts text at the cursor; what exceeds the limit is left out. In a field of one line, line breaks become blanks.
    public mutating func insert(_ text: String) {
        replace(cursor..<cursor, with: text)
    }

    /// Replaces a range of ``characters`` and puts the cursor behind the new text; what exceeds the limit is left out.
    ///
    /// The range must be inside the text. O(n) in the length of the text.
    ///
    /// - Parameters:
    ///   - range: the characters to replace.
    ///   - text: the text.
    public mutating func replace(_ range: Range<Int>, with text: String) {
        let room = max(0, Self.maxCharacters - characters.count + range.count)
        isCut = !text.dropFirst(room).isEmpty
        let inserted = text.prefix(room).map { $0.isNewline ? (maxLines > 1 ? "\n" : " ") : $0 }
        guard !inserted.isEmpty || !range.isEmpty else { return }
        remember(isTyping: range.isEmpty && inserted.count == 1 && !inserted[0].isWhitespace)
        // A mark joins the character before it, so the text is divided into characters again.
        let before = String(characters[..<range.lowerBound]) + String(inserted)
        set(before, String(characters[range.upperBound...]))
    }

    /// Deletes the character before the cursor.
    public mutating func deleteBackward() { remove(from: cursor - 1, to: cursor, keep: false) }
    /// Deletes the character after the cursor.
    public mutating func deleteForward() { remove(from: cursor, to: cursor + 1, keep: false) }
    /// Deletes from the beginning of the word at or before the cursor; ``yank()`` brings it back.
    public mutating func deleteWordBackward() { remove(from: wordStart, to: cursor, keep: true) }
    /// Deletes to the end of the word at or after the cursor; ``yank()`` brings it back.
    public mutating func deleteWordForward() { remove(from: cursor, to: wordEnd, keep: true) }
    /// Deletes everything before the cursor in its line, or the line break before it; ``yank()`` brings it back.
    public mutating func deleteToStart() {
        remove(from: lineStart == cursor ? cursor - 1 : lineStart, to: cursor, keep: true)
    }
    /// Deletes everything after the cursor in its line, or the line break after it; ``yank()`` brings it back.
    public mutating func deleteToEnd() {
        remove(from: cursor, to: lineEnd == cursor ? cursor + 1 : lineEnd, keep: true)
    }

    /// Inserts the text that was last deleted by a command that deletes more than a character.
    public mutating func yank() { insert(String(killed)) }

    /// Empties the field and adds its text to the history, unless it is empty or the same as the last one.
    ///
    /// - Returns: The text.
    public mutating func submit() -> String {
        let line = text
        if !line.isEmpty, history.last != line { history = (history + [line]).suffix(Self.maxHistory) }
        text = ""
        draft = []
        return line
    }

    private mutating func remove(from start: Int, to end: Int, keep: Bool) {
        let range = max(0, start)..<max(0, min(characters.count, end))
        guard !range.isEmpty else { return }
        remember(isTyping: false)
        if keep { killed = Array(characters[range]) }
        set(String(characters[..<range.lowerBound]), String(characters[range.upperBound...]))
    }

    /// Sets the text before and after the cursor. If they join to one character, the cursor goes behind it.
    private mutating func set(_ before: String, _ after: String) {
        let (head, tail) = (Array(before), Array(after))
        historyIndex = nil
        characters = head + tail
        cursor = head.count
        guard let last = head.last, let first = tail.first, !(last.isASCII && first.isASCII) else { return }
        characters = Array(before + after)
        guard characters.count != head.count + tail.count else { return }
        let size = before.utf8.count
        var bytes = 0
        cursor =
            characters.firstIndex { character in
                defer { bytes += character.utf8.count }
                return bytes >= size
            } ?? characters.count
    }
}
