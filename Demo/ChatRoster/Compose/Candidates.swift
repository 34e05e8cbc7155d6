/// The words that Tab puts in place of the one before the cursor.
enum Candidates {
    /// Commands and names at the beginning, mentions, rooms and names of emoji anywhere.
    ///
    /// - Parameter isFirst: whether the word stands at the beginning of the text.
    static func of(_ word: String, isFirst: Bool, names: [String], emoji: [String] = [], rooms: [String] = [])
        -> [String]
    {
        let lower = word.lowercased()
        switch word.first {
        case "/" where isFirst: return ChatCommand.all.map { "/\($0.name) " }.filter { $0.hasPrefix(lower) }
        case ":" where word.count > 1: return emoji.map { ":\($0): " }.filter { $0.hasPrefix(lower) }
        case "#": return rooms.map { "\($0) " }.filter { $0.hasPrefix(lower) }
        case "@": return names.map { "@\($0) " }.filter { $0.lowercased().hasPrefix(lower) }
        default: return names.filter { $0.lowercased().hasPrefix(lower) }.map { isFirst ? "\($0): " : "\($0) " }
        }
    }
}
