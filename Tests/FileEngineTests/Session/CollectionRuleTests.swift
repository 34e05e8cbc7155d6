import Foundation
import ListChanges
import SeededRandom
import Testing

@testable import FileEngine

/// The text of a rule is what the encoder writes, which is not asked.
@Suite struct CollectionRuleTests {
    private func encoded(_ rule: CollectionRule) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(rule), as: UTF8.self)
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func theTextIsThatOfTheEncoder(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let pieces = [
            "books", "a b", "\"", "\\", "/", "\n", "\t", "\r", "\u{8}", "\u{c}", "\u{0}", "\u{1}", "\u{1f}", "\u{b}",
            "\u{7f}", "ä", "𝄞", "", "~", "\u{10FFFD}x", "'", "\u{2028}",
            "\u{85}", "e\u{301}", "\u{FFFF}",
        ]
        func name() -> String {
            (0..<random.below(4)).map { _ in pieces[random.below(random.percent(70) ? 2 : pieces.count)] }.joined()
        }
        for _ in 0..<500 {
            let (names, tag) = ((0..<random.below(4)).map { _ in name() }, name())
            let set = Set(names.map { ExactString($0) })
            let rule = random.percent(50) ? CollectionRule(only: set, tag: tag) : CollectionRule(allBut: set, tag: tag)
            guard let rule else { continue }
            #expect(try rule.text == encoded(rule), "seed \(seed)")
            #expect(CollectionRule(rule.text, tag: tag) == rule, "seed \(seed)")
        }
        #expect(CollectionRule(only: [ExactString("books")], tag: "1")?.text == #"{"only":["books"],"tag":"1"}"#)
    }
}
