import SeededRandom

/// The events of simulated buddies and their times: a function of the seed and of the messages sent to them.
///
/// Time is an argument, in seconds of any monotonic clock.
struct Script: Sendable {
    enum Event: Hashable, Sendable {
        case presence(buddy: String, Presence, status: String)
        case typing(buddy: String, Bool)
        case message(buddy: String, String)
        /// The buddy deletes its last message.
        case deletion(buddy: String)
    }

    private struct Entry {
        var time: Double
        var event: Event
    }

    private var random: SplitMix64
    /// Ordered by time.
    private var agenda: [Entry] = []
    /// When a buddy next acts on its own.
    private var nextIdea: Double

    init(seed: UInt64, now: Double) {
        random = SplitMix64(seed: seed ^ 0x5eed)
        nextIdea = now + 1.5
    }

    /// When the next event happens.
    var nextTime: Double { min(nextIdea, agenda.first?.time ?? .infinity) }

    /// Removes and returns the events due by `now`, in order.
    mutating func due(by now: Double) -> [Event] {
        var events: [Event] = []
        while nextTime <= now {
            if let first = agenda.first, first.time <= nextIdea {
                events.append(first.event)
                agenda.removeFirst()
            } else {
                haveIdea(at: nextIdea)
                nextIdea += .random(in: 1.2...3.5, using: &random)
            }
        }
        return events
    }

    /// Schedules the buddy's answer to a message that was sent at `now`.
    mutating func answer(buddy: String, at now: Double) {
        say(buddy, from: now + .random(in: 0.6...1.5, using: &random))
    }

    private mutating func haveIdea(at time: Double) {
        let buddy = Cast.people.randomElement(using: &random)!.lowercased()
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4:
            let presence = Presence.allCases.randomElement(using: &random)!
            let status = presence == .offline ? "" : Phrases.statuses.randomElement(using: &random)!
            add(.presence(buddy: buddy, presence, status: status), at: time)
        case 9: add(.deletion(buddy: buddy), at: time)
        default: say(buddy, from: time)
        }
    }

    private mutating func say(_ buddy: String, from start: Double) {
        var time = start
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            add(.typing(buddy: buddy, true), at: time)
            time += .random(in: 0.8...2, using: &random)
            let isQuestion = Int.random(in: 0..<3, using: &random) == 0
            let phrases = isQuestion ? Phrases.questions : Phrases.answers
            add(.message(buddy: buddy, phrases.randomElement(using: &random)!), at: time)
        }
    }

    private mutating func add(_ event: Event, at time: Double) {
        let position = agenda.firstIndex { $0.time > time } ?? agenda.count
        agenda.insert(Entry(time: time, event: event), at: position)
    }
}
