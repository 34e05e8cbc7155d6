/// How well a text matches letters typed in their order, for lists in which the user goes to something by name.
///
/// Letters at the beginning of words, letters that follow each other, and short texts are better: `ab` finds `alice, bob`
/// before `crab`. Upper and lower case are alike.
public struct FuzzyMatch: Hashable, Sendable {
    /// The greater, the better.
    public let score: Int
    /// The indexes of the matching characters, ascending.
    public let places: [Int]

    /// The most characters of a text that are looked at.
    private static let maxCharacters = 256
    /// The most letters that are looked for.
    private static let maxLetters = 32

    /// Compares a text; nil if it does not have all letters in their order. Blanks of the pattern are ignored, and an empty
    /// one matches everything. Cost: the product of both lengths.
    ///
    /// - Parameters:
    ///   - pattern: the letters in their order.
    ///   - text: the text to compare.
    public init?(_ pattern: String, in text: String) {
        let letters = pattern.lowercased().filter { !$0.isWhitespace }.prefix(Self.maxLetters).map { $0 }
        let characters = text.prefix(Self.maxCharacters).map {
            Character(String($0).lowercased().prefix(1).description)
        }
        guard !letters.isEmpty else {
            (score, places) = (0, [])
            return
        }
        let values = Self.values(of: Array(text.prefix(Self.maxCharacters)))
        // best[j][i]: the best score with letter j at character i.
        var best = Array(repeating: Array(repeating: Int?.none, count: characters.count), count: letters.count)
        var origins = Array(repeating: Array(repeating: -1, count: characters.count), count: letters.count)
        for (row, letter) in letters.enumerated() {
            var earlier: (score: Int, index: Int)?
            for index in characters.indices {
                if row > 0, index >= 2, let score = best[row - 1][index - 2], score > earlier?.score ?? .min {
                    earlier = (score, index - 2)
                }
                guard characters[index] == letter else { continue }
                if row == 0 {
                    best[row][index] = values[index]
                    continue
                }
                let joined = index > 0 ? best[row - 1][index - 1].map { $0 + Self.adjacent } : nil
                if let joined, joined >= earlier?.score ?? .min {
                    best[row][index] = joined + values[index]
                    origins[row][index] = index - 1
                } else if let earlier {
                    best[row][index] = earlier.score + values[index]
                    origins[row][index] = earlier.index
                }
            }
        }
        let ends = characters.indices.filter { best[letters.count - 1][$0] != nil }
        guard var place = ends.max(by: { best[letters.count - 1][$0]! < best[letters.count - 1][$1]! }) else {
            return nil
        }
        score = best[letters.count - 1][place]! - characters.count / 8
        var found = [place]
        for row in stride(from: letters.count - 1, to: 0, by: -1) {
            place = origins[row][place]
            found.append(place)
        }
        places = found.reversed()
    }

    private static let adjacent = 8

    /// What a match of each character is worth: more at the beginning of the text and of words.
    private static func values(of characters: [Character]) -> [Int] {
        characters.indices.map { index in
            if index == 0 { return 10 }
            let (before, here) = (characters[index - 1], characters[index])
            let beginsWord = !before.isLetter && !before.isNumber || before.isLowercase && here.isUppercase
            return beginsWord ? 8 : 1
        }
    }
}
