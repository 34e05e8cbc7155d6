import Foundation
import TerminalCells
import Testing

@testable import TerminalScreen

/// Random bytes in random portions. `YAP_FUZZ=1` runs for `YAP_FUZZ_SECONDS` seconds instead of a few thousand rounds.
@Suite struct InputParserFuzzTests {
    @Test func theEventsDoNotDependOnThePortions() {
        forEachRound { random in
            let bytes = randomInput(&random)
            var whole = InputParser()
            let expected = whole.feed(bytes, at: 0)
            var cut = InputParser()
            var events: [InputEvent] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let portion = rest.prefix(Int.random(in: 0...7, using: &random))
                events += cut.feed(portion, at: 0)
                rest = rest.dropFirst(portion.count)
            }
            return events == expected && cut.deadline == whole.deadline
                && cut.expire(at: .infinity) == whole.expire(at: .infinity) ? nil : bytes
        }
    }

    @Test func whateverCameBeforeAKeyIsHeardInTheEnd() {
        forEachRound { random in
            let bytes = randomInput(&random)
            var parser = InputParser()
            _ = parser.feed(bytes, at: 0)
            _ = parser.expire(at: .infinity)
            return parser.feed("q".utf8, at: 0) == [.key("q")] && parser.deadline == nil ? nil : bytes
        }
    }

    @Test func noControlCharacterGetsIntoText() {
        forEachRound { random in
            let bytes = randomInput(&random)
            var parser = InputParser()
            let events = parser.feed(bytes, at: 0) + parser.expire(at: .infinity)
            return events.allSatisfy(isHarmless) ? nil : bytes
        }
    }

    private func isHarmless(_ event: InputEvent) -> Bool {
        let text =
            switch event {
            case .key(.character(let character), _): String(character)
            case .paste(let text, _): text
            default: ""
            }
        return text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control || $0 == "\n" || $0 == "\t" }
    }

    /// Runs rounds, each with its own seed; a failing round returns the bytes that caused the failure.
    private func forEachRound(_ round: (inout SplitMix64) -> [UInt8]?) {
        let environment = ProcessInfo.processInfo.environment
        let seconds = environment["YAP_FUZZ"] == nil ? nil : Double(environment["YAP_FUZZ_SECONDS"] ?? "60")
        let end = seconds.map { Date.now.addingTimeInterval($0) }
        var seed: UInt64 = end == nil ? 0 : .random(in: 0...UInt64.max / 2)
        let first = seed
        while end.map({ Date.now < $0 }) ?? (seed < first + 3000) {
            var random = SplitMix64(seed: seed)
            if let bytes = round(&random) {
                Issue.record("Seed \(seed): \(bytes)")
                return
            }
            seed += 1
        }
    }

    /// Returns bytes that are likely to begin, end and break sequences.
    private func randomInput(_ random: inout SplitMix64) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 1...40, using: &random) {
            switch Int.random(in: 0..<10, using: &random) {
            case 0: bytes.append(.random(in: 0...255, using: &random))
            case 1, 2: bytes.append(0x1B)
            case 3: bytes += Array("\u{1B}[".utf8)
            case 4: bytes += Array((Self.fragments.randomElement(using: &random) ?? "").utf8)
            case 5: bytes += Array("\u{1B}[200~".utf8)
            case 6: bytes += Array("\u{1B}[201~".utf8)
            case 7: bytes.append(Array("[]OPX^_<?M;:$~mABCRSIhyu".utf8).randomElement(using: &random) ?? 0)
            case 8: bytes += Array("\(Int.random(in: 0...300, using: &random))".utf8)
            default: bytes += Array((Self.letters.randomElement(using: &random) ?? "").utf8)
            }
        }
        return bytes
    }

    private static let fragments = [
        "\u{1B}[<0;1;1M", "\u{1B}[M   ", "\u{1B}OP", "\u{1B}[[A", "\u{1B}]52;c;\u{07}", "\u{1B}\\", "\u{1B}[?2026;1$y",
        "\r\n",
    ]
    private static let letters = ["a", "ä", "你", "🎈", "e\u{301}", "\u{85}", "\u{7F}"]
}
