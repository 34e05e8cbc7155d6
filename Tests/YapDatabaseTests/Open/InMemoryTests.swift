import Foundation
import TestSupport
import Testing

@testable import YapDatabase

/// A database in memory behaves like one in a file, and leaves nothing.
@Suite(.serialized) struct InMemoryTests {
    private static let folder = ProcessFolder("memory")

    private static func withMemory(_ body: (YapDatabase) throws -> Void) throws {
        try TestedPlace.$isMemory.withValue(true) { try withTemporaryDatabase(body) }
    }

    /// The property tests of views, filters, queries, searches and streams, each against its model.
    @Test func whatHoldsForFilesHoldsInMemory() async throws {
        try await TestedPlace.$isMemory.withValue(true) {
            try ViewPropertyTests.run(11, transactions: 60)
            try FilteredViewPropertyTests.run(12, transactions: 60)
            try LookupPropertyTests.run(13, transactions: 60)
            try SearchResultsPropertyTests.run(14, transactions: 60)
            try await ListUpdatesTests().updatesFollowTheDatabase(seed: 15)
            try LongLivedReadTests().aFrozenConnectionSeesItsStateUntilItJumps()
            try LongLivedReadTests().jumpingDoesNotWaitForAWriter()
        }
    }

    @Test func severalConnectionsReadWhileOneWrites() throws {
        try Self.withMemory { database in
            let (writer, reader, other) = try (
                database.newConnection(), database.newConnection(), database.newConnection()
            )
            try writer.readWrite { try $0.setObject("one", forKey: "k") }
            try reader.jump()
            try writer.readWrite { try $0.setObject("two", forKey: "k") }
            // The long-lived read stays on its state while others see the newest.
            #expect(try reader.read { try $0.object(forKey: "k") as? String } == "one")
            #expect(try other.read { try $0.object(forKey: "k") as? String } == "two")
            #expect(try reader.jump().count == 1)
            #expect(try reader.read { try $0.object(forKey: "k") as? String } == "two")
        }
    }

    @Test func viewsAndMappingsFollowCommits() throws {
        try Self.withMemory { database in
            try database.register(Novel.order)
            let (writer, screen) = try (database.newConnection(), database.newConnection())
            let mappings = Novel.order.mappings(.all)
            try screen.jump()
            try screen.read { try mappings.update(with: $0) }
            var random = SplitMix64(seed: 7)
            for step in 0..<50 {
                var before: [ListSection<Novel>] = []
                try screen.read { before = try $0[Novel.order].sections(with: mappings).sections }
                try writer.readWrite { transaction throws in
                    for _ in 0..<5 { try transaction[Novel.all].save(Novel.random(random.below(40), &random)) }
                    if step % 7 == 0 { try transaction[Novel.all].remove(random.below(40)) }
                }
                let view = try #require(screen.ext(Novel.order.name) as? YapDatabaseViewConnection)
                let outcome = try view.outcome(for: screen.jump(), with: mappings)
                try screen.read { transaction throws in
                    let now = try transaction[Novel.order].sections(with: mappings).sections
                    if let changes = outcome.changeSet {
                        try changes.apply(to: &before) { now[$0.section].rows[$0.row] }
                    }
                    #expect(before == now, "step \(step)")
                }
            }
        }
    }

    @Test func eachIsADatabaseOfItsOwn() throws {
        try Self.withMemory { one in
            try Self.withMemory { other in
                try one.newConnection().readWrite { try $0.setObject(1, forKey: "k") }
                #expect(try other.newConnection().read { try !$0.hasObject(forKey: "k") })
            }
        }
    }

    @Test func itIsGoneWhenItIsReleased() throws {
        var database: YapDatabase? = try YapDatabase.inMemory()
        let folder = try #require(database?.databaseURL.deletingLastPathComponent().path)
        #expect(folder.hasPrefix("/dev/shm/") && FileManager.default.fileExists(atPath: folder))
        try database?.newConnection().readWrite { try $0.setObject(1, forKey: "k") }
        database = nil
        try waitUntil("the folder is gone") { !FileManager.default.fileExists(atPath: folder) }
    }

    /// Its views need temporary space, too.
    @Test func nothingOfItIsOnADisk() async throws {
        _ = try Self.folder.make()
        defer { Self.folder.remove() }
        await #expect(processExitsWith: .success) {
            let folder = Self.folder.ofParent
            setenv("TMPDIR", folder.path, 1)
            setenv("SQLITE_TMPDIR", folder.path, 1)
            _ = FileManager.default.changeCurrentDirectoryPath(folder.path)
            let database = try YapDatabase.inMemory()
            let connection = try database.newConnection()
            try connection.syncReadWrite { transaction throws in
                for id in 0..<5_000 { try transaction[Novel.all].save(Novel(id, "title \(id % 100)", .hall)) }
            }
            try await database.register(Novel.order)
            try await connection.vacuum()
            let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
            }
            #expect(files.contains { $0.hasSuffix("memory.sqlite-wal") })
            #expect(files.filter { $0.contains(".sqlite") }.allSatisfy { $0.hasPrefix("/dev/shm/") }, "\(files)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
            try database.close()
        }
    }

    /// The folder of a process that was killed is removed by the next one that makes such a database; those of running processes stay.
    @Test func aKilledProcessLeavesNothingBehindTheNext() async throws {
        let folder = try Self.folder.make()
        defer { Self.folder.remove() }
        await #expect(processExitsWith: .signal(SIGKILL)) {
            let database = try YapDatabase.inMemory()
            try database.newConnection().syncReadWrite { try $0.setObject("x", forKey: "k") }
            try Data(database.databaseURL.path.utf8).write(to: Self.folder.ofParent.appending(path: "path"))
            kill(getpid(), SIGKILL)
        }
        let left = try String(contentsOf: folder.appending(path: "path"), encoding: .utf8)
        try Self.withMemory { database in
            #expect(!FileManager.default.fileExists(atPath: left))
            try Self.withMemory { _ in
                #expect(FileManager.default.fileExists(atPath: database.databaseURL.path))
            }
        }
    }

    /// Other programs may look into it.
    @Test func anotherProcessOpensItWhileItLasts() async throws {
        let folder = try Self.folder.make()
        defer { Self.folder.remove() }
        let database = try YapDatabase.inMemory(options: .forTests)
        let connection = try database.newConnection()
        try await connection.readWrite { try $0.setObject("mine", forKey: "k") }
        try Data(database.databaseURL.path.utf8).write(to: folder.appending(path: "path"))
        await #expect(processExitsWith: .success) {
            let path = try String(contentsOf: Self.folder.ofParent.appending(path: "path"), encoding: .utf8)
            let database = try YapDatabase(path: path, options: .forTests)
            try database.newConnection().syncReadWrite { transaction throws in
                #expect(try transaction.object(forKey: "k") as? String == "mine")
                try transaction.setObject("theirs", forKey: "k")
            }
            try database.close()
        }
        try await database.waitUntilIdle()
        #expect(try await connection.read { try $0.object(forKey: "k") as? String } == "theirs")
        #expect(try YapDatabase.check(url: database.databaseURL) == [])
        try database.close()
    }
}
