import Foundation
import SQLiteBridge
import SeededRandom
import TestSupport
import Testing

@testable import YapDatabase

/// Joined lists, lists whose rows stand in several groups, and lists of the groups of these: they are what a model computes from scratch.
@Suite struct RelatedListTests {
    struct Chore: Codable, Hashable, Sendable, Identifiable {
        var id: Int
        var title: String
        var person: Int?
        var priority: Int
        var tags: [String]
    }
    struct Person: Codable, Hashable, Sendable, Identifiable {
        var id: Int
        var name: String
        var team: String
        var office: String
    }
    struct Office: Codable, Hashable, Sendable, Identifiable {
        var id: String
        var city: String
    }
    typealias Assigned = YapJoinedRow<Chore, Person>

    static let chores = YapCollection("chores", of: Chore.self)
    static let people = YapCollection("people", of: Person.self)
    static let offices = YapCollection("offices", of: Office.self)

    static let assigned = YapJoin("assigned", of: chores, joining: \.person, to: people)
    static let board = YapList(
        "board", of: assigned.rows, groupedBy: \.other.team, sortedBy: .ascending(\.other.name),
        .descending(\.row.priority), .ascending(\.row.id))
    static let every = YapJoin("every", of: chores, joiningIfThere: \.person, to: people)
    static let overview = YapList(
        "overview", of: every.rows, sortedBy: .ascending(\.other?.name), .ascending(\.row.id),
        where: \.row.priority > 2)
    /// A join of joined rows.
    static let located = YapJoin("located", of: assigned.rows, joining: \.other.office, to: offices)
    static let cities = YapList(
        "cities", of: located.rows, groupedBy: \.other.city, sortedBy: .ascending(\.row.row.id))
    static let tagged = YapList(
        "tagged", of: chores, groupedByEach: \.tags, sortedBy: .ascending(\.row.priority), .ascending(\.row.id))
    static let work = YapFigure<Assigned, Int?>.sum(\.row.priority)
    static let teams = YapList(
        "teams", groupsOf: board, figures: [work], sortedBy: .descending(work), .ascending(\.name))
    /// Rows with a group of a list.
    static let busy = YapJoin("busy", of: people, joiningIfThere: \.team, to: teams.collection)
    static let colleagues = YapList(
        "colleagues", of: busy.rows, sortedBy: .descending(\.other?.count), .ascending(\.row.id))
    static let tags = YapList("tags", groupsOf: tagged, sortedBy: .descending(\.count), .ascending(\.name))

    /// All rows, and what follows from them.
    struct Model: Equatable {
        var chores: [Int: Chore] = [:]
        var people: [Int: Person] = [:]
        var offices: [String: Office] = [:]

        var assigned: [Assigned] {
            chores.values.compactMap { chore in
                chore.person.flatMap { people[$0] }.map { Assigned(row: chore, other: $0) }
            }
        }
        var board: [String: [Assigned]] {
            Dictionary(grouping: assigned, by: \.other.team).mapValues { rows in
                rows.sorted {
                    ($0.other.name, -$0.row.priority, $0.row.id) < ($1.other.name, -$1.row.priority, $1.row.id)
                }
            }
        }
        var overview: [Int] {
            chores.values.filter { $0.priority > 2 }.map { ($0.person.flatMap { people[$0] }?.name, $0.id) }.sorted {
                ($0.0 ?? "", $0.1) < ($1.0 ?? "", $1.1)
            }.map { $0.1 }
        }
        var cities: [String: [Int]] {
            let rows = assigned.compactMap { row in offices[row.other.office].map { ($0.city, row.row.id) } }
            return Dictionary(grouping: rows, by: { $0.0 }).mapValues { $0.map { $0.1 }.sorted() }
        }
        var tagged: [String: [Chore]] {
            let rows = chores.values.flatMap { chore in Set(chore.tags).map { ($0, chore) } }
            return Dictionary(grouping: rows, by: { $0.0 }).mapValues { rows in
                rows.map { $0.1 }.sorted { ($0.priority, $0.id) < ($1.priority, $1.id) }
            }
        }
        var teams: [String] {
            board.map { ($0.key, $0.value.reduce(0) { $0 + $1.row.priority }) }.sorted {
                ($1.1, $0.0) < ($0.1, $1.0)
            }.map { "\($0.0) \($0.1)" }
        }
        var colleagues: [String] {
            people.values.map { ($0.id, board[$0.team]?.count) }.sorted { ($1.1 ?? 0, $0.0) < ($0.1 ?? 0, $1.0) }
                .map { "\($0.0) \($0.1 ?? 0)" }
        }
        var tags: [String] {
            tagged.map { ($0.key, $0.value.count) }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }.map { "\($0.0) \($0.1)" }
        }

        mutating func change(_ random: inout SplitMix64) {
            switch random.below(10) {
            case 0..<5:
                let id = random.below(30)
                chores[id] =
                    random.percent(20)
                    ? nil
                    : Chore(
                        id: id, title: "chore \(random.below(100))", person: random.percent(20) ? nil : random.below(9),
                        priority: random.below(6),
                        tags: (0..<random.below(4)).map { _ in ["red", "", "5:blue", "wide \u{301}"][random.below(4)] })
            case 5..<8:
                let id = random.below(9)
                people[id] =
                    random.percent(25)
                    ? nil
                    : Person(
                        id: id, name: ["Ann", "Bob", "Cem"][random.below(3)], team: "team \(random.below(3))",
                        office: "office \(random.below(3))")
            case 8:
                let id = "office \(random.below(3))"
                offices[id] = random.percent(30) ? nil : Office(id: id, city: ["Rome", "Oslo"][random.below(2)])
            default:
                switch random.below(30) {
                case 0...2: self = Model()
                case 3...5: chores = [:]
                case 6: people = [:]
                default: break
                }
            }
        }
    }

    /// A program that has read none of the rows so far knows how they are encoded.
    @Test func aListIsFilledWithRowsThatWereStoredBefore() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "test.sqlite")
            let chore = Chore(id: 1, title: "sweep", person: nil, priority: 1, tags: ["home"])
            let before = try YapDatabase(url: url, options: .forTests)
            try before.newConnection().readWrite { try $0[Self.chores].save(chore) }
            try before.close()
            let database = try YapDatabase(url: url, options: .forTests)
            try database.register(Self.tagged, Self.tags)
            try database.newConnection().read { transaction throws in
                #expect(try transaction[Self.tagged].values(in: "home").map(\.row) == [chore])
                #expect(try transaction[Self.tags].values().map(\.name) == ["home"])
            }
            try database.close()
            #expect(try YapDatabase.check(url: url).isEmpty)
        }
    }

    /// Commits, rolled back transactions, and those of a program that knows only SQLite.
    @Test(arguments: Effort.some([1, 2, 3, 4] as [UInt64])) func theyAreWhatAModelComputes(seed: UInt64) async throws {
        try await Self.run(seed, transactions: Effort.cases(5_000))
    }

    static func run(_ seed: UInt64, transactions: Int) async throws {
        try await withTemporaryDatabase { database async throws in
            var random = SplitMix64(seed: seed)
            var model = Model()
            for _ in 0..<random.below(60) { model.change(&random) }
            let connection = try database.newConnection()
            try await Self.write(model, over: Model(), on: connection, reads: false, "The start")
            try await database.register(
                Self.assigned, Self.board, Self.every, Self.overview, Self.located, Self.cities, Self.tagged,
                Self.teams,
                Self.busy, Self.colleagues, Self.tags)
            let (boards, tags) = (UpdatesFollower<Assigned>(), UpdatesFollower<YapPlacedRow<Chore, String>>())
            let loops = [
                Task { try await boards.follow(connection.updates(of: Self.board), "board, seed \(seed)") },
                Task { try await tags.follow(connection.updates(of: Self.tagged), "tagged, seed \(seed)") },
            ]
            defer { for loop in loops { loop.cancel() } }
            await boards.waitForFirst()
            await tags.waitForFirst()
            let stranger = try foreignProgram(database.databaseURL)
            for step in 0..<transactions {
                var changed = model
                for _ in 0...random.below(4) { changed.change(&random) }
                let after = changed
                let how = random.below(20)
                let context: Comment = "seed \(seed), step \(step), \(how)"
                switch how {
                case 0: try Self.writeAsStranger(after, over: model, stranger)
                case 1:
                    try await connection.write { [model] transaction throws in
                        try Self.write(after, over: model, in: transaction, reads: true, context)
                        transaction.rollback()
                    }
                default: try await Self.write(after, over: model, on: connection, reads: how < 6, context)
                }
                if how != 1 { model = after }
                if random.percent(30) { continue }
                try await database.waitUntilIdle()
                try await connection.read { [model] in try Self.expect(model, in: $0, context) }
                try #require(await boards.groups == model.board, "The loop, \(context)")
                try #require(await tags.groups.mapValues { $0.map(\.row) } == model.tagged, "The loop, \(context)")
            }
        }
    }

    private static func write(
        _ after: Model, over before: Model, on connection: YapDatabaseConnection, reads: Bool, _ context: Comment
    ) async throws {
        try await connection.write { try write(after, over: before, in: $0, reads: reads, context) }
    }

    /// - Parameter reads: whether lists are read between the writes, too.
    private static func write(
        _ after: Model, over before: Model, in transaction: YapDatabaseReadWriteTransaction, reads: Bool,
        _ context: Comment
    ) throws {
        if after == Model() { return try transaction.removeAllObjectsInAllCollections() }
        func set<Value: Hashable, Key>(
            _ new: [Key: Value], _ old: [Key: Value], _ collection: YapCollection<Value, Key, Never>
        ) throws {
            if new.isEmpty, !old.isEmpty { return try transaction[collection].removeAll() }
            for key in Set(new.keys).union(old.keys) where new[key] != old[key] {
                if let value = new[key] {
                    try transaction[collection].save(value)
                } else {
                    try transaction[collection].remove(key)
                }
                if reads { _ = try (transaction[teams].count, transaction[cities].count, transaction[tagged].count) }
            }
        }
        try set(after.chores, before.chores, chores)
        try set(after.people, before.people, people)
        try set(after.offices, before.offices, offices)
        if reads { try expect(after, in: transaction, context) }
    }

    private static func writeAsStranger(_ after: Model, over before: Model, _ stranger: SQLiteHandle) throws {
        func changed<Key, Value: Equatable>(_ new: [Key: Value], _ old: [Key: Value]) -> [(key: Key, value: Value?)] {
            Set(new.keys).union(old.keys).filter { new[$0] != old[$0] }.map { ($0, new[$0]) }
        }
        try stranger.setRows(changed(after.chores, before.chores), inCollection: "chores")
        try stranger.setRows(changed(after.people, before.people), inCollection: "people")
        try stranger.setRows(changed(after.offices, before.offices), inCollection: "offices")
    }

    private static func expect(_ model: Model, in transaction: YapDatabaseReadTransaction, _ context: Comment) throws {
        func groups<Value, Key, Found>(
            _ list: YapList<Value, Key, Never>, _ found: (Value) -> Found
        ) throws -> [String: [Found]] {
            let rows = try transaction[list]
            return try Dictionary(uniqueKeysWithValues: rows.groups.map { ($0, try rows.values(in: $0).map(found)) })
        }
        try #require(try Set(transaction[assigned.rows].values()) == Set(model.assigned), context)
        try #require(try groups(board) { $0 } == model.board, context)
        try #require(try transaction[overview].values().map(\.row.id) == model.overview, context)
        try #require(try groups(cities, \.row.row.id) == model.cities, context)
        try #require(try groups(tagged, \.row) == model.tagged, context)
        try #require(try transaction[teams].values().map { "\($0.name) \($0[work] ?? 0)" } == model.teams, context)
        try #require(
            try transaction[colleagues].values().map { "\($0.row.id) \($0.other?.count ?? 0)" } == model.colleagues,
            context)
        try #require(try transaction[tags].values().map { "\($0.name) \($0.count)" } == model.tags, context)
    }

    // MARK: What is refused

    /// A join that follows from itself, a list of rows that nothing derives, and a program that writes derived rows.
    @Test func whatCannotBeIsRefused() throws {
        try withTemporaryDatabase { database in
            let priorities = YapIndex("priorities", of: Self.assigned.rows, on: \.row.priority)
            let texts = YapTextIndex("texts", of: Self.assigned.rows, on: \.row.title)
            expectError(.badExtension) { try database.register(Self.board) }
            expectError(.badExtension) { try database.register(priorities) }
            expectError(.badExtension) { try database.register(texts) }
            expectError(.badExtension) { try database.register(priorities, texts, Self.located) }
            try database.register(Self.assigned, priorities, texts)
            expectError(.badExtension) { try database.unregisterExtension(withName: "assigned.rows") }
            for index in ["priorities", "texts"] { try database.unregisterExtension(withName: index) }
            try database.unregisterExtension(withName: "assigned.rows")
            try database.register(Self.assigned, Self.board, Self.located)
            let people = YapCollection(Self.located.rows.name, of: Person.self)
            let circle = YapJoin("assigned", of: Self.chores, joining: \.person, to: people)
            expectError(.badExtension) { try database.register(circle, replacing: true) }
            let connection = try database.newConnection()
            let row = Assigned(
                row: Chore(id: 1, title: "", person: 1, priority: 1, tags: []),
                other: Person(id: 1, name: "", team: "", office: ""))
            expectError(.badExtension) {
                try connection.readWrite { try $0[Self.assigned.rows].save(row) }
            }
            expectError(.badExtension) { try database.unregisterExtension(withName: "assigned.rows") }
            #expect(try connection.read { try $0[Self.assigned.rows].count } == 0)
        }
    }

    /// A row of another shape costs its own joined rows, and is a problem that the join names; when it can be read, they come.
    @Test func aRowThatCannotBeDecodedCostsItsOwn() async throws {
        try await withTemporaryDatabase { database async throws in
            let connection = try database.newConnection()
            try await connection.write { transaction throws in
                for id in 0..<4 {
                    try transaction[Self.chores].save(Chore(id: id, title: "", person: id % 2, priority: 1, tags: []))
                }
                try transaction[Self.people].save(Person(id: 0, name: "Ann", team: "red", office: ""))
                try transaction[Self.people].save(Person(id: 1, name: "Bob", team: "red", office: ""))
            }
            try await database.register(Self.assigned, Self.board)
            try foreignProgram(database.databaseURL).execute(
                "UPDATE database2 SET data = x'00' WHERE collection = 'people' AND key = '1'")
            try await database.waitUntilIdle()
            #expect(try await connection.read { try $0[Self.board].values(in: "red").map(\.row.id) } == [0, 2])
            let problems = try await connection.read { try $0[Self.board].problems }
            #expect(problems.map(\.collection) == ["people"] && problems.map(\.key) == ["1"])
            #expect(problems.first?.extensionNames == ["assigned.rows"])
            try await connection.write { try $0[Self.people].save(Person(id: 1, name: "Bob", team: "red", office: "")) }
            #expect(try await connection.read { try $0[Self.board].values(in: "red").map(\.row.id) } == [0, 2, 1, 3])
            #expect(try await connection.read { try $0[Self.board].problems } == [])
        }
    }

    /// Rows of a program that knows no lists, and says nothing of what it changes.
    @Test func whatAStrangerWritesIsNamedToo() async throws {
        try await withTemporaryDatabase { database async throws in
            try await database.register(Self.assigned, Self.board)
            let connection = try database.newConnection()
            try await connection.write { transaction throws in
                try transaction[Self.people].save(Person(id: 0, name: "Ann", team: "red", office: ""))
                try transaction[Self.chores].save(Chore(id: 0, title: "", person: 0, priority: 1, tags: []))
                try transaction[Self.chores].save(Chore(id: 1, title: "", person: 5, priority: 1, tags: []))
            }
            let stranger = try foreignProgram(database.databaseURL)
            try stranger.execute("INSERT INTO database2 (collection, key, data) VALUES ('chores', '9', x'00')")
            try stranger.execute("INSERT INTO database2 (collection, key, data) VALUES ('people', '5', x'00')")
            try stranger.execute("INSERT INTO database2 (collection, key, data) VALUES ('people', '6', x'00')")
            try await database.waitUntilIdle()
            try await connection.write {
                try $0[Self.chores].save(Chore(id: 2, title: "", person: 0, priority: 1, tags: []))
            }
            let problems = try await connection.read { try $0[Self.board].problems }
            #expect(problems.map { "\($0.collection) \($0.key)" }.sorted() == ["chores 9", "people 5"])
            #expect(try await connection.read { try $0[Self.board].values(in: "red").map(\.row.id) } == [0, 2])
            try await connection.write { transaction throws in
                try transaction[Self.chores].remove(9)
                try transaction[Self.people].remove([5, 6])
            }
            #expect(try await connection.read { try $0[Self.board].problems } == [])
        }
    }

    /// A row that no list can decode is a problem of each of them that lacks something for it: of groups, of joined rows, of filters.
    @Test func aListNamesWhatItsSourcesLeaveOut() async throws {
        try await withTemporaryDatabase { database async throws in
            let byTeam = YapList("teams", groupsOf: Self.board, sortedBy: .ascending(\.name))
            let urgent = YapList("urgent", filtering: Self.board, where: \.row.priority > 0)
            try await database.register(Self.assigned, Self.board, byTeam, urgent)
            let connection = try database.newConnection()
            func chore(_ id: Int, _ person: Int) -> Chore {
                Chore(id: id, title: "", person: person, priority: 1, tags: [])
            }
            try await connection.write { transaction throws in
                try transaction[Self.people].save(Person(id: 0, name: "Ann", team: "red", office: ""))
                try transaction[Self.people].save(Person(id: 1, name: "Bob", team: "red", office: ""))
                try transaction[Self.chores].save([chore(0, 0), chore(1, 1), chore(2, 0)])
            }
            @Sendable func damage(
                _ transaction: YapDatabaseReadWriteTransaction, _ collection: String, _ key: String, _ byte: UInt8
            ) throws {
                try transaction.setStored(
                    RowKey(collection: collection, key: key), object: Data([byte]), metadata: nil)
            }
            var updates = connection.updates(of: urgent).makeAsyncIterator()
            #expect(try await updates.next()?.problems == [])
            // A chore and a person, by a program with other types.
            try await connection.write { transaction throws in
                try damage(transaction, "chores", "2", 0)
                try damage(transaction, "people", "1", 0)
            }
            let wanted = [("chores", "2"), ("people", "1")]
            func expectProblems(
                _ problems: [YapDatabaseUndecodableRow], of what: String, are wanted: [(String, String)]
            ) {
                let found = problems.map { "\($0.collection) \($0.key) \($0.extensionNames)" }.sorted()
                #expect(found == wanted.map { "\($0.0) \($0.1) [\"assigned.rows\"]" }, "\(what)")
            }
            for list in [Self.board, urgent] {
                expectProblems(try await connection.read { try $0[list].problems }, of: list.name, are: wanted)
            }
            expectProblems(try await connection.read { try $0[byTeam].problems }, of: "teams", are: wanted)
            var update = try await updates.next()
            while update?.problems.count != 2 { update = try await updates.next() }
            #expect(update?.rows.map(\.row.id) == [0])
            #expect(try await connection.read { try $0[byTeam].values().map(\.count) } == [1])

            try await connection.write { try damage($0, "people", "1", 1) }
            expectProblems(try await connection.read { try $0[urgent].problems }, of: "urgent", are: wanted)
            // One that no row names is no problem of the join.
            try await connection.write { try $0[Self.chores].remove(1) }
            expectProblems(
                try await connection.read { try $0[urgent].problems }, of: "urgent", are: [("chores", "2")])
            try await connection.write { try $0[Self.chores].save([chore(2, 0), chore(1, 1)]) }
            expectProblems(
                try await connection.read { try $0[urgent].problems }, of: "urgent", are: [("people", "1")])
            try await connection.write { try $0.removeObject(forKey: "1", inCollection: "people") }
            #expect(try await connection.read { try $0[urgent].problems } == [])
            #expect(try await connection.read { try $0[byTeam].values().map(\.count) } == [2])
        }
    }

    /// Within a write, whatever reads joined rows with their types sees those of the rows as they are: a list, the rows, an index, a text index.
    @Test func aWriteReadsItsOwnJoinedRows() throws {
        try withTemporaryDatabase { database in
            let priorities = YapIndex("priorities", of: Self.assigned.rows, on: \.row.priority)
            let texts = YapTextIndex("texts", of: Self.assigned.rows, on: \.row.title)
            try database.register(Self.assigned, priorities, texts)
            try database.newConnection().readWrite { transaction in
                for id in 1...3 {
                    try transaction[Self.people].save(Person(id: id, name: "", team: "", office: ""))
                    try transaction[Self.chores].save(
                        Chore(id: id, title: "paint", person: id, priority: id, tags: []))
                    #expect(try transaction[texts].keys(matching: .words(in: "paint")).count == id)
                    try transaction[Self.chores].save(
                        Chore(id: id, title: "print paint", person: id, priority: id + 10, tags: []))
                    let found = try transaction[Self.assigned.rows.where(\.row.priority > 10)].values()
                    #expect(found.count == id)
                    try transaction[Self.people].remove(id)
                    #expect(try transaction[Self.assigned.rows].count == id - 1)
                    try transaction[Self.people].save(Person(id: id, name: "", team: "", office: ""))
                }
            }
        }
    }

    /// An index over joined rows is compared with these after commits that do not say what they changed, and keeps its entries.
    @Test func anIndexOfJoinedRowsStaysBesideAStranger() async throws {
        try await withTemporaryDatabase { database async throws in
            let priorities = YapIndex("priorities", of: Self.assigned.rows, on: \.row.priority)
            try await database.register(Self.assigned, priorities)
            let connection = try database.newConnection()
            let stranger = try foreignProgram(database.databaseURL)
            try await connection.write { transaction throws in
                for id in 0..<3 {
                    try transaction[Self.people].save(Person(id: id, name: "", team: "", office: ""))
                    try transaction[Self.chores].save(Chore(id: id, title: "", person: id, priority: id, tags: []))
                }
            }
            for priority in 10..<13 {
                try stranger.setRows(
                    [(0, Chore(id: 0, title: "", person: 0, priority: priority, tags: []))], inCollection: "chores")
                try await database.waitUntilIdle()
                let found = try await connection.read {
                    try $0[Self.assigned.rows.where(\.row.priority > 0)].values().map(\.row.priority)
                }
                #expect(found.sorted() == [1, 2, priority])
            }
        }
    }

    /// What a program changed that registers nothing, while none was there that does.
    @Test func aFileIsOpenedAgain() async throws {
        try await withTemporaryFolder { folder async throws in
            let url = folder.appending(path: "test.sqlite")
            var random = SplitMix64(seed: 11)
            var model = Model()
            for start in 0..<4 {
                let before = model
                for _ in 0..<80 { model.change(&random) }
                let other = try YapDatabase(url: url, options: .forTests)
                try await Self.write(model, over: before, on: other.newConnection(), reads: false, "start \(start)")
                try other.close()
                let database = try YapDatabase(url: url, options: .forTests)
                try await database.register(
                    Self.assigned, Self.board, Self.every, Self.overview, Self.located, Self.cities, Self.tagged,
                    Self.teams, Self.busy, Self.colleagues, Self.tags)
                // Rows that another program changed follow in the background.
                try await database.waitUntilIdle()
                try await database.newConnection().read { [model] in try Self.expect(model, in: $0, "start \(start)") }
                try database.close()
                #expect(try YapDatabase.check(url: url).isEmpty)
            }
        }
    }
}
