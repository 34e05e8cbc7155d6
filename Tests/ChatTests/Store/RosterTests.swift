import Foundation
import LiveTable
import SeededRandom
import TestSupport
import Testing

@testable import ChatRoster

/// Rosters are what a model computes from all that was done, and their change-sets lead from one state to the next.
@Suite struct RosterTests {
    @Test(arguments: Effort.some([2, 3, 4] as [UInt64])) func rostersAreWhatAModelComputes(seed: UInt64) throws {
        try withChat { chat in
            var play = try RosterPlay(chat, seed)
            for step in 0..<Effort.cases(700) { try play.go(step) }
        }
    }

    /// A row of another program, or of a clock that was ten years ahead.
    @Test func aPlaceInTheFutureIsFirstOnlyUntilItWasSeen() throws {
        try withChat { chat in
            let pairs = ["bob", "carol"].map { Conversation("alice", $0) }
            for name in ["bob", "carol"] { try chat.write { try $0.join(name, at: Date()) } }
            let late = try chat.say("from the future", by: "bob", in: pairs[0], at: Date() + 315_360_000)
            try chat.say("from now", by: "carol", in: pairs[1])
            func titles() throws -> [String] {
                try chat.read { try $0.roster(of: "alice") }.filter { $0.standing != .rooms }.map(\.title)
            }
            #expect(try titles() == ["bob", "carol"])
            try chat.write { try $0.markRead(by: "alice", in: pairs[0].id, upTo: late.position) }
            try chat.say("and again", by: "carol", in: pairs[1])
            #expect(try titles() == ["carol", "bob"])
            // What follows it has a place in the future, too, and comes before all others when it is read.
            let next = try chat.say("from now, too", by: "bob", in: pairs[0])
            #expect(try chat.row("alice", pairs[0]).unread == 1 && titles() == ["carol", "bob"])
            try chat.write { try $0.markRead(by: "alice", in: pairs[0].id, upTo: next.position) }
            #expect(try titles() == ["bob", "carol"])
        }
    }
}

/// What people do at random, beside a model.
private struct RosterPlay {
    private static let people = ["alice", "bob", "carol", "dan"]
    private static let rooms = ["tea", "work"].map { Conversation.room($0) }
    private static let decade = 315_360_000.0

    private let chat: ChatDatabase
    private let seed: UInt64
    private var random: SplitMix64
    private var clock = Date(timeIntervalSince1970: 1_795_000_000)
    // The model.
    private var people: [String: Person] = [:]
    private var members: [String: [String]] = [:]
    private var topics: [String: String] = [:]
    private var seats: [String: Seat] = [:]
    private var messages: [String: Message] = [:]
    /// Messages as they were before they were taken back.
    private var taken: [Message] = []
    // A screen.
    private let coordinator: YapDatabaseViewCoordinator
    private let mappings: YapDatabaseViewMappings
    private var shown: [ListSection<RosterRow>] = []

    init(_ chat: ChatDatabase, _ seed: UInt64) throws {
        (self.chat, self.seed) = (chat, seed)
        random = SplitMix64(seed: seed)
        coordinator = try YapDatabaseViewCoordinator(connection: chat.database.newConnection())
        mappings = YapDatabaseViewMappings(
            groups: Standing.allCases.map { Seat.group("alice", $0) }, view: Chat.roster.name)
        mappings.setIsDynamicSectionForAllGroups(true)
        for name in Self.people { try chat.write { try $0.join(name, at: Date()) } }
        for person in try chat.read({ try $0[Chat.people].values() }) { people[person.name] = person }
        for name in Self.people {
            for other in Self.people { open(Conversation(name, other), name, .distantPast) }
        }
        try coordinator.follow(mappings)
        shown = try rows()
    }

    mutating func go(_ step: Int) throws {
        clock += [0.001, 1, 60, 5_000].randomElement(using: &random)!
        for _ in 0..<(random.percent(70) ? 1 : 1 + random.below(4)) { try change() }
        try expect("seed \(seed), step \(step)")
    }

    private mutating func change() throws {
        let (person, other) = (random.pick(Self.people), random.pick(Self.people))
        let room = random.pick(Self.rooms)
        switch random.below(16) {
        case 0: try enter(room, person)
        case 1 where members[room.id]?.contains(person) == true:
            try write { try $0.leave(room, person, at: $1) }
            (members[room.id], seats[Seat.key(person, room.id)]) = (members[room.id]?.filter { $0 != person }, nil)
        case 2 where members[room.id]?.contains(other) == true:
            try write { try $0.kick(other, from: room, by: person, at: $1) }
            (members[room.id], seats[Seat.key(other, room.id)]) = (members[room.id]?.filter { $0 != other }, nil)
        case 3:
            let topic = "topic \(random.below(3))"
            if members[room.id] == nil { return }
            try write { try $0.setTopic(topic, of: room, by: person, at: $1) }
            topics[room.id] = topic
        case 4, 5:
            let standing = random.pick([Standing.available, .away, .offline])
            let away = standing == .away && random.percent(50) ? "tea \(random.below(3))" : nil
            try write { try $0.set(standing, away: away, of: person, at: $1) }
            people[person] = try chat.read { try $0[Chat.people][person] }
            #expect(people[person]?.standing == standing && people[person]?.away == away, "seed \(seed)")
        case 6, 7: try read(person)
        case 8: try delete()
        case 9 where !taken.isEmpty:
            let message = taken.remove(at: random.below(taken.count))
            try write { transaction, _ in try transaction.restore(message) }
            messages[message.id] = message
        case 10:
            guard let message = random.picked(messages.values.sorted { $0.id < $1.id }), message.isNews else { return }
            let text = "edited \(random.below(100))"
            try write { try $0.edit(message.id, text: text, by: message.author, at: $1) }
            try write { transaction, _ in try transaction.react("👍", to: message.id, by: person) }
            messages[message.id] = try chat.read { try $0[Chat.messages][message.id] }
        default: try say(person, random.percent(50) ? room : Conversation(person, other))
        }
        try takeNotices()
    }

    private func write(_ body: (YapDatabaseReadWriteTransaction, Date) throws -> Void) throws {
        try chat.write { try body($0, clock) }
    }

    private mutating func open(_ conversation: Conversation, _ person: String, _ date: Date) {
        let seat = Seat(person, in: conversation, opened: date)
        if seats[seat.key] == nil { seats[seat.key] = seat }
    }

    private mutating func enter(_ room: Conversation, _ person: String) throws {
        if members[room.id]?.contains(person) == true { return }
        let last = ordered(room.id).last
        try write { try $0.join(room, person, at: $1) }
        members[room.id, default: []].append(person)
        open(room, person, clock)
        if let last { seats[Seat.key(person, room.id)]?.read = last.position }
    }

    private mutating func say(_ person: String, _ conversation: Conversation) throws {
        if case .room = conversation, members[conversation.id]?.contains(person) != true { return }
        let date = clock + (random.percent(4) ? random.pick([Self.decade, -Self.decade, 4_000]) : 0)
        let message = Message(
            "hello \(random.pick(["", "@alice", "@bob and @carol", "@all"]))", in: conversation, by: person, date: date)
        try write { transaction, _ in try transaction.append(message) }
        let sent = try chat.read { try #require(try $0[Chat.messages][message.id]) }
        #expect(ordered(conversation.id).allSatisfy { $0.position < sent.position }, "seed \(seed)")
        messages[sent.id] = sent
        let all = conversation.other(than: person).map { [person, $0] } ?? members[conversation.id] ?? [person]
        for member in all {
            open(conversation, member, sent.date)
            let read = seats[Seat.key(member, conversation.id)]?.read ?? .start
            #expect(read < sent.position, "seed \(seed)")
        }
    }

    private mutating func read(_ person: String) throws {
        guard let seat = random.picked(seats.values.filter { $0.person == person }.sorted { $0.key < $1.key }),
            let message = random.picked(ordered(seat.conversation).suffix(6))
        else { return }
        try write { try $0.markRead(by: person, in: seat.conversation, upTo: message.position, at: $1) }
        if seat.read < message.position { seats[seat.key]?.note(read: message.position, at: clock) }
    }

    private mutating func delete() throws {
        guard let message = random.picked(messages.values.filter(\.isNews).sorted { $0.id < $1.id }) else { return }
        try write { transaction, _ in try transaction.delete(message.id, by: message.author) }
        messages[message.id] = try chat.read { try $0[Chat.messages][message.id] }
        #expect(messages[message.id]?.isNews != true, "seed \(seed)")
        taken.append(message)
        guard let rest = messages[message.id]?.unseenDeletion, random.percent(30) else { return }
        try write { transaction, _ in for one in rest { try transaction.markSeen(by: one, deleted: [message.id]) } }
        messages[message.id] = nil
    }

    /// Notices have ids of their own.
    private mutating func takeNotices() throws {
        for room in Self.rooms {
            for message in try chat.read({ try $0[Chat.conversations].values(in: room.id) })
            where message.kind == .notice {
                messages[message.id] = message
            }
        }
    }

    private func ordered(_ conversation: String) -> [Message] {
        messages.values.filter { $0.conversation == conversation }.sorted { $0.position < $1.position }
    }

    // MARK: What is shown

    private func row(_ seat: Seat, _ all: [Message]) -> RosterRow {
        let unread = all.filter { $0.author != seat.person && $0.isNews && $0.position > seat.read }
        let other = Self.people.first { $0 != seat.person && Conversation($0, seat.person).id == seat.conversation }
        return RosterRow(
            seat: seat, other: other.flatMap { people[$0] }, newest: all.max { $0.position < $1.position }?.date,
            topic: topics[seat.conversation] ?? "", unread: unread.count,
            mentions: unread.count { $0.mentions?.contains(seat.person) == true })
    }

    private func expected(_ person: String) -> [RosterRow] {
        let messages = Dictionary(grouping: messages.values, by: \.conversation)
        let all = seats.values.filter { $0.person == person }.map { row($0, messages[$0.conversation] ?? []) }
        func isBefore(_ a: RosterRow, _ b: RosterRow) -> Bool {
            let sections = [a, b].map { Standing.allCases.firstIndex(of: $0.standing)! }
            if sections[0] != sections[1] { return sections[0] < sections[1] }
            return a.last != b.last ? a.last > b.last : a.title < b.title
        }
        return all.sorted(by: isBefore)
    }

    private mutating func expect(_ context: String) throws {
        for person in Self.people {
            let found = try chat.read { try $0.roster(of: person) }
            try #require(found == expected(person), "\(person), \(context)")
        }
        let outcome = try coordinator.advance()[0].outcome
        let after = try rows()
        if case .changes(let changes) = outcome {
            try changes.apply(to: &shown) { after[$0.section].rows[$0.row] }
        }
        try #require(shown == after, "the screen, \(context)")
        try #require(shown.flatMap(\.rows) == expected("alice"), "the screen, \(context)")
    }

    private func rows() throws -> [ListSection<RosterRow>] {
        try coordinator.connection.read { transaction in
            let list = try transaction[Chat.roster]
            return try Standing.allCases.map { Seat.group("alice", $0) }.filter { list.count(in: $0) > 0 }.map {
                group in
                ListSection(group: group, rows: try list.values(in: group).map { try transaction.shown($0) })
            }
        }
    }
}

extension SplitMix64 {
    fileprivate mutating func picked<Element>(_ elements: some Collection<Element>) -> Element? {
        elements.isEmpty ? nil : pick(Array(elements))
    }
}
