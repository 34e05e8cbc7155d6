import Foundation
import ListChanges
import TestSupport
import Testing

@testable import YapDatabase

/// Lists over rows that are derived from derived rows, where another process writes: a search list with an order of its own is in memory alone.
@Suite(.serialized) struct RelatedListsBesideOthersTests {
    private struct Office: Codable, Sendable, Identifiable {
        var id: Int
        var city: String
    }

    private struct Person: Codable, Sendable, Identifiable {
        var id: Int
        var office: Int
    }

    private struct Chore: Codable, Sendable, Identifiable {
        var id: Int
        var person: Int
        var due = Date(timeIntervalSinceReferenceDate: 0)
        var text = "task"
    }

    private static let folder = ProcessFolder("related-lists-beside-others")
    private static let tasks = YapCollection("tasks", of: Chore.self)
    private static let people = YapCollection("people", of: Person.self)
    private static let offices = YapCollection("offices", of: Office.self)
    private static let assigned = YapJoin("assigned", of: tasks, joining: \.person, to: people)
    private static let located = YapJoin("located", of: assigned.rows, joining: \.other.office, to: offices)
    private static let texts = YapTextIndex("texts", of: located.rows, on: \.other.city)
    private static let found = YapList("found", searching: texts, sortedBy: .ascending(\.row.row.id))
    private static let dated = YapTimed("dated", of: tasks, at: \.due, in: .gmt)
    private static let datedTexts = YapTextIndex("dated texts", of: dated.rows, on: \.row.text)
    private static let past = YapList(
        "past", searching: datedTexts, sortedBy: .ascending(\.row.id), where: \.isPast == true)

    private static func open(_ folder: URL, _ clock: YapManualClock = YapManualClock()) throws -> YapDatabase {
        var options = YapDatabaseOptions.forTests
        options.clock = clock
        let database = try YapDatabase(url: folder.appending(path: "t.sqlite"), options: options)
        try database.register([assigned, located, texts, found, dated, datedTexts, past])
        return database
    }

    private static func ids(_ database: YapDatabase) throws -> [Int] {
        try database.newConnection().read { try $0[found].values().map(\.row.row.id) }
    }

    /// The child changes rows from which joined rows take their values: its commit touches no row of the collection that is listed.
    @Test func aSearchListFollowsRowsThatJoinedRowsName() async throws {
        let folder = try Self.folder.make()
        defer { Self.folder.remove() }
        let database = try Self.open(folder)
        try database.newConnection().syncReadWrite { transaction throws in
            for id in 1...3 {
                try transaction[Self.offices].save(Office(id: id, city: id == 1 ? "Rome" : "Bern"))
                try transaction[Self.people].save(Person(id: id, office: id))
                try transaction[Self.tasks].save(Chore(id: id, person: id))
            }
            try transaction[Self.found].search(for: .words(in: "rome"))
        }
        #expect(try Self.ids(database) == [1])
        await #expect(processExitsWith: .success) {
            try Self.write { try $0[Self.offices].save(Office(id: 2, city: "Rome")) }
        }
        #expect(try Self.ids(database) == [1, 2])
        await #expect(processExitsWith: .success) {
            try Self.write { try $0[Self.offices].save(Office(id: 1, city: "Oslo")) }
        }
        #expect(try Self.ids(database) == [2])
        await #expect(processExitsWith: .success) { try Self.write { try $0[Self.offices].remove(1) } }
        #expect(try Self.ids(database) == [2])
        try database.newConnection().syncReadWrite { try $0[Self.offices].save(Office(id: 3, city: "Rome")) }
        #expect(try Self.ids(database) == [2, 3])
        try Self.close(database)
    }

    /// The child's clock is ahead, so it writes derived rows and nothing else.
    @Test func aSearchListFollowsAMomentThatAnotherProcessNotices() async throws {
        let folder = try Self.folder.make()
        defer { Self.folder.remove() }
        let database = try Self.open(folder)
        let past = {
            try database.newConnection().syncRead { try $0[Self.past].values().map(\.row.id) }
        }
        try database.newConnection().syncReadWrite { transaction throws in
            for id in 1...3 {
                let due = Date(timeIntervalSinceReferenceDate: Double(id) * 100)
                try transaction[Self.tasks].save(Chore(id: id, person: id, due: due))
            }
            try transaction[Self.past].search(for: .words(in: "task"))
        }
        #expect(try past() == [])
        await #expect(processExitsWith: .success) {
            let clock = YapManualClock()
            let database = try Self.open(Self.folder.ofParent, clock)
            clock.advance(by: 250)
            try await database.waitUntilIdle()
            try database.close()
        }
        #expect(try past() == [1, 2])
        try Self.close(database)
    }

    /// A program that registers nothing removes all rows. What this one makes of that in memory, before its next write, writes nothing.
    @Test func aStateThatIsCompletedInMemoryWritesNothing() async throws {
        let folder = try Self.folder.make()
        defer { Self.folder.remove() }
        for round in 0..<8 {
            let database = try Self.open(folder)
            let order = YapList("order", of: Self.people, groupedBy: \.office, sortedBy: .ascending(\.id))
            let groups = YapList("groups", groupsOf: order)
            try await database.register([order, groups])
            try database.newConnection().syncReadWrite { transaction throws in
                for id in 1...20 { try transaction[Self.people].save(Person(id: id, office: id % 3)) }
            }
            await #expect(processExitsWith: .success) {
                let database = try YapDatabase(
                    url: Self.folder.ofParent.appending(path: "t.sqlite"), options: .forTests)
                try database.newConnection().syncReadWrite { try $0.removeAllObjectsInAllCollections() }
                try database.close()
            }
            let counts = try database.newConnection().syncRead { transaction throws in
                (try transaction[order].values().count, try transaction[groups].values().count)
            }
            #expect(counts == (0, 0), "round \(round)")
            try Self.close(database)
        }
    }

    private static let every = YapJoin("every", of: tasks, joiningIfThere: \.person, to: people)
    private static let overview = YapList("overview", of: every.rows, sortedBy: .ascending(\.row.id))
    private static let words = YapTextIndex("words", of: every.rows, on: \.row.text)
    private static let hits = YapList("hits", searching: words, sortedBy: .ascending(\.row.id))

    private static func shown(_ database: YapDatabase) throws -> [[String]] {
        try database.newConnection().read { transaction throws in
            try [transaction[overview].values(), transaction[hits].values()].map { rows in
                rows.map { "\($0.row.id) \($0.other?.office ?? 0)" }
            }
        }
    }

    /// A program that registers nothing removes all rows, and writes some. The joined rows of these are made again, with the rowids of those that
    /// are gone.
    @Test func rowsThatAreWrittenAfterAllWereRemovedAreListed() async throws {
        let folder = try Self.folder.make()
        defer { Self.folder.remove() }
        let database = try Self.open(folder)
        try await database.register([Self.every, Self.overview, Self.words, Self.hits])
        func expect(_ rows: [String], _ context: String) throws {
            try waitUntil("\(context): \(rows), not \((try? Self.shown(database)) ?? [])") {
                try Self.shown(database) == [rows, rows]
            }
        }
        try database.newConnection().syncReadWrite { transaction throws in
            for id in 1...3 {
                try transaction[Self.people].save(Person(id: id, office: id))
                try transaction[Self.tasks].save(Chore(id: id, person: id))
            }
            try transaction[Self.hits].search(for: .words(in: "task"))
        }
        try expect(["1 1", "2 2", "3 3"], "at first")
        await #expect(processExitsWith: .success) {
            try Self.writeAlone {
                try $0.removeAllObjectsInAllCollections()
                try $0[Self.tasks].save(Chore(id: 2, person: 1))
            }
        }
        try expect(["2 0"], "in one transaction")
        await #expect(processExitsWith: .success) {
            try Self.writeAlone { try $0.removeAllObjectsInAllCollections() }
            try Self.writeAlone { transaction throws in
                try transaction[Self.people].save(Person(id: 1, office: 7))
                for id in 1...2 { try transaction[Self.tasks].save(Chore(id: id, person: id)) }
            }
        }
        try expect(["1 7", "2 0"], "in two")
        await #expect(processExitsWith: .success) {
            try Self.writeAlone { transaction throws in
                try transaction[Self.tasks].remove(1)
                try transaction[Self.tasks].save(Chore(id: 9, person: 1))
            }
        }
        try expect(["2 0", "9 7"], "one goes and one comes")
        try Self.close(database)
    }

    private static let number = YapIndex("number", of: tasks, on: \.person)

    /// What a program wrote that knows only SQLite is marked nowhere. Before this process has brought its columns and derived rows up to date, another
    /// process commits, which registers nothing, or a part.
    @Test(arguments: ["nothing", "a join", "all, and writes", "tasks"])
    func whatIsNotMarkedIsNotForgottenForACommitOfAnotherProcess(child: String) async throws {
        let folder = try Self.folder.make()
        defer { Self.folder.remove() }
        let database = try Self.open(folder)
        try await database.register([Self.every, Self.overview, Self.words, Self.hits, Self.number])
        try database.newConnection().syncReadWrite { transaction throws in
            for id in 1...5 {
                try transaction[Self.people].save(Person(id: id, office: id))
                try transaction[Self.tasks].save(Chore(id: id, person: id))
            }
            try transaction[Self.hits].search(for: .words(in: "task"))
        }
        let program = try foreignProgram(database.databaseURL)
        // The process has seen the commit, and its own write is still to come.
        database.recoveries.suspend()
        let changes: [(key: Int, value: Chore?)] = [
            (5, nil), (2, Chore(id: 2, person: 4)), (6, Chore(id: 6, person: 1)),
        ]
        try program.setRows(changes, inCollection: "tasks")
        _ = try Self.shown(database)
        try FileManager.default.createDirectory(
            at: folder.appending(path: child), withIntermediateDirectories: false)
        await #expect(processExitsWith: .success) { try Self.writeAsChild() }
        _ = try Self.shown(database)
        database.recoveries.resume()
        let rows = ["1 1", "2 4", "3 3", "4 4", "6 1"] + (child == "tasks" ? ["7 3"] : [])
        try waitUntil("\(rows), not \((try? Self.shown(database)) ?? [])") { try Self.shown(database) == [rows, rows] }
        let found = try database.newConnection().syncRead { transaction throws in
            try (1...5).map { person in
                try transaction[Self.tasks].where(\.person == person).values().map(\.id).sorted()
            }
        }
        #expect(found == [[1, 6], [], child == "tasks" ? [3, 7] : [3], [2, 4], []])
        try Self.close(database)
    }

    /// In the child.
    private static func writeAsChild() throws {
        let folder = folder.ofParent
        let database = try YapDatabase(url: folder.appending(path: "t.sqlite"), options: .forTests)
        func isAsked(_ name: String) -> Bool {
            FileManager.default.fileExists(atPath: folder.appending(path: name).path)
        }
        if isAsked("a join") { try database.register([assigned]) }
        if isAsked("all, and writes") { try database.register([every, overview, words, number]) }
        try database.newConnection().readWrite { transaction throws in
            try transaction.setObject("1", forKey: "unrelated", inCollection: "other")
            if isAsked("tasks") { try transaction[tasks].save(Chore(id: 7, person: 3)) }
        }
        try database.close()
    }

    /// In the child, which registers nothing.
    private static func writeAlone(_ body: (YapDatabaseReadWriteTransaction) throws -> Void) throws {
        let database = try YapDatabase(url: folder.ofParent.appending(path: "t.sqlite"), options: .forTests)
        try database.newConnection().readWrite(body)
        try database.close()
    }

    /// In the child.
    private static func write(_ body: (YapDatabaseReadWriteTransaction) throws -> Void) throws {
        let database = try open(folder.ofParent)
        try database.newConnection().readWrite(body)
        try database.close()
    }

    private static func close(_ database: YapDatabase) throws {
        let url = database.databaseURL
        try database.close()
        #expect(try YapDatabase.check(url: url) == [])
    }
}
