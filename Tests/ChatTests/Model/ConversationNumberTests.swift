import SeededRandom
import TestSupport
import Testing

@testable import ChatRoster

/// The numbers by which keys open conversations.
@Suite struct ConversationNumberTests {
    @Test func eachKeepsItsNumberAndOthersGetTheSmallestFreeOne() {
        let first = ConversationNumbers.completed([[:]], for: ["a", "b", "c"])
        #expect(first == ["a": 1, "b": 2, "c": 3])
        #expect(ConversationNumbers.completed([first], for: ["d", "c", "a"]) == ["a": 1, "c": 3, "d": 2])
        let many = (0..<12).map { "\($0)" }
        #expect(ConversationNumbers.completed([], for: many).values.sorted() == Array(1...9))
        // What is stored counts more than what another chat of the same person gave meanwhile.
        #expect(
            ConversationNumbers.completed([["a": 2], ["b": 2, "c": 7]], for: ["b", "a", "c"]) == [
                "a": 2, "b": 1, "c": 7,
            ])
    }

    @Test func whatAFileHasInsteadOfNumbersIsLeftOut() {
        #expect(
            ConversationNumbers.completed([["a": 0, "b": -1, "c": 10]], for: ["a", "b", "c"]) == [
                "a": 1, "b": 2, "c": 3,
            ])
        #expect(ConversationNumbers.completed([["a": 4, "b": 4]], for: ["b", "a"]) == ["b": 4, "a": 1])
    }

    /// Conversations come, go and change their order at random.
    @Test func noNumberMovesWhileItsConversationIsThere() {
        for seed in 0..<UInt64(Effort.isFull ? 300 : 20) {
            var random = SplitMix64(seed: seed)
            var (numbers, conversations): ([String: Int], [String]) = ([:], [])
            for step in 0..<60 {
                if conversations.isEmpty || Int.random(in: 0..<3, using: &random) > 0 {
                    conversations.append("\(step)")
                } else {
                    conversations.remove(at: Int.random(in: conversations.indices, using: &random))
                }
                conversations.shuffle(using: &random)
                let next = ConversationNumbers.completed([numbers], for: conversations)
                for id in conversations where numbers[id] != nil { #expect(next[id] == numbers[id], "seed \(seed)") }
                #expect(Set(next.values).count == min(9, conversations.count), "seed \(seed)")
                #expect(Set(next.keys).isSubset(of: conversations) && next.values.allSatisfy((1...9).contains))
                numbers = next
            }
        }
    }
}
