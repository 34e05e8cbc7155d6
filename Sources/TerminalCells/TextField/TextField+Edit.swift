extension TextField {
    /// Inserts text at the cursor; what exceeds the limit is left out. In a field of one line, line breaks become blanks.
    public mutating func insert(_ text: String) {
        replace(cursor..<cursor, with: text)
    }

    /// Replaces a range of ``characters`` and puts the cursor behind the new text; what exceeds the limit is left out.
    ///
    /// The range must be inside the text. O(n) in the length of the new text and the replaced one; what stands behind is moved as bytes.
    ///
    /// - Parameters:
    ///   - range: the characters to replace.
    ///   - text: the text.
    public mutating func replace(_ range: Range<Int>, with text: String) {
        let room = max(0, Self.maxCharacters - characters.count + range.count)
        isCut = !text.dropFirst(room).isEmpty
        let inserted = text.prefix(room).map { $0.isNewline ? (maxLines > 1 ? "\n" : " ") : $0 }
        guard !inserted.isEmpty || !range.isEmpty else { return }
        beginEdit(isTyping: range.isEmpty && inserted.count == 1 && !inserted[0].isWhitespace)
        splice(range, String(inserted))
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
        beginEdit(isTyping: false)
        if keep { killed = Array(characters[range]) }
        splice(range, "")
    }

    /// Replaces characters and puts the cursor behind the new ones. If the last of them joins the character after it, the cursor goes behind both.
    ///
    /// Where a character ends, the rest of a text divides into characters as if it began there. So the new text is divided together with the
    /// character before it, which a mark joins, and with those after it only until a character ends where one ended before.
    private mutating func splice(_ range: Range<Int>, _ text: String) {
        let start = max(0, range.lowerBound - 1)
        var joined = Array(String(characters[start..<range.lowerBound]) + text)
        let place = start + joined.count
        var end = range.upperBound
        while let last = joined.last, end < characters.count {
            let both = Array(String(last) + String(characters[end]))
            if both[0].utf8.count == last.utf8.count { break }
            joined.replaceSubrange(joined.count - 1..<joined.count, with: both)
            end += 1
        }
        note(Edit.Step(place: start, old: characters[start..<end], new: joined))
        historyIndex = nil
        characters.replaceSubrange(start..<end, with: joined)
        cursor = place
    }
}
