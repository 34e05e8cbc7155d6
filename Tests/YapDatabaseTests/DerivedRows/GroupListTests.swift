import Foundation
import ListChanges
import SQLiteBridge
import SeededRandom
import TestSupport
import Testing

@testable import YapDatabase

/// Lists of groups: their rows are what a fold over the groups gives, and their change-sets lead from one state to the next.
@Suite struct GroupListTests {
    struct Message: Codable, Hashable, Sendable, Identifiable {
        var id: Int
        var room: String?
        var date: Date
        var size: Int
        var price: Double
        var isUnread: Bool

        var turnover: Double { Double(size) * price }
    }

    static let messages = YapCollection("messages", of: Message.self)
    static let rooms = YapList("rooms", of: messages, groupedBy: \.room, sortedBy: .ascending(\.date), .ascending(\.id))
    static let unread = YapFigure.count(where: \Message.isUnread == true)
    static let sizes = YapFigure<Message, Int?>.sum(\Message.size)
    static let prices = YapFigure<Message, Double>.sum(\Message.price)
    static let oldest = YapFigure<Message, Date?>.minimum(\Message.date)
    static let largest = YapFigure<Message, Int?>.maximum(\Message.size)
    static let turnover = YapFigure<Message, Double>.sum(\Message.turnover, named: "turnover 1")
    static let figures: [any YapGroupFigure<Message>] = [unread, sizes, prices, oldest, largest, turnover]
    static let inbox = YapList(
        "inbox", groupsOf: rooms, figures: figures, keeping: [.first, .last],
        sortedBy: .descending(last: \.date), .descending(unread), .ascending(\.name))
    static let busy = YapList(
        "busy", groupsOf: rooms, sortedBy: .descending(\.count), .ascending(\.name), where: \.count > 2)

    /// A row that was damaged, or that a list without the figure has.
    @Test func aGroupWhoseRowLacksAFigureHasThatOfNoRows() throws {
        let bytes = Data(#"{"name": "a", "count": 2, "figures": []}"#.utf8)
        let row = try JSONDecoder().decode(YapGroupRow<Message>.self, from: bytes)
        #expect(row.count == 2 && row[Self.unread] == 0 && row[Self.sizes] == 0 && row[Self.oldest] == nil)
    }

    /// 0.0 and -0.0 are equal, and the figure has the same bytes whichever came first.
    @Test(arguments: [[0.0, -0.0], [-0.0, 0.0], [-0.0]]) func theLeastOfZerosIsOne(prices: [Double]) throws {
        let cheapest = YapFigure<Message, Double?>.minimum(\Message.price)
        let dearest = YapFigure<Message, Double?>.maximum(\Message.price)
        let groups = YapList(
            "groups", groupsOf: Self.rooms, figures: [cheapest, dearest], sortedBy: .ascending(\.name))
        try withTemporaryDatabase { database throws in
            try database.register([Self.rooms, groups])
            let connection = try database.newConnection()
            for (id, price) in prices.enumerated() {
                try connection.readWrite { transaction throws in
                    try transaction[Self.messages].save(
                        Message(id: id, room: "a", date: .distantPast, size: 0, price: price, isUnread: false))
                }
                let row = try #require(try connection.read { try $0[groups].values().first })
                #expect(row[cheapest]?.sign == .plus && row[dearest]?.sign == .plus && row[cheapest] == 0)
            }
        }
    }

    struct Row: Equatable {
        var name: String
        var count: Int
        var first, last: Message?
        var unread: Int
        var sizes: Int?
        var prices: Double
        var oldest: Date?
        var largest: Int?
        var turnover: Double

        init(_ row: YapGroupRow<Message>) {
            (name, count, first, last) = (row.name, row.count, row.first, row.last)
            (unread, sizes, prices) = (
                row[GroupListTests.unread], row[GroupListTests.sizes], row[GroupListTests.prices]
            )
            (oldest, largest) = (row[GroupListTests.oldest], row[GroupListTests.largest])
            turnover = row[GroupListTests.turnover]
        }

        init(_ name: String, _ rows: [Message]) {
            let rows = rows.sorted { ($0.date, $0.id) < ($1.date, $1.id) }
            (self.name, count, first, last) = (name, rows.count, rows.first, rows.last)
            unread = rows.filter(\.isUnread).count
            sizes = rows.reduce(0) { $0 + $1.size }
            // Halves are added without rounding.
            prices = rows.reduce(0) { $0 + $1.price }
            (oldest, largest) = (rows.map(\.date).min(), rows.map(\.size).max())
            turnover = rows.reduce(0) { $0 + $1.turnover }
        }
    }

    private static func expected(_ stored: [Int: Message]) -> (inbox: [Row], busy: [String]) {
        let groups = Dictionary(grouping: stored.values.filter { $0.room != nil }) { $0.room ?? "" }
        let rows = groups.map { Row($0.key, $0.value) }
        let inbox = rows.sorted { a, b in
            let dates = (a.last?.date ?? .distantPast, b.last?.date ?? .distantPast)
            if dates.0 != dates.1 { return dates.0 > dates.1 }
            return a.unread != b.unread ? a.unread > b.unread : a.name < b.name
        }
        let busy = rows.filter { $0.count > 2 }.sorted {
            $0.count != $1.count ? $0.count > $1.count : $0.name < $1.name
        }
        return (inbox, busy.map(\.name))
    }

    static func message(_ id: Int, _ random: inout SplitMix64) -> Message {
        Message(
            id: id, room: random.percent(15) ? nil : "room \(random.below(6))",
            date: Date(timeIntervalSinceReferenceDate: Double(random.below(30))), size: random.below(20) - 5,
            price: Double(random.below(40)) / 2, isUnread: random.percent(50))
    }

    /// Commits of this process, of others that register nothing and know only SQLite, transactions that roll back, and all that a file goes
    /// through between two starts.
    @Test(arguments: Effort.some([1, 2, 3, 4] as [UInt64])) func groupsAreWhatAFoldGives(seed: UInt64) async throws {
        try await Self.run(seed, transactions: Effort.cases(5_000))
    }

    static func run(_ seed: UInt64, transactions: Int) async throws {
        try await withTemporaryDatabase { database async throws in
            var random = SplitMix64(seed: seed)
            let connection = try database.newConnection()
            var stored: [Int: Message] = [:]
            for id in 0..<random.below(40) { stored[id] = Self.message(id, &random) }
            try await connection.write { [stored] in try $0[Self.messages].save(Array(stored.values)) }
            try await database.register(Self.rooms, Self.inbox, Self.busy)
            let follower = UpdatesFollower<YapGroupRow<Message>>()
            let loop = Task { try await follower.follow(connection.updates(of: Self.inbox), "seed \(seed)") }
            defer { loop.cancel() }
            await follower.waitForFirst()
            let stranger = try foreignProgram(database.databaseURL)
            for step in 0..<transactions {
                let context: Comment = "seed \(seed), step \(step)"
                var after = stored
                for _ in 0...random.below(4) {
                    let id = random.below(40)
                    after[id] = random.percent(25) ? nil : Self.message(id, &random)
                }
                if random.percent(1) { after = [:] }
                let how = random.below(20)
                try await Self.write(after, over: stored, how, on: connection, stranger, context)
                if how != 1 { stored = after }
                if random.percent(30) { continue }
                try await database.waitUntilIdle()
                let expected = Self.expected(stored)
                let (inbox, busy) = try await connection.read { transaction in
                    (
                        try transaction[Self.inbox].values().map { Row($0) },
                        try transaction[Self.busy].values().map(\.name)
                    )
                }
                try #require(inbox == expected.inbox, "\(how), \(context)")
                try #require(busy == expected.busy, "\(how), \(context)")
                try #require(await follower.rows.map { Row($0) } == expected.inbox, "The loop, \(how), \(context)")
            }
        }
    }

    /// Writes what differs: as a program that knows only SQLite (0), rolled back (1), or as usual, when the list is right before the commit too.
    private static func write(
        _ after: [Int: Message], over before: [Int: Message], _ how: Int, on connection: YapDatabaseConnection,
        _ stranger: SQLiteHandle, _ context: Comment
    ) async throws {
        let changed = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }.sorted()
        if how == 0 {
            return try stranger.setRows(changed.map { ($0, after[$0]) }, inCollection: "messages")
        }
        try await connection.write { transaction throws in
            if how == 1 { transaction.rollback() }
            if after.isEmpty, how.isMultiple(of: 2) { return try transaction.removeAllObjectsInAllCollections() }
            if after.isEmpty { try transaction[messages].removeAll() }
            for id in changed {
                if let message = after[id] {
                    try transaction[messages].save(message)
                } else {
                    try transaction[messages].remove(id)
                }
                if how < 5 { _ = try transaction[inbox].count }
            }
            if how == 5, let room = expected(after).inbox.first {
                #expect(try transaction[rooms].figure(unread, in: room.name) == room.unread, context)
                #expect(try transaction[rooms].figure(sizes, in: room.name) == room.sizes, context)
            }
            #expect(try transaction[rooms].figure(oldest, in: "none") == nil, context)
            let rows = try transaction[inbox].values().map { Row($0) }
            #expect(rows == expected(after).inbox, "In the transaction, \(how), \(context)")
        }
    }

    /// A combining character at the beginning, which is one `Character` with what stands before it.
    @Test(arguments: ["\u{301}inbox", "in.rows", "'\"", "\u{10FFFD}"]) func aListMayHaveAnyName(name: String) throws {
        try withTemporaryDatabase { database in
            let inbox = YapList(name, groupsOf: Self.rooms, sortedBy: .descending(\.count))
            try database.register(Self.rooms, inbox)
            let connection = try database.newConnection()
            var random = SplitMix64(seed: 3)
            let stored = (0..<30).map { Self.message($0, &random) }
            try connection.readWrite { try $0[Self.messages].save(stored) }
            let rooms = Set(stored.compactMap(\.room))
            #expect(try connection.read { try Set($0[inbox].values().map(\.name)) } == rooms)
            #expect(try connection.read { try $0.allCollections() } == ["messages"])
            try database.unregisterExtension(withName: name)
            #expect(database.registeredExtensions().keys.sorted() == ["rooms"])
        }
    }

    /// Groups whose names are equal for Swift, and differ in their bytes.
    @Test func aRowTakesItsFiguresToAnotherFormOfItsGroup() throws {
        try withTemporaryDatabase { database throws in
            try database.register(Self.rooms, Self.inbox)
            let connection = try database.newConnection()
            let forms = ["Jos\u{e9}", "Jose\u{301}"]
            func save(_ id: Int, in form: Int, size: Int) throws {
                let message = Message(
                    id: id, room: forms[form], date: .distantPast, size: size, price: 1, isUnread: true)
                try connection.readWrite { try $0[Self.messages].save(message) }
            }
            try save(1, in: 0, size: 7)
            try save(2, in: 0, size: 3)
            try save(1, in: 1, size: 7)
            let rows = try connection.read { try $0[Self.inbox].values() }
            let largest = forms.map { form in
                rows.first { $0.name.utf8.elementsEqual(form.utf8) }.map { $0[Self.largest] }
            }
            #expect(largest == [3, 7])
        }
    }

    /// A second start loads the list, another declaration fills it again, and with the list go the rows that were derived for it.
    @Test func aFileIsOpenedAgain() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "test.sqlite")
            var random = SplitMix64(seed: 7)
            let stored = Dictionary(uniqueKeysWithValues: (0..<60).map { ($0, Self.message($0, &random)) })
            for figures in [[Self.unread], [Self.unread], Self.figures] as [[any YapGroupFigure<Message>]] {
                let database = try YapDatabase(url: url, options: .forTests)
                let inbox = YapList(
                    "inbox", groupsOf: Self.rooms, figures: figures, sortedBy: .descending(last: \.date))
                try database.newConnection().readWrite { try $0[Self.messages].save(Array(stored.values)) }
                try database.register(Self.rooms, inbox)
                let rows = try database.newConnection().read { try $0[inbox].values() }
                #expect(Set(rows.map(\.name)) == Set(Self.expected(stored).inbox.map(\.name)))
                #expect(
                    rows.allSatisfy { row in
                        row[Self.unread] == stored.values.filter { $0.room == row.name && $0.isUnread }.count
                    })
                try database.close()
                #expect(try YapDatabase.check(url: url).isEmpty)
            }
            let database = try YapDatabase(url: url, options: .forTests)
            try database.register(Self.rooms, Self.inbox)
            try database.unregisterExtension(withName: "inbox")
            #expect(database.registeredExtensions().keys.sorted() == ["rooms"])
            #expect(
                try database.newConnection().read { try $0.store.count(inCollection: RowTable.derivedMark + "inbox") }
                    == 0)
            #expect(try database.newConnection().read { try $0.allCollections() } == ["messages"])
            try database.close()
            #expect(try YapDatabase.check(url: url).isEmpty)
        }
    }
}
