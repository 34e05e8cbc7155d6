import Foundation
import Testing

@testable import YapDatabaseServer

/// What the process that follows leaves for others of its host.
@Suite struct StateLineTests {
    private static let since = Date(timeIntervalSince1970: 1_700_000_000.25)

    @Test(arguments: [
        YapDatabaseServerState.connecting, .live, .catchingUp(rows: 3, total: 40), .refused(reason: "no right, 1 2"),
        .offline(since: since, nextTry: since + 4.5, reason: "it 7 said, no"),
        .offline(since: since, nextTry: nil, reason: "it hangs"),
    ])
    func aStateComesBackFromItsLine(state: YapDatabaseServerState) {
        #expect(YapDatabaseServerState(line: state.line) == state)
    }

    @Test func linesOfAnEarlierReleaseAreReadAndNonsenseIsNot() {
        let earlier = YapDatabaseServerState(line: "offline 1700000000.25 it 7 said, no")
        #expect(earlier == .offline(since: Self.since, nextTry: nil, reason: "it 7 said, no"))
        for line in ["", "offline", "offline x y", "offline ,5 y", "catching 1", "asleep"] {
            #expect(YapDatabaseServerState(line: line) == nil, "\(line)")
        }
    }
}
