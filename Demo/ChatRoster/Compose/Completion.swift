import LiveTable

/// The words that Tab puts in place of the one before the cursor, one after the other.
struct Completion: Hashable, Sendable {
    private let start: Int
    private let candidates: [String]
    private var next = 0
    /// The text after the last completion; typing ends the cycle.
    private var text = ""

    /// The candidates for the word before the cursor; nil if there are none.
    init?(of field: TextField, names: [String], emoji: [String] = []) {
        let before = field.characters[..<field.cursor]
        let start = before.lastIndex(where: \.isWhitespace).map { $0 + 1 } ?? 0
        let word = String(before[start...])
        guard let first = word.first else { return nil }
        let isLine = start == 0
        let lower = word.lowercased()
        switch first {
        case "/" where isLine:
            candidates = ChatCommand.all.map { "/\($0.name) " }.filter { $0.hasPrefix(lower) }
        case ":" where word.count > 1:
            candidates = emoji.map { ":\($0): " }.filter { $0.hasPrefix(lower) }
        case "@": candidates = names.map { "@\($0) " }.filter { $0.lowercased().hasPrefix(lower) }
        default:
            candidates = names.filter { $0.lowercased().hasPrefix(lower) }.map { isLine ? "\($0): " : "\($0) " }
        }
        if candidates.isEmpty { return nil }
        self.start = start
    }

    /// Puts the next candidate in place of the word, or returns false if the text was changed since.
    mutating func complete(_ field: inout TextField) -> Bool {
        guard text.isEmpty || field.text == text else { return false }
        while field.cursor > start { field.deleteBackward() }
        field.insert(candidates[next])
        next = (next + 1) % candidates.count
        text = field.text
        return true
    }
}
