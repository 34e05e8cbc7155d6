import Foundation
import LiveTable
import SeededRandom
import TestSupport
import Testing

@testable import ChatRoster

/// The order of messages whose writers' clocks are wrong.
@Suite struct MomentTests {
    private static let start = Date(timeIntervalSince1970: 1_795_000_000)
    private static let (day, decade) = (86_400.0, 315_360_000.0)

    private func at(_ seconds: Double) -> Date { Self.start.addingTimeInterval(seconds) }

    @Test func clocksThatAreRightAreTheOrder() {
        var known = Moment(place: at(0))
        for seconds in [1, 60, 3_600, 50_000, 130_000.0] {
            known = .next(after: known, at: at(seconds))
            #expect(known == Moment(place: at(seconds)))
        }
    }

    @Test func aClockThatIsTenYearsAheadForASecondMovesTheOrderByADay() {
        var known = Moment(place: at(0))
        // Any number of messages, of any number of people, in that second.
        for number in 1...1_000 {
            known = .next(after: known, at: at(Self.decade + Double(number) / 1_000))
            #expect(known.said == at(Self.decade + Double(number) / 1_000))
        }
        #expect(known.place <= at(Self.day + 1_440 + 1))
        let right = Moment.next(after: known, at: at(10))
        #expect(right.place > known.place && right.said == at(10))
        // The day is over.
        let later = Moment.next(after: right, at: at(Self.day + 2_000))
        #expect(later.said ?? later.place == at(Self.day + 2_000))
        #expect(Moment.next(after: later, at: at(Self.day + 2_002)) == Moment(place: at(Self.day + 2_002)))
    }

    @Test func aConversationThatWasSilentForWeeksIsBackAtThePresentWithinMinutes() {
        var known = Moment(place: at(0))
        let back = 20 * Self.day
        for minute in 0...20 {
            known = .next(after: known, at: at(back + 60 * Double(minute)))
            #expect(known.said ?? known.place == at(back + 60 * Double(minute)))
        }
        #expect(known == Moment(place: at(back + 1_200)))
    }

    @Test func aClockThatIsBehindMovesNothing() {
        var known = Moment(place: at(0))
        for number in 1...100 {
            known = .next(after: known, at: at(-Self.decade))
            #expect(known.place <= at(Double(number) * 0.0011) && known.said == at(-Self.decade))
        }
        #expect(Moment.next(after: known, at: at(300)) == Moment(place: at(300)))
    }

    /// Rows of earlier releases, which a clock that was ahead dated, and those that followed it.
    @Test func whatEarlierReleasesDatedTooLateDatesNothingElse() {
        let known = Moment(place: at(Self.decade))
        let next = Moment.next(after: known, at: at(0))
        #expect(next.place > known.place && next.said == at(0))
        let hostile = Moment(place: Date(timeIntervalSince1970: 1e300))
        let after = Moment.next(after: hostile, at: at(0))
        #expect(after.place > hostile.place && after.said == at(0))
    }

    /// Writers with clocks of all kinds beside a model that knows the true time.
    @Test func noClockMovesTheOrderFurtherThanTheBound() {
        for seed in 0..<UInt64(Effort.cases(2_000)) { play(seed: seed) }
    }

    private func play(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let offsets = (0..<4).map { _ in
            [0, 0, -7_200, 18_000, -Self.decade, Self.decade, 40 * Self.day].randomElement(using: &random)!
        }
        var (time, known, last) = (0.0, Moment(place: at(0)), Moment(place: at(0)))
        for number in 0..<200 {
            time += [0.001, 1, 30, 600, 20_000].randomElement(using: &random)!
            // Every other message is of a clock that is right.
            let offset = number.isMultiple(of: 2) ? 0 : offsets.randomElement(using: &random)!
            known = .next(after: known, at: at(time + offset))
            #expect(known.place > last.place, "seed \(seed)")
            #expect(known.place.timeIntervalSince(last.place) <= Moment.bound + 1, "seed \(seed)")
            #expect(
                known.place.timeIntervalSince(at(time)) <= Moment.bound + 2 * Moment.tolerance * 100, "seed \(seed)")
            let shown = known.said ?? known.place
            #expect(abs(shown.timeIntervalSince(at(time + offset))) <= Moment.tolerance, "seed \(seed)")
            last = known
        }
    }
}

/// What is shown of times.
@Suite struct ShownTimeTests {
    private static let now = Date(timeIntervalSince1970: 1_795_000_000)
    private static let decade = 315_360_000.0
    private let pair = Conversation("alice", "bob")

    /// Messages in their order, by what the writers' clocks said, in seconds from now; and which of them are doubtful.
    private func doubtful(_ clocks: [Double], now: Date = Self.now) -> [Int] {
        var known: Moment?
        let messages = clocks.enumerated().map { number, clock in
            let moment = Moment.next(after: known, at: Self.now.addingTimeInterval(clock))
            known = moment
            var message = Message("\(number)", in: pair, by: number.isMultiple(of: 2) ? "alice" : "bob")
            (message.date, message.said) = (moment.place, moment.said)
            return message
        }
        return messages.indices.filter { index in
            ShownTime(messages[index], now: now) { offset in
                messages.indices.contains(index + offset) ? messages[index + offset] : nil
            }.isDoubtful
        }
    }

    @Test func rightClocksAreNotDoubted() {
        #expect(doubtful([-9_000, -100, -99, -5]) == [])
        // After weeks without a message.
        #expect(doubtful([-9_000_000, -120, -60, 0]) == [])
        #expect(doubtful([-40_000_000, -30_000_000, -20_000_000, -10_000_000, -2]) == [])
    }

    @Test func aClockThatIsAheadIsDoubtedAndNotThoseAfterIt() {
        #expect(doubtful([-100, Self.decade, -50, -10]) == [1])
        #expect(doubtful([-100, Self.decade, Self.decade, -50]) == [1, 2])
        #expect(doubtful([Self.decade, -50]) == [0])
        // Long ago: no longer in the future, but between two that are in order.
        #expect(doubtful([-50_000_000, -40_000_000, -49_999_900]) == [1])
    }

    @Test func aClockThatIsBehindIsDoubted() {
        #expect(doubtful([-100, -Self.decade, -50]) == [1])
        #expect(doubtful([-100, -Self.decade]) == [1])
        #expect(doubtful([-100, -18_000, -50]) == [1])
        // One who reads with a clock that is ten years behind doubts what is ahead of it.
        #expect(doubtful([-100, -50], now: Self.now.addingTimeInterval(-Self.decade)) == [0, 1])
    }
}
