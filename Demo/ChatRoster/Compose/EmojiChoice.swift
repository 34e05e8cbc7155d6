import LiveTable

/// The choice of an emoji for a reaction, by a few letters of its name.
struct EmojiChoice: Hashable, Sendable {
    /// Those that are offered before anything is typed.
    private static let usual = ["+1", "heart", "joy", "tada", "eyes", "thinking", "clap", "-1"]
    /// The most that are offered.
    private static let limit = 8

    var line = PromptLine(Question.emoji)
    private var selected = 0

    enum Question: PromptQuestion {
        case emoji
        var label: String { " react: " }
    }

    /// Names, the best first. A name may be typed with its colons.
    var found: [String] {
        let letters = line.field.text.trimmed.filter { $0 != ":" }.lowercased()
        if letters.isEmpty { return Self.usual.filter { EmojiNames.picture(of: $0) != nil } }
        let beginning = EmojiNames.names(startingWith: letters)
        let others = EmojiNames.all.filter { $0.contains(letters) && !$0.hasPrefix(letters) }
        return Array((beginning + others).prefix(Self.limit))
    }

    var chosenName: String? {
        let found = found
        return found.isEmpty ? nil : found[min(selected, found.count - 1)]
    }

    /// The emoji: one that was typed itself, or that of the chosen name.
    var choice: String? {
        let typed = line.field.text.trimmed
        // Digits are emoji only with what makes keys of them.
        let scalars = typed.unicodeScalars
        if typed.count == 1, scalars.first!.properties.isEmoji, scalars.first!.value > 0x7F || scalars.count > 1 {
            return typed
        }
        return chosenName.flatMap(EmojiNames.picture)
    }

    mutating func move(by step: Int) {
        let count = found.count
        if count > 0 { selected = (min(selected, count - 1) + step + count) % count }
    }

    mutating func typed() { selected = 0 }
}
