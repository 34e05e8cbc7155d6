import Foundation
import Testing

@testable import YapDatabase

@Suite struct ManualClockTests {
    @Test func blocksAreCalledInTheOrderOfTheirDatesWhenTheClockGetsThere() {
        let clock = YapManualClock()
        let called = Locked<[Int]>([])
        for number in [3, 1, 2, 9] {
            clock.wake(at: clock.now + Double(number)) { called.withLock { $0.append(number) } }
        }
        #expect(called.withLock { $0 } == [])
        clock.advance(by: 2)
        #expect(called.withLock { $0 } == [1, 2])
        clock.set(to: clock.now + 5)
        #expect(called.withLock { $0 } == [1, 2, 3] && clock.now.timeIntervalSinceReferenceDate == 7)
        // A date that has passed is due at once.
        clock.wake(at: clock.now) { called.withLock { $0.append(0) } }
        #expect(called.withLock { $0 } == [1, 2, 3, 0])
    }

    @Test func aClockThatIsSetBackCallsNothingTwice() {
        let clock = YapManualClock(Date(timeIntervalSinceReferenceDate: 10))
        let called = Locked(0)
        clock.wake(at: Date(timeIntervalSinceReferenceDate: 12)) { called.withLock { $0 += 1 } }
        clock.set(to: Date(timeIntervalSinceReferenceDate: 5))
        clock.advance(by: 6)
        #expect(called.withLock { $0 } == 0)
        clock.advance(by: 1)
        clock.advance(by: 1)
        #expect(called.withLock { $0 } == 1)
    }

    @Test func aClockThatIsSetBackCallsWhatWantsToKnow() {
        let clock = YapManualClock(Date(timeIntervalSinceReferenceDate: 10))
        let called = Locked(0)
        clock.wakeEarly(ifSetBackBefore: Date(timeIntervalSinceReferenceDate: 12)) { called.withLock { $0 += 1 } }
        clock.advance(by: 1)
        #expect(called.withLock { $0 } == 0)
        clock.set(to: Date(timeIntervalSinceReferenceDate: 5))
        #expect(called.withLock { $0 } == 1)
        clock.advance(by: 10)
        #expect(called.withLock { $0 } == 1)
    }
}
