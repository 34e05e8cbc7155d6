import Foundation
import Testing

@testable import ByteFormats

@Suite struct JSONFoundationTests {
    /// Foundation reads our output, we read Foundation's, and the value is the same.
    @Test func randomValuesSurviveTheWayThroughFoundation() throws {
        for seed in 1...400 as ClosedRange<UInt64> {
            var random = SplitMix64(seed: seed)
            let value = JSON.random(depth: 4, &random)
            let object = try JSONSerialization.jsonObject(with: Data(value.bytes), options: .fragmentsAllowed)
            let back = try JSONReader.read(Array(Self.text(object)))
            #expect(back.sorted == value.sorted, "seed \(seed): \(value)")
        }
    }

    @Test func theLargestNumbersSurviveTheWayThroughFoundation() throws {
        let value: JSON = [.integer(.max), .integer(.min)]
        let object = try JSONSerialization.jsonObject(with: Data(value.bytes))
        #expect(try JSONReader.read(Array(Self.text(object))) == value)
    }

    @Test func whatIsWrittenIsReadBackAsItWas() throws {
        for seed in 1...400 as ClosedRange<UInt64> {
            var random = SplitMix64(seed: seed)
            let value = JSON.random(depth: 5, &random)
            #expect(try JSONReader.read(value.bytes) == value, "seed \(seed): \(value)")
        }
    }

    /// A text with one changed byte is refused by both, or has the same meaning for both.
    @Test func weAndFoundationRefuseTheSameDamage() throws {
        for seed in 1...2_000 as ClosedRange<UInt64> {
            var random = SplitMix64(seed: seed)
            var bytes = JSON.random(depth: 3, &random).bytes
            bytes[random.below(bytes.count)] = random.pick(Array(#"{}[]",:\0159-+.eEtfnu x"#.utf8))
            let ours = try? JSONReader.read(bytes)
            let object = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
            let text = String(decoding: bytes, as: UTF8.self)
            guard let ours else {
                #expect(object == nil || Self.isTooLarge(text) || Self.hasTrailingComma(text), "seed \(seed): \(text)")
                continue
            }
            let theirs = try #require(object, "seed \(seed): \(text)")
            let again = try JSONSerialization.jsonObject(with: Data(ours.bytes), options: .fragmentsAllowed)
            #expect(try Self.text(theirs) == Self.text(again), "seed \(seed): \(text)")
        }
    }

    private static func text(_ object: Any) throws -> Data {
        try JSONSerialization.data(withJSONObject: object, options: [.fragmentsAllowed, .sortedKeys])
    }

    /// Whether Foundation may either read the number as infinity or refuse it.
    private static func isTooLarge(_ text: String) -> Bool { text.contains(/[eE]\+?[0-9]{3}/) }

    /// Whether the text has a trailing comma, as in `[1,]`: Foundation accepts it, although it is not JSON.
    private static func hasTrailingComma(_ text: String) -> Bool { text.contains(/,\s*[\]}]/) }
}

extension JSON {
    fileprivate static func random(depth: Int, _ random: inout SplitMix64) -> JSON {
        switch random.below(depth > 0 ? 9 : 6) {
        case 0: return .null
        case 1: return .bool(random.percent(50))
        case 2: return .integer(random.pick([0, 1, -1, 42, random.below(1_000_000)]))
        case 3: return .number(Double(random.below(1_000_000)) / 1024 + 0.5 / 1024)
        case 4, 5: return .string(text(&random))
        case 6: return .array((0..<random.below(4)).map { _ in .random(depth: depth - 1, &random) })
        default:
            return .object(
                (0..<random.below(4)).map { Member("\($0)" + text(&random), .random(depth: depth - 1, &random)) })
        }
    }

    private static func text(_ random: inout SplitMix64) -> String {
        let pieces = ["a", "\"", "\\", "/", "\n", "\u{1}", "\u{1F}", "é", "😀", "日本", " ", "k17", "\u{7F}", "\u{2028}"]
        return (0..<random.below(6)).map { _ in random.pick(pieces) }.joined()
    }
}
