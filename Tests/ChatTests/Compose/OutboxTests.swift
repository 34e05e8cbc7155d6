import Foundation
import Testing

@testable import ChatRoster

/// What was sent goes on in its order, one commit at a time.
@Suite struct OutboxTests {
    private func outbox(_ texts: String...) -> Outbox {
        var outbox = Outbox()
        for text in texts { outbox.add(sending(text)) }
        return outbox
    }

    private func sending(_ text: String) -> Sending {
        Sending(id: text, person: "alice", conversation: "#tea", draft: Draft(text: text), date: Date())
    }

    @Test func oneCommitTakesAllThatWaitsAndTheNextOneTheRest() {
        var outbox = outbox("a", "b")
        #expect(outbox.next(again: false, at: 1).map(\.id) == ["a", "b"])
        outbox.add(sending("c"))
        #expect(outbox.next(again: true, at: 1).isEmpty && outbox.isSending)
        outbox.remove("a")
        outbox.remove("b")
        #expect(outbox.next(again: false, at: 1).map(\.id) == ["c"])
        outbox.remove("c")
        #expect(outbox.isEmpty && !outbox.isSending)
    }

    @Test func nothingOvertakesWhatWasNotSent() {
        var outbox = outbox("a")
        _ = outbox.next(again: false, at: 1)
        outbox.add(sending("b"))
        outbox.fail("away", at: 1)
        outbox.add(sending("c"))
        #expect(outbox.sendings.map(\.failure) == ["away", "away", "away"])
        #expect(outbox.next(again: false, at: 1).isEmpty)
        #expect(outbox.next(again: true, at: 2).map(\.id) == ["a", "b", "c"])
    }

    @Test func whatFailsIsTriedLessAndLessOften() {
        var outbox = outbox("a")
        var pauses: [Double] = []
        for _ in 0..<6 {
            _ = outbox.next(again: true, at: 0)
            outbox.fail("away", at: 0)
            pauses.append(outbox.retryTime ?? -1)
        }
        #expect(pauses == [1, 2, 4, 8, 15, 15])
        outbox.succeed()
        _ = outbox.next(again: true, at: 0)
        outbox.fail("away", at: 0)
        #expect(outbox.retryTime == 1)
    }

    @Test func whatIsRefusedStaysAndKeepsNothingElse() {
        var outbox = outbox("a", "b")
        _ = outbox.next(again: false, at: 1)
        outbox.putBack(sending("a").refused("deleted meanwhile"))
        outbox.remove("b")
        outbox.add(sending("c"))
        #expect(outbox.sendings.map(\.failure) == ["deleted meanwhile", nil] && outbox.retryTime == nil)
        #expect(outbox.next(again: false, at: 1).map(\.id) == ["c"])
        outbox.remove("c")
        outbox.retryRefused()
        #expect(outbox.next(again: true, at: 2).map(\.id) == ["a"])
    }

    @Test func whatWasSentAndIsRefusedLaterComesBackOnce() {
        var outbox = outbox("a", "b")
        _ = outbox.next(again: false, at: 1)
        outbox.remove("a")
        outbox.putBack(sending("a").refused("may not write"))
        // A chat that ended between keeping it and forgetting the refusal hears of it again.
        outbox.putBack(sending("a").refused("may not write"))
        #expect(outbox.sendings.map(\.id) == ["b", "a"])
        #expect(outbox.sendings.map(\.failure) == [nil, "may not write"] && outbox.retryTime == nil)
    }

    @Test func withoutTheServerItWaitsUntilItIsToldToTry() {
        var outbox = outbox("a")
        outbox.wait("offline")
        #expect(outbox.reason == "offline" && outbox.retryTime == nil)
        outbox.wait("refused")
        #expect(outbox.reason == "refused")
        outbox.tryAgain(at: 5)
        #expect(outbox.retryTime == 5 && outbox.next(again: true, at: 5).count == 1)
        // A commit that is on its way says itself how it ends.
        outbox.tryAgain(at: 6)
        outbox.wait("offline")
        #expect(outbox.retryTime == nil && outbox.reason == nil)
    }

    @Test func onlyWhatIsNotOnItsWayIsTakenBack() {
        var outbox = outbox("a", "b")
        #expect(outbox.takeBack(from: "#tea") == nil)
        outbox.fail("away", at: 1)
        #expect(outbox.takeBack(from: "#other") == nil)
        #expect(outbox.takeBack(from: "#tea")?.id == "b")
        _ = outbox.next(again: true, at: 2)
        #expect(outbox.takeBack(from: "#tea") == nil)
    }
}
