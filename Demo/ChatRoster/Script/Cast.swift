import Foundation
import LiveTable
import SeededRandom

/// The people of the demo and their messages so far: a function of a seed and the present time.
enum Cast {
    static let people = ["Bob", "Carol", "Dan", "Eve", "Frank", "Grace"]
    /// Those who are there when the demo begins.
    static let present = ["Bob", "Carol", "Dan", "Eve"]
    static let room = Conversation.room("lunch")

    /// Returns between 60 and 90 messages with each, in bursts with pauses between them, the last one minutes ago.
    static func history(seed: UInt64, with me: String, now: Date) -> [Message] {
        var random = SplitMix64(seed: seed)
        let pairs = people.filter { $0 != me }.map { (Conversation(me, $0), [me, $0]) }
        return (pairs + [(room, people + [me])]).flatMap { conversation, people -> [Message] in
            var date = now.addingTimeInterval(-Double.random(in: 120...600, using: &random))
            var author = people.randomElement(using: &random)!
            var messages: [Message] = []
            for number in (0..<Int.random(in: 60...90, using: &random)).reversed() {
                let isQuestion = Bool.random(using: &random)
                let text = (isQuestion ? Phrases.questions : Phrases.answers).randomElement(using: &random)!
                messages.append(
                    Message(text, in: conversation, by: author, id: "\(conversation.id)-\(number)", date: date))
                let isPause = Int.random(in: 0..<6, using: &random) == 0
                date -= isPause ? .random(in: 1800...40_000, using: &random) : .random(in: 10...200, using: &random)
                if Int.random(in: 0..<5, using: &random) < 3 { author = people.randomElement(using: &random)! }
            }
            return messages
        }
    }
}

extension YapDatabaseReadWriteTransaction {
    /// Makes the people of the demo participants. Each gets a history with a person who has none with them.
    func bringDemo(seed: UInt64, with me: String, now: Date) throws {
        for name in Cast.people where name != me { try join(name, at: now, isSimulated: true) }
        for name in Cast.people + [me] { try enter(Cast.room, name) }
        try self[Chat.rooms].update(Cast.room.id) { if $0.topic.isEmpty { $0.topic = "Where to today?" } }
        let view = try self[Chat.conversations].view
        let had = Set(try roster(of: me).map(\.conversation).filter { view.numberOfItems(inGroup: $0) > 0 })
        var last: [String: Position] = [:]
        for message in Cast.history(seed: seed, with: me, now: now) where !had.contains(message.conversation) {
            try self[Chat.messages].save(message)
            last[message.conversation] = max(last[message.conversation] ?? .start, message.position)
        }
        for (conversation, position) in last.sorted(by: { $0.key < $1.key }) {
            for member in try members(of: Conversation(id: conversation)!) {
                try self[Chat.seats].update(Seat.key(member, conversation)) { $0.read = position }
            }
        }
    }
}
