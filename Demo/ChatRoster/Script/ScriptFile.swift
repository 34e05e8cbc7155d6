/// People who do what the lines of a file say:
///
/// ```text
/// # seconds after the line before, who, where, what
/// 1.5 bob #tea Hello, all.
/// 0.5 bob @alice You too.
/// 2   bob away lunch
/// 10  bob here
/// 5   bob gone
/// ```
struct ScriptFile: Script {
    let people: [String]
    private var entries: ArraySlice<(time: Double, event: ScriptEvent)>

    var nextTime: Double? { entries.first?.time }

    /// A message in a room changes a row of the roster of each member, and each person gives signs of life: what people cost grows with the
    /// square of their number.
    static let peopleLimit = 200

    /// - Throws: ``ScriptError``, which names the first wrong line.
    init(_ text: String, speed: Double, now: Double) throws(ScriptError) {
        var time = now
        var entries: [(time: Double, event: ScriptEvent)] = []
        var people: [String] = []
        var known: Set<String> = []
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: true).map(String.init)
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            guard words.count > 2, let pause = Double(first), pause >= 0, pause.isFinite,
                let person = try? Person.checked(words[1])
            else { throw ScriptError(line: number + 1, what: "\(line)") }
            time += pause / speed
            let rest = words.count > 3 ? words[3] : ""
            guard let event = Self.event(person, words[2], rest) else {
                throw ScriptError(line: number + 1, what: "\(line)")
            }
            if known.insert(person).inserted { people.append(person) }
            guard people.count <= Self.peopleLimit else {
                throw ScriptError(line: number + 1, what: nil)
            }
            entries.append((time, event))
        }
        self.people = people
        self.entries = entries[...]
    }

    private static func event(_ person: String, _ word: String, _ rest: String) -> ScriptEvent? {
        switch word {
        case "away": return .goesAway(person, status: rest)
        case "here": return .comes(person)
        case "gone": return .leaves(person)
        default:
            let place = word.hasPrefix("@") ? String(word.dropFirst()) : word
            guard word.hasPrefix("#") || word.hasPrefix("@"), !rest.isEmpty,
                let conversation = try? Conversation.named(place, by: person)
            else { return nil }
            return .says(person, in: conversation, rest)
        }
    }

    mutating func due(by now: Double) -> [ScriptEvent] {
        var events: [ScriptEvent] = []
        while let first = entries.first, first.time <= now {
            events.append(first.event)
            entries.removeFirst()
        }
        return events
    }

    mutating func hear(_ message: Message, at now: Double) {}
}

/// A line of a script that cannot be read.
struct ScriptError: Error, CustomStringConvertible {
    let line: Int
    /// Nil if it has a person too many.
    let what: String?

    var description: String {
        guard let what else {
            return
                "Line \(line) of the script has one person more than \(ScriptFile.peopleLimit), which is the most that a script has."
        }
        let shown = what.count > 100 ? what.prefix(100) + "…" : what
        return
            "Line \(line) of the script is wrong: \"\(shown)\". A line is like \"1.5 bob #tea Hello\", \"1.5 bob @alice Hello\", or \"2 bob "
            + "away\", \"here\" or \"gone\"."
    }
}
