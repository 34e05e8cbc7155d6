import SeededRandom

/// The simulated people of the demo: a function of the seed and of the messages sent to them.
struct DemoScript: Script {
    private struct Entry {
        var time: Double
        var event: ScriptEvent
    }

    let people: [String]
    private let me: String
    private let speed: Double
    private var random: SplitMix64
    /// Ordered by time.
    private var agenda: [Entry] = []
    /// When a person next acts without a cause.
    private var nextIdea: Double

    /// - Parameter real: those for whom nothing may be played.
    init(seed: UInt64, speed: Double, with me: String, real: Set<String> = [], now: Double) {
        people = Cast.people.filter { $0 != me && !real.contains($0) }
        self.me = me
        self.speed = speed
        random = SplitMix64(seed: seed ^ 0x5eed)
        nextIdea = now + 1.5 / speed
        for name in Cast.present where people.contains(name) { agenda.append(Entry(time: now, event: .comes(name))) }
    }

    var nextTime: Double? { min(nextIdea, agenda.first?.time ?? .infinity) }

    mutating func due(by now: Double) -> [ScriptEvent] {
        var events: [ScriptEvent] = []
        while let next = nextTime, next <= now, events.count < 1000 {
            if let first = agenda.first, first.time <= nextIdea {
                events.append(first.event)
                agenda.removeFirst()
            } else {
                haveIdea(at: nextIdea)
                nextIdea += .random(in: 1.2...3.5, using: &random) / speed
            }
        }
        return events
    }

    mutating func hear(_ message: Message, at now: Double) {
        guard let conversation = Conversation(id: message.conversation) else { return }
        let start = now + .random(in: 0.6...1.5, using: &random) / speed
        switch conversation {
        case .note: break
        case .pair:
            if let other = conversation.other(than: message.author), people.contains(other) {
                say(other, in: conversation, from: start)
            }
        case .room:
            if let person = people.randomElement(using: &random) { say(person, in: conversation, from: start) }
        }
    }

    private mutating func haveIdea(at time: Double) {
        guard let person = people.randomElement(using: &random) else { return }
        let place = Int.random(in: 0..<3, using: &random) == 0 ? Cast.room : Conversation(me, person)
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<2: add(.comes(person), at: time)
        case 2: add(.goesAway(person, status: Phrases.statuses.randomElement(using: &random)!), at: time)
        case 3: add(.leaves(person), at: time)
        case 10: add(.reacts(person, in: place, ["👍", "❤", "😄"].randomElement(using: &random)!), at: time)
        case 11: add(.takesBack(person, in: place), at: time)
        default: say(person, in: place, from: time)
        }
    }

    private mutating func say(_ person: String, in place: Conversation, from start: Double) {
        var time = start
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            add(.types(person, in: place), at: time)
            time += .random(in: 0.8...2, using: &random) / speed
            let isQuestion = Int.random(in: 0..<3, using: &random) == 0
            let phrases = isQuestion ? Phrases.questions : Phrases.answers
            add(.says(person, in: place, phrases.randomElement(using: &random)!), at: time)
        }
    }

    private mutating func add(_ event: ScriptEvent, at time: Double) {
        let position = agenda.firstIndex { $0.time > time } ?? agenda.count
        agenda.insert(Entry(time: time, event: event), at: position)
    }
}
