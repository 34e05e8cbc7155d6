import Foundation
import SeededRandom

/// The people of the demo and their messages so far: a function of a seed and the present time.
enum Cast {
    static let people = ["Bob", "Carol", "Dan", "Eve", "Frank", "Grace"]

    static func buddies(now: Date) -> [Buddy] {
        func buddy(_ name: String, _ presence: Presence, _ status: String, _ hoursAgo: Double) -> Buddy {
            Buddy(
                id: name.lowercased(), name: name, presence: presence, status: status,
                lastSeen: now.addingTimeInterval(-hoursAgo * 3600))
        }
        return [
            buddy("Bob", .available, "", 0),
            buddy("Carol", .available, "lunch soon?", 0),
            buddy("Dan", .available, "", 0),
            buddy("Eve", .away, "back in 10", 0.2),
            buddy("Frank", .offline, "", 20),
            buddy("Grace", .offline, "", 70),
        ]
    }

    /// Returns between 60 and 90 messages with each, in bursts with pauses between them, the last one minutes ago.
    static func history(seed: UInt64, now: Date) -> [Message] {
        var random = SplitMix64(seed: seed)
        return people.flatMap { person -> [Message] in
            let conversation = person.lowercased()
            var date = now.addingTimeInterval(-Double.random(in: 120...600, using: &random))
            var isMine = Bool.random(using: &random)
            var messages: [Message] = []
            for number in (0..<Int.random(in: 60...90, using: &random)).reversed() {
                let text = (isMine ? Phrases.questions : Phrases.answers).randomElement(using: &random)!
                messages.append(
                    Message(
                        id: "\(conversation)-\(number)", conversation: conversation, isMine: isMine, text: text,
                        date: date, isSeen: isMine))
                let isPause = Int.random(in: 0..<6, using: &random) == 0
                date -= isPause ? .random(in: 1800...40_000, using: &random) : .random(in: 10...200, using: &random)
                if Int.random(in: 0..<5, using: &random) < 3 { isMine.toggle() }
            }
            return messages
        }
    }
}
