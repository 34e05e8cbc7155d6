import Foundation
import LiveTable
import TestSupport
import Testing

@testable import ChatRoster

/// Files in which earlier chats wrote names as they were typed, and other programs rows of other shapes, in each collection of the chat:
/// it starts, shows every message that can be read, and sends. `./run attack` runs it for longer.
@MainActor @Suite struct ChatFileAttackTests {
    @Test func aChatStartsOnWhateverIsInItsFile() throws {
        let end = ContinuousClock.now + .seconds(Attack.seconds)
        var seed = Attack.seed
        repeat {
            do {
                try withTemporaryFolder { folder in
                    var scene = ChatFileScene(folder.appending(path: "chat.sqlite"), seed)
                    try scene.run()
                }
            } catch {
                Issue.record("seed \(seed): \(error)")
                return
            }
            seed &+= 1
        } while ContinuousClock.now < end
    }

    /// The file's only other form is of a person who entered a room and is no row of the people.
    @Test(arguments: [415_691 as UInt64]) func whoHasOnlyEnteredARoomHasItOnTheRoster(seed: UInt64) throws {
        try withTemporaryFolder { folder in
            var scene = ChatFileScene(folder.appending(path: "chat.sqlite"), seed)
            try scene.run()
        }
    }
}

@MainActor private struct ChatFileScene {
    private static let people = [
        "Jos\u{e9}", "Jose\u{301}", "\u{c5}sa", "A\u{30a}sa", "\u{212b}sa", "bob", "\u{ac00}", "\u{1100}\u{1161}",
    ]
    private static let rooms = ["caf\u{e9}", "cafe\u{301}", "tea", "\u{1112}\u{1161}\u{11ab}", "\u{d55c}"]

    private let url: URL
    private let seed: UInt64
    private var random: SplitMix64
    /// Text and conversation of each message by id. Names are equal whatever their form.
    private var messages: [String: (text: String, conversation: String)] = [:]
    private var junk: [RowKey] = []

    init(_ url: URL, _ seed: UInt64) {
        (self.url, self.seed) = (url, seed)
        random = SplitMix64(seed: seed)
    }

    mutating func run() throws {
        for round in 0..<3 {
            // Whoever opens it has had a name in one form or the other.
            let chat = try ChatDatabase(url: url, as: random.pick(Self.people + ["alice"]))
            if round > 0 { try expectAll(chat) }
            try actAsBefore(chat)
            try chat.close()
            if random.below(2) == 0 { try writeJunk() }
        }
        let problems = try YapDatabase.check(url: url)
        #expect(problems.allSatisfy { $0.description.contains("decoded") }, "seed \(seed): \(problems)")
    }

    /// What an earlier chat did, which took names as they were typed.
    private mutating func actAsBefore(_ chat: ChatDatabase) throws {
        for number in 0..<12 {
            let (author, other, room) = (random.pick(Self.people), random.pick(Self.people), random.pick(Self.rooms))
            let conversation = random.below(2) == 0 ? Conversation(author, other) : .room(room)
            do {
                switch random.below(6) {
                case 0: try chat.write { try $0.join(author, at: Date()) }
                case 1: try chat.write { try $0.enter(.room(room), author) }
                case 2:
                    let key = Seat.key(author, conversation.id)
                    try chat.write { try $0[Chat.drafts].save(StoredDraft(key: key, draft: Draft(text: "draft"))) }
                case 3:
                    let beat = Heartbeat(person: author, session: "1", count: number, date: Date())
                    try chat.write { try $0.beat(beat) }
                default:
                    let text = "\(random.next()) to \(other)"
                    let message = Message(text, in: conversation, by: author)
                    try chat.write { transaction in
                        if case .room = conversation { try transaction.enter(conversation, author) }
                        try transaction.append(message)
                    }
                    messages[message.id] = (text, conversation.id)
                }
            } catch let error as YapDatabaseError where error.code == .decodingFailed {
                // A row that is written in place must be read first.
                #expect(!junk.isEmpty, "seed \(seed): \(error)")
            }
        }
    }

    private mutating func writeJunk() throws {
        let collections = ["people", "rooms", "chat", "seats", "presence", "drafts", "settings", "users"]
        let shapes = ["", "{}", "[]", "null", "1", "{\"name\": 1}", "\u{1}\u{2}", "{\"an\": \"older shape\"}", "text"]
        let database = try YapDatabase(url: url)
        var (made, lost) = (random, [] as [RowKey])
        try database.newConnection().readWrite { transaction in
            for _ in 0...made.below(4) {
                let collection = made.pick(collections)
                let keys = try transaction.allKeys(inCollection: collection)
                let key = made.pick(keys + [made.pick(Self.people), "#" + made.pick(Self.rooms), "nothing"])
                lost.append(RowKey(collection: collection, key: key))
                try transaction.setStored(
                    RowKey(collection: collection, key: key), object: Data(made.pick(shapes).utf8), metadata: nil)
            }
        }
        (random, junk) = (made, junk + lost)
        for row in lost where row.collection == "chat" { messages[row.key] = nil }
        try database.close()
    }

    private func expectAll(_ chat: ChatDatabase) throws {
        try chat.read { transaction throws in
            let list = try transaction[Chat.conversations]
            for (id, message) in messages {
                let place = try list.place(of: id)
                #expect(place?.group == message.conversation, "seed \(seed), \(message)")
                #expect(place?.group.isInOneForm == true, "seed \(seed), \(message)")
                #expect(try transaction[Chat.messages][id]?.text == message.text, "seed \(seed)")
            }
            let others = list.groups.filter { !$0.isInOneForm }
            #expect(others.isEmpty, "seed \(seed)")
            let (people, rooms) = (try transaction[Chat.people].keys(), try transaction[Chat.rooms].keys())
            let isClean = junk.allSatisfy { !["people", "rooms", "seats"].contains($0.collection) }
            let names = (people + rooms).filter { !$0.isInOneForm }
            #expect(!isClean || names.isEmpty, "seed \(seed): \(names)")
            guard isClean else { return }
            // Each conversation in which one has a say is on the roster.
            let roster = Set(try transaction.roster(of: chat.me).map(\.conversation))
            for room in try transaction[Chat.rooms].readableValues() where room.members.contains(chat.me) {
                #expect(roster.contains(room.id), "seed \(seed): \(room.id)")
            }
        }
        let screen = try TestScreen(chat, width: 100)
        #expect(screen.lines().contains { $0.contains("Notes") } || !junk.isEmpty, "seed \(seed)")
        try chat.say("still here", by: chat.me, in: .note(chat.me))
        #expect(try chat.texts(.note(chat.me)).contains("still here"), "seed \(seed)")
    }
}
