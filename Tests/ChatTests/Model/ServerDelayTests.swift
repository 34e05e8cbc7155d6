import Foundation
import Testing

@testable import ChatRoster

@Suite struct ServerDelayTests {
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)

    @Test(arguments: [
        (80, "offline for 12 min, next try in 4 s (Alt-E: why)"), (40, "offline for 12 min, next try in 4 s"),
        (30, "offline 12m, try 4s"), (19, "offline 12m, try 4s"), (18, "offline 12m"), (10, "offline"),
    ])
    func theLongestLineThatFitsIsShown(width: Int, line: String) {
        #expect(delay(past: 750, rest: 3.5).line(at: Self.now, key: "Alt-E", width: width) == line)
    }

    /// Each kind of time has its longest number.
    @Test(arguments: [59, 3_599, 86_399, 86_400 * 99] as [Double], [nil, -1, 6] as [Double?])
    func oneFitsInTwentyColumns(past: Double, rest: Double?) {
        let line = delay(past: past, rest: rest).line(at: Self.now, key: "Alt-E", width: 19)
        #expect(line.hasPrefix("offline ") && line.contains(/\d/) && line.count <= 19, "\(line)")
        #expect(line.contains("try") == (rest != nil), "\(line)")
    }

    @Test func whatHasNoTimeSaysWhatItIs() {
        let delay = ServerDelay("refused", reason: "It has lost rows.", mayWrite: false)
        #expect(delay.line(at: Self.now, key: "!", width: 40) == "refused (!: why)")
        #expect(delay.line(at: Self.now, key: "!", width: 10) == "refused")
        let asked = self.delay(past: 3, rest: -1)
        #expect(asked.line(at: Self.now, key: "!", width: 40) == "offline for 3 s, trying now (!: why)")
        #expect(self.delay(past: -5, rest: nil).line(at: Self.now, key: "!", width: 10) == "offline 0s")
    }

    private func delay(past: Double, rest: Double?) -> ServerDelay {
        ServerDelay(
            "offline", reason: "", mayWrite: false, since: Self.now - past, nextTry: rest.map { Self.now + $0 })
    }
}
