import TableModel
import Testing

@Suite struct FuzzyMatchTests {
    @Test func lettersMatchInTheirOrder() {
        #expect(FuzzyMatch("abc", in: "a big cat")?.places == [0, 2, 6])
        #expect(FuzzyMatch("CB", in: "a big cat") == nil)
        #expect(FuzzyMatch("GEN ral", in: "#general")?.places == [1, 2, 3, 5, 6, 7])
        #expect(FuzzyMatch("", in: "anything")?.score == 0)
        #expect(FuzzyMatch("x", in: "") == nil)
    }

    @Test func beginningsAndNeighboursAreBetter() {
        #expect(best("ab", of: ["crab", "alice, bob", "a long abbey"]) == "alice, bob")
        #expect(best("bo", of: ["about", "bob", "cab order"]) == "bob")
        #expect(best("gen", of: ["green engine", "general", "a general"]) == "general")
        #expect(best("da", of: ["Adam", "Dan", "Carol and Dan"]) == "Dan")
    }

    @Test func theChosenPlacesAreAlwaysTheLetters() {
        var random = SplitMix64(seed: 5)
        for _ in 0..<500 {
            let text = (0..<random.below(30)).map { _ in ["a", "b", "C", " ", "é", "漢"][random.below(6)] }.joined()
            let pattern = (0..<1 + random.below(4)).map { _ in ["a", "b", "c", "é"][random.below(4)] }.joined()
            let isSubsequence =
                pattern.reduce(into: Array(text.lowercased())[...] as ArraySlice<Character>?) { rest, letter in
                    rest = rest.flatMap { rest in rest.firstIndex(of: letter).map { rest[($0 + 1)...] } }
                } != nil
            let match = FuzzyMatch(pattern, in: text)
            #expect((match != nil) == isSubsequence, "\(pattern) in \(text)")
            guard let match else { continue }
            let characters = Array(text.lowercased())
            #expect(String(match.places.map { characters[$0] }) == pattern)
            #expect(match.places == match.places.sorted() && Set(match.places).count == match.places.count)
        }
    }

    private func best(_ pattern: String, of texts: [String]) -> String? {
        texts.max { (FuzzyMatch(pattern, in: $0)?.score ?? .min) < (FuzzyMatch(pattern, in: $1)?.score ?? .min) }
    }
}
