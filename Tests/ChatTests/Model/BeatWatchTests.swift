import Foundation
import Testing

@testable import ChatRoster

/// Presence, by the own clock.
@Suite struct BeatWatchTests {
    private let date = Date(timeIntervalSince1970: 1_000_000)

    private func beat(_ count: Int, typing: String? = nil, date: Date? = nil) -> Heartbeat {
        Heartbeat(person: "bob", session: "1", count: count, date: date ?? self.date, typing: typing)
    }

    @Test func whoStopsGivingSignsOfLifeIsOver() {
        var watch = BeatWatch()
        watch.note([beat(1)], at: 0, date)
        watch.note([beat(2)], at: 1, date)
        watch.note([beat(2)], at: 3, date)
        #expect(watch.over(at: 3.4).isEmpty && watch.alive(at: 3.4).count == 1)
        #expect(watch.over(at: 3.6).map(\.count) == [2] && watch.alive(at: 3.6).isEmpty)
        watch.note([beat(3)], at: 4, date)
        #expect(watch.over(at: 4).isEmpty)
        #expect(watch.nextEnd(after: 4) == 4 + Heartbeat.patience)
    }

    @Test func aSignOfLongAgoIsOverAtOnce() {
        var watch = BeatWatch()
        watch.note([beat(7, date: date.addingTimeInterval(-60))], at: 0, date)
        #expect(watch.over(at: 0).count == 1)
    }

    @Test func aClockThatIsWrongMakesNoOneSeemAbsent() {
        var watch = BeatWatch()
        // An hour behind: the first sign seems old, the next one counts.
        watch.note([beat(1, date: date.addingTimeInterval(-3600))], at: 0, date)
        watch.note([beat(2, date: date.addingTimeInterval(-3599))], at: 1, date)
        #expect(watch.alive(at: 1).count == 1)
        // An hour ahead.
        watch.note([beat(3, date: date.addingTimeInterval(3600))], at: 2, date)
        #expect(watch.alive(at: 2).count == 1 && watch.over(at: 5).count == 1)
    }

    @Test func whoIsTypingIsTypingWhileAlive() {
        var watch = BeatWatch()
        watch.note([beat(1, typing: "#tea")], at: 0, date)
        #expect(watch.typing(in: "#tea", besides: "alice", at: 1) == ["bob"])
        #expect(watch.typing(in: "#tea", besides: "bob", at: 1).isEmpty)
        #expect(watch.typing(in: "#lunch", besides: "alice", at: 1).isEmpty)
        #expect(watch.typing(in: "#tea", besides: "alice", at: 3).isEmpty)
    }

    @Test func whoHoldsALockIsAliveWithoutASignAndOverWhenItIsLetGo() {
        func held(_ session: String) -> Heartbeat {
            Heartbeat(person: "bob", session: session, count: 1, date: date.addingTimeInterval(-100), holds: true)
        }
        var watch = BeatWatch()
        watch.note([held("other"), held("own")], at: 0, date)
        watch.look(at: 0, own: "own") { $0 == "other" }
        #expect(watch.over(at: 0).isEmpty && watch.knows("bob/other") && !watch.knows("bob/none"))
        // The lock of another process is looked at each second, the own never.
        #expect(watch.nextEnd(after: 0) == Heartbeat.period)
        watch.look(at: 1, own: "own") { $0 == "other" }
        #expect(watch.alive(at: 3).count == 2)
        watch.look(at: 2, own: "own") { _ in false }
        #expect(watch.over(at: 2).map(\.session) == ["other"] && watch.alive(at: 1_000_000).map(\.session) == ["own"])
        #expect(watch.nextEnd(after: 2) == nil)
    }

    @Test func whoIsStoppedKeepsTheLockAndIsOverAfterMinutes() {
        func sign(_ count: Int) -> Heartbeat {
            Heartbeat(person: "bob", session: "1", count: count, date: date, holds: true)
        }
        var watch = BeatWatch()
        func isAlive(at time: Double) -> Bool {
            watch.look(at: time, own: "own") { _ in true }
            return watch.over(at: time).isEmpty
        }
        watch.note([sign(1)], at: 0, date)
        #expect(isAlive(at: Heartbeat.periodWithLock) && isAlive(at: Heartbeat.patienceWithLock))
        #expect(!isAlive(at: Heartbeat.patienceWithLock + 1))
        watch.note([sign(2)], at: 200, date)
        #expect(isAlive(at: 201))
    }
}
