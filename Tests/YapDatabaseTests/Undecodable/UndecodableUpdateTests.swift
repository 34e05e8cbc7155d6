import Foundation
import SQLiteBridge
import TestSupport
import Testing

@testable import YapDatabase

/// Streams and models while rows become undecodable, by this program and by others.
@Suite struct UndecodableUpdateTests {
    @Test func aStreamGoesOnAndSaysWhatIsLeftOut() async throws {
        try await withTemporaryDatabase { database in
            try await database.register(Novel.order)
            let connection = try database.newConnection()
            try await connection.readWrite { transaction throws in
                try transaction[Novel.all].save([Novel(1, "a"), Novel(2, "b"), Novel(3, "c")])
            }
            var updates = connection.updates(of: Novel.order).makeAsyncIterator()
            var update = try #require(try await updates.next())
            #expect(update.rows.map(\.id) == [1, 2, 3] && update.problems == [])

            try await connection.readWrite { try $0.spoil("2") }
            update = try #require(try await updates.next())
            #expect(update.rows.map(\.id) == [1, 3] && update.problems.map(\.key) == ["2"])
            #expect(update.outcome.changeSet?.isEmpty == false)

            // Nothing that is shown changes, and what is left out does.
            try await connection.readWrite { try $0.spoil("9") }
            update = try #require(try await updates.next())
            #expect(update.rows.map(\.id) == [1, 3] && update.problems.map(\.key) == ["2", "9"])
            #expect(update.outcome == .none)

            try await connection.readWrite { try $0[Novel.all].save([Novel(2, "b"), Novel(9, "z")]) }
            update = try #require(try await updates.next())
            #expect(update.rows.map(\.id) == [1, 2, 3, 9] && update.problems == [])
        }
    }

    @MainActor @Test func aModelSaysItToo() async throws {
        try await withTemporaryDatabase { database in
            try await database.register(Novel.order)
            let connection = try database.newConnection()
            try await connection.readWrite { try $0[Novel.all].save([Novel(1, "a"), Novel(2, "b")]) }
            let model = try YapListModel(Novel.order, in: database)
            try await connection.readWrite { try $0.spoil("1") }
            model.advance()
            #expect(model.count == 1 && model.problems.map(\.key) == ["1"] && model.failure == nil)
            try await connection.readWrite { try $0[Novel.all].remove(1) }
            model.advance()
            #expect(model.count == 1 && model.problems == [] && model.failure == nil)
        }
    }

    private static let folder = ProcessFolder("mended")

    /// A process that registers nothing removes one row that is left out, and mends another one.
    @Test func whatAnotherProcessMendsIsNoProblemAnyMore() async throws {
        let folder = try Self.folder.make()
        defer { Self.folder.remove() }
        let url = folder.appending(path: "t.sqlite")
        let database = try YapDatabase(url: url, options: .forTests)
        try await database.register(Novel.order)
        let connection = try database.newConnection()
        try await connection.readWrite { transaction throws in
            try transaction[Novel.all].save([Novel(1, "a"), Novel(2, "b"), Novel(3, "c")])
            for key in ["2", "3"] { try transaction.spoil(key) }
        }
        var updates = connection.updates(of: Novel.order).makeAsyncIterator()
        var update = try #require(try await updates.next())
        #expect(update.rows.map(\.id) == [1] && update.problems.map(\.key) == ["2", "3"])

        await #expect(processExitsWith: .success) { try Self.changeElsewhere { try $0[Novel.all].remove(2) } }
        while update.problems.map(\.key) != ["3"] { update = try #require(try await updates.next()) }
        #expect(update.rows.map(\.id) == [1])

        await #expect(processExitsWith: .success) {
            try Self.changeElsewhere { try $0[Novel.all].save(Novel(3, "c")) }
        }
        while !update.problems.isEmpty || update.rows.count < 2 { update = try #require(try await updates.next()) }
        #expect(update.rows.map(\.id) == [1, 3])
        try database.close()
        #expect(try YapDatabase.check(url: url) == [])
    }

    private static func changeElsewhere(_ change: (YapDatabaseReadWriteTransaction) throws -> Void) throws {
        let database = try YapDatabase(url: folder.ofParent.appending(path: "t.sqlite"), options: .forTests)
        try database.newConnection().readWrite(change)
        try database.close()
    }

    /// The `sqlite3` shell changes the bytes of a row of the list.
    @Test func anotherProgramChangesARowPastTheLibrary() async throws {
        let reports = Reports()
        try await withTemporaryDatabase(options: reports.options()) { database in
            try await database.register(Novel.order)
            let connection = try database.newConnection()
            try await connection.readWrite { transaction throws in
                try transaction[Novel.all].save([Novel(1, "a"), Novel(2, "b"), Novel(3, "c")])
            }
            let change = "UPDATE database2 SET data = x'00ff' WHERE key = '2'"
            let shell = try run("/usr/bin/env", ["sqlite3", database.databaseURL.path, change])
            // Not every machine has it.
            if shell.code == 127 { try foreignProgram(database.databaseURL).execute(change) }
            #expect([0, 127].contains(shell.code), "\(shell.text)")
            try await connection.readWrite { try $0[Novel.all].save(Novel(4, "d")) }
            try await connection.read { transaction throws in
                #expect(try transaction[Novel.order].values(in: "hall").map(\.id) == [1, 3, 4])
                #expect(try transaction[Novel.order].problems.map(\.key) == ["2"])
            }
            try await connection.readWrite { try $0[Novel.all].removeAll() }
            #expect(try await connection.read { try $0[Novel.order].problems } == [])
            try reports.expect(["2"])
        }
    }

    /// A row that was never in the list: it is right where it is, and still has to be said. Many rows are compared in the background.
    @Test(arguments: Effort.some([3, 1_500]))
    func aRowThatAnotherProgramAddsPastTheLibraryIsNoted(rows: Int) throws {
        let reports = Reports()
        try withTemporaryDatabase(options: reports.options()) { database throws in
            try database.register(Novel.order, Novel.fields, Novel.texts)
            let connection = try database.newConnection()
            try connection.readWrite { transaction throws in
                try transaction[Novel.all].save((0..<rows).map { Novel($0, "title \($0)") })
            }
            try foreignProgram(database.databaseURL).execute(
                "INSERT INTO database2 (collection, key, data) VALUES ('novels', '5000', x'00ff')")
            try waitUntil("All three name it") {
                try connection.read { transaction throws in
                    try ["order", "fields", "texts"].allSatisfy {
                        try transaction.ext($0)?.problems.map(\.key) == ["5000"]
                    }
                }
            }
            // A program without any decoder says it too.
            let told = try YapDatabase.check(url: database.databaseURL)
            #expect(told.compactMap(\.extensionName).sorted() == ["fields", "order", "texts"], "\(told)")
            try connection.readWrite { try $0[Novel.all].remove(5000) }
            #expect(try connection.read { try $0[Novel.order].problems } == [])
            try reports.expect(["5000"])
        }
    }

    /// While no program of ours runs: nothing tells of it, until a reader comes upon the row.
    @Test func aRowThatChangedWhileTheFileWasClosed() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appending(path: "test.sqlite")
            let reports = Reports()
            var database = try YapDatabase(url: url, options: reports.options())
            try await database.register(Novel.order)
            try await database.newConnection().readWrite { transaction throws in
                try transaction[Novel.all].save([Novel(1, "a"), Novel(2, "b"), Novel(3, "c")])
            }
            try database.close()
            try foreignProgram(url).execute("UPDATE database2 SET data = x'00ff' WHERE key = '2'")

            database = try YapDatabase(url: url, options: reports.options())
            try await database.register(Novel.order)
            let connection = try database.newConnection()
            // A write whose place is found by comparing with the row.
            try await connection.readWrite { try $0[Novel.all].save(Novel(4, "bb")) }
            var updates = connection.updates(of: Novel.order).makeAsyncIterator()
            var update = try #require(try await updates.next())
            #expect(update.rows.map(\.id) == [1, 4, 3] && update.problems.map(\.key) == ["2"])
            // It leaves the list, because no other program may know it.
            while try await connection.read({ try $0[Novel.order].count }) != 3 {
                update = try #require(try await updates.next())
            }
            try await connection.read { transaction throws in
                #expect(try transaction[Novel.order].values(in: "hall").map(\.id) == [1, 4, 3])
                #expect(try transaction[Novel.order].problems.map(\.key) == ["2"])
            }
            try reports.expect(["2"])
            try await connection.readWrite { try $0[Novel.all].remove(2) }
            try database.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    /// Rows that another program put into the list, and that this one cannot decode, do not disturb the order of the others.
    @Test(arguments: Effort.some([1, 2, 3, 4] as [UInt64])) func rowsAreInOrderAroundThoseOfAnotherProgram(seed: UInt64)
        throws
    {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "test.sqlite")
            var random = SplitMix64(seed: seed)
            var database = try YapDatabase(url: url, options: .forTests)
            let exact = YapList("exact", of: Novel.all, sortedBy: .ascending(\.price))
            try database.register(Novel.order, exact)
            var bad: Set<Int> = []
            try database.newConnection().readWrite { transaction throws in
                for id in 0..<400 {
                    let novel = Novel.random(id, &random)
                    let isBad = random.percent(seed == 4 ? 100 : 35)
                    if isBad { bad.insert(id) }
                    try transaction.setObject(
                        novel, forKey: "\(id)", inCollection: "novels", withMetadata: nil,
                        serializedObject: isBad ? Data("of another program".utf8) : nil, serializedMetadata: nil)
                }
            }
            try database.close()
            database = try YapDatabase(url: url, options: .forTests)
            try database.register(Novel.order, exact)
            let connection = try database.newConnection()
            for step in 0..<60 {
                try connection.readWrite { transaction throws in
                    for _ in 0..<(step % 20 == 19 ? 120 : 3) {
                        let id = random.below(500)
                        if bad.contains(id) { continue }
                        try transaction[Novel.all].save(Novel.random(id, &random))
                    }
                }
            }
            try connection.read { transaction throws in
                let novels = Dictionary(
                    uniqueKeysWithValues: try transaction[Novel.all].decodableValues().values.map { ("\($0.id)", $0) })
                for name in ["order", "exact"] {
                    let view = try #require(transaction.ext(name) as? YapDatabaseViewTransaction)
                    for group in view.allGroups() {
                        let found = try (0..<view.numberOfItems(inGroup: group)).compactMap {
                            try view.rowKey(at: $0, inGroup: group).flatMap { novels[$0.key] }
                        }
                        let isInOrder = zip(found, found.dropFirst()).allSatisfy { a, b in
                            name == "exact"
                                ? a.price <= b.price
                                : a.year == b.year
                                    ? (a.title, a.id) < (b.title, b.id) : (a.year ?? .min) > (b.year ?? .min)
                        }
                        #expect(isInOrder, "seed \(seed), \(name), \(group)")
                    }
                }
            }
            try database.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }
}
