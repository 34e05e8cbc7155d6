/// The numbers of a person's conversations, by which keys open them.
enum ConversationNumbers {
    /// One for each key that there is.
    static let all = 1...9

    /// The numbers of conversations: each keeps the one that it has, and the others get the smallest free ones, as long as there are some.
    /// - Parameters:
    ///   - known: numbers by conversation, those that count most first. What is no number, or given twice, is left out.
    ///   - conversations: all that there are. A number of another one is free.
    static func completed(_ known: [[String: Int]], for conversations: [String]) -> [String: Int] {
        var (numbers, free): ([String: Int], Set<Int>) = ([:], Set(all))
        for known in known {
            for id in conversations where numbers[id] == nil {
                if let number = known[id], free.remove(number) != nil { numbers[id] = number }
            }
        }
        for id in conversations where numbers[id] == nil {
            guard let number = free.min() else { break }
            numbers[id] = free.remove(number)
        }
        return numbers
    }
}
