extension TextField {
    /// The most changes that can be undone.
    static let mostPast = 100

    /// A text before a change. A string takes a tenth of the memory of its characters.
    struct Edit: Hashable, Sendable {
        var text: String
        var cursor: Int
    }

    /// Takes back the last change; the characters of a word typed in one go are one change. Returns false if there is
    /// none left.
    @discardableResult
    public mutating func undo() -> Bool {
        guard let edit = past.popLast() else { return false }
        characters = Array(edit.text)
        cursor = min(edit.cursor, characters.count)
        historyIndex = nil
        isTyping = false
        return true
    }

    /// Keeps the present text before a change.
    mutating func remember(isTyping: Bool) {
        let continues = isTyping && self.isTyping
        self.isTyping = isTyping
        if continues { return }
        if past.count >= Self.mostPast { past.removeFirst() }
        past.append(Edit(text: text, cursor: cursor))
    }
}
