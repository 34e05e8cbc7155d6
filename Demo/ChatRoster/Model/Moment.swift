import Foundation

/// Where a message stands in its conversation, and what its writer's clock said.
///
/// Messages are ordered by a hybrid clock: a place is the writer's time where that is possible, and after every place that the writer knows in
/// any case. So an answer stands after what it answers, whatever the clocks say. A place is a date because rows of earlier releases have
/// only that; it is never shown as one where the writer's clock said something else.
///
/// - A clock that is ahead moves the order by at most ``bound``. Further messages move it by a day for each minute that passes on that clock,
///   so that a conversation that was silent for weeks is back at the present within minutes, and a clock that is wrong for a second
///   is forgotten after a day. A clock that contradicts the last one moves the order by ``bound`` from what that one said.
/// - A clock that is behind moves nothing: what it writes comes directly after the last message.
/// - No clock leads beyond the year 4000. After a row that another program placed there, the next ones follow it as directly as a date can.
struct Moment: Hashable, Sendable {
    /// The most seconds by which one message moves the order.
    static let bound = 86_400.0
    /// Seconds by which clocks may differ and count as equal.
    static let tolerance = 60.0
    /// How many seconds the order is moved for each second of a clock that goes on: a day a minute.
    private static let pace = bound / 60
    /// Seconds between places that no clock keeps apart.
    static let step = 0.001

    var place: Date
    /// What the clock said; nil where it is the place.
    var said: Date?

    /// The moment of a message that is written after another one.
    /// - Parameters:
    ///   - known: the last moment that the writer knows; nil if there is none.
    ///   - clock: what the writer's clock says.
    static func next(after known: Moment?, at clock: Date) -> Moment {
        guard let known else { return Moment(place: clock) }
        let later = known.place.addingTimeInterval(step)
        // Far away dates have larger steps.
        let least =
            later > known.place
            ? later : Date(timeIntervalSinceReferenceDate: known.place.timeIntervalSinceReferenceDate.nextUp)
        let place = max(least, min(clock, known.limit(at: clock), .distantFuture))
        return Moment(place: place, said: abs(clock.timeIntervalSince(place)) > tolerance ? clock : nil)
    }

    /// The last place that the next message may have by a clock.
    private func limit(at clock: Date) -> Date {
        guard let said else { return place.addingTimeInterval(Self.bound) }
        if said > place {
            let passed = clock.timeIntervalSince(said)
            let isSameClock = passed > -Self.tolerance
            return place.addingTimeInterval(isSameClock ? min(Self.bound, max(0, passed) * Self.pace) : Self.bound)
        }
        // The place may be that of a clock that was ahead, by `bound` at most. What is further behind is a wrong clock itself.
        let isPlausible = place.timeIntervalSince(said) <= 2 * Self.bound
        return (isPlausible ? said : place).addingTimeInterval(Self.bound)
    }
}

extension Message {
    var moment: Moment { Moment(place: date, said: said) }

    /// When it was written, by the writer's clock.
    var time: Date { said ?? date }
}

/// How the time of a message is shown, which depends on those beside it.
///
/// The writer's time is plausible unless the reader's clock or other messages are against it: it is in the future, days before the message's
/// place, or not between the times of both neighbours although these are in order.
struct ShownTime: Hashable, Sendable {
    /// Seconds by which times may differ without one of them being wrong.
    static let tolerance = 600.0
    /// How many messages before one are looked at.
    static let reach = 3

    /// Whether the writer's clock was wrong.
    let isDoubtful: Bool
    /// The last plausible time before the message.
    private(set) var before: Date?

    /// - Parameters:
    ///   - now: the reader's clock.
    ///   - neighbor: the message so many places away; nil beyond the ends.
    init(_ message: Message, now: Date, neighbor: (Int) throws -> Message?) rethrows {
        var after = try neighbor(1)
        isDoubtful = try Self.isDoubtful(message, between: neighbor(-1), after, now: now)
        after = message
        for offset in 1..<Self.reach {
            guard let other = try neighbor(-offset) else { break }
            if try !Self.isDoubtful(other, between: neighbor(-offset - 1), after, now: now) {
                before = other.time
                break
            }
            after = other
        }
    }

    static func isDoubtful(_ message: Message, between before: Message?, _ after: Message?, now: Date) -> Bool {
        if message.time > now.addingTimeInterval(tolerance) || isDaysBehind(message, now: now) { return true }
        guard let before, let after, !isDaysBehind(after, now: now) else { return false }
        let (earliest, latest) = (before.time, after.time.addingTimeInterval(tolerance))
        return earliest <= latest && (message.time < earliest.addingTimeInterval(-tolerance) || message.time > latest)
    }

    /// Whether a clock is further behind the message's place than a clock that was ahead can have moved that.
    private static func isDaysBehind(_ message: Message, now: Date) -> Bool {
        message.date <= now.addingTimeInterval(Moment.bound)
            && message.date.timeIntervalSince(message.time) > 2 * Moment.bound
    }
}
