import TerminalCells
import TestSupport
import Testing

@Suite struct TextMeasureMiddleTests {
    @Test(
        arguments: [
            ("user-1234567890-0001", 20, "user-1234567890-0001"), ("user-1234567890-0001", 12, "user…90-0001"),
            ("abcdef", 3, "a…f"), ("abcdef", 2, "a…"), ("abcdef", 0, ""), ("日本語日本語", 7, "日…本語"),
        ])
    func beginningAndEndAreSeen(text: String, width: Int, shown: String) {
        #expect(TextMeasure().truncatedInMiddle(text, to: width) == shown)
    }

    @Test func aTextCutInTheMiddleIsNeverWider() {
        var random = SplitMix64(seed: 7)
        let letters = Array("abc日é👨‍👩‍👧\u{301}\t\u{1B}🇩🇪")
        for _ in 0..<2_000 {
            let text = String(
                (0..<Int.random(in: 0..<30, using: &random)).map { _ in letters.randomElement(using: &random)! })
            for level in UnicodeLevel.allCases {
                let measure = TextMeasure(level)
                let width = Int.random(in: 0..<30, using: &random)
                #expect(
                    measure.width(of: measure.truncatedInMiddle(text, to: width)) <= width,
                    "seed 7: \(text.debugDescription) in \(width)")
            }
        }
    }
}
