import Foundation
import SQLiteBridge
import Synchronization
import TestSupport
import TestTraits
import Testing

@testable import FileEngine
@testable import YapDatabase

/// What a program stores while it rests, so that its file is opened as quickly after it was killed as after it was closed.
@Suite struct RestTests: SummarizedFiles {
    /// Random sessions that write, rest, write no row of the list, and are killed: the next program has the list of the rows, and from a
    /// summary if the program was killed in a rest.
    @Test(arguments: Effort.some([1, 2, 3, 4, 5, 6] as [UInt64])) func aKilledProgramsFileIsOpenedFromASummary(
        seed: UInt64
    ) throws {
        try withTemporaryFolder { folder throws in
            var random = SplitMix64(seed: seed)
            var url = folder.appending(path: "0.sqlite")
            try withItems(url, fewest: .max) { try write(200, &random, $0) }
            for step in 1...8 {
                let context: Comment = "seed \(seed), step \(step)"
                let database = try YapDatabase(url: url, options: .forTests)
                database.registerItems()
                try database.register(Item.view(), withName: "items")
                #expect(try lists(database) == sorted(database), context)
                var isStored = isFromSummary(database)
                // Without a commit nothing is worth it.
                var isChanged = false
                for _ in 0..<Int.random(in: 1...6, using: &random) {
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: try write([1, 30].randomElement(using: &random)!, &random, database)
                    case 1:
                        try database.newConnection().readWrite {
                            try $0.setObject("x", forKey: "k", inCollection: "other")
                        }
                    default:
                        rest(database)
                        isStored = isStored || isChanged
                        continue
                    }
                    (isStored, isChanged) = (false, true)
                }
                let wanted = try sorted(database)
                let copy = folder.appending(path: "\(step).sqlite")
                try copyAsKilled(url, to: copy)
                try database.close()
                try withItems(copy, fewest: .max) { database throws in
                    #expect(!isStored || isFromSummary(database), context)
                    #expect(try lists(database) == wanted, context)
                }
                for file in [url, copy] { #expect(try YapDatabase.check(url: file) == [], context) }
                url = copy
            }
        }
    }

    /// It is a commit that changes nothing: lists are not told of a change, caches stay, and others may go on reading the state before.
    @Test func noListChanges() throws {
        try withSummary { url, wanted throws in
            let database = try opened(url)
            let (writer, reader, still) = (
                try database.newConnection(), try database.newConnection(), try database.newConnection()
            )
            try reader.beginLongLivedReadTransaction()
            try still.beginLongLivedReadTransaction()
            let mappings = YapDatabaseViewMappings(groups: ["A", "B"], view: "items")
            try reader.read { try mappings.update(with: $0) }
            try writer.readWrite { try $0.removeObject(forKey: #require(wanted["A"]?.first), inCollection: "c") }
            let before = database.snapshot
            rest(database)
            #expect(database.snapshot == before + 1)
            let commits = try reader.jump()
            #expect(commits.count == 2 && commits.last?.base.changes.isEmpty == true)
            let connection = try #require(reader.ext("items") as? YapDatabaseViewConnection)
            guard case .changes(let changes) = try connection.outcome(for: commits, with: mappings) else {
                Issue.record("One row was removed.")
                return
            }
            #expect(changes.rowChanges.count == 1)
            // Nothing is left to store.
            rest(database)
            #expect(database.snapshot == before + 1)
            // A list that has not changed needs only a new number.
            try writer.readWrite { try $0.setObject("x", forKey: "k", inCollection: "other") }
            rest(database)
            #expect(database.snapshot == before + 3)
            #expect(try connection.outcome(for: reader.jump(), with: mappings) == .none)
            #expect(still.snapshot < before)
            try still.endLongLivedReadTransaction()
            try database.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    /// A program that is killed in a rest leaves a short log.
    @Test func theLogBeginsAgain() throws {
        try withRested { url, database throws in
            let copy = url.deletingLastPathComponent().appending(path: "copy.sqlite")
            try copyAsKilled(url, to: copy)
            // As much as the next opening has to read of it.
            let handle = try foreignProgram(copy)
            try handle.execute("SELECT count(*) FROM yap2")
            try handle.findLogIndex()
            let size = try #require(handle.logSize)
            #expect(size < 64 << 10, "\(size) bytes")
        }
    }

    /// The summary is no more from the first commit on that changes the list, in case its number is reached again.
    @Test func theNextChangeOfTheListEndsIt() throws {
        try withRested { url, database throws in
            let condition = "key = 'pagesSnapshot' AND data = \(database.snapshot)"
            #expect(try count(condition, url) == 1)
            let connection = try database.newConnection()
            try connection.readWrite { try $0.setObject("x", forKey: "new", inCollection: "other") }
            #expect(try count("key = 'pagesSnapshot'", url) == 1)
            try connection.readWrite {
                try $0.setObject(Item(group: "A", sort: 1, text: ""), forKey: "new", inCollection: "c")
            }
            #expect(try count("key = 'pagesSnapshot'", url) == 0)
        }
    }

    /// The next commit of another process would end it at once.
    @Test func notBesideAnotherProcess() throws {
        try withSummary { url, _ throws in
            let database = try opened(url)
            let other = try Presence(path: url.path)
            var random = SplitMix64(seed: 4)
            try write(20, &random, database)
            let before = database.snapshot
            rest(database)
            #expect(database.snapshot == before)
            withExtendedLifetime(other) {}
            try database.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    /// Beside writers it stores nothing, or the newest state.
    @Test func besideWriters() throws {
        try withSummary { url, _ throws in
            let database = try opened(url)
            let (ended, failed) = (Flag(), Flag())
            let group = DispatchGroup()
            for seed in 1...2 {
                DispatchQueue.global().async(group: group) {
                    var random = SplitMix64(seed: UInt64(seed))
                    do { while !ended.value.load(ordering: .relaxed) { try self.write(2, &random, database) } } catch {
                        failed.value.store(true, ordering: .relaxed)
                    }
                }
            }
            for _ in 0..<60 {
                rest(database)
                usleep(2_000)
            }
            ended.value.store(true, ordering: .relaxed)
            group.wait()
            let hasFailed = failed.value.load(ordering: .relaxed)
            #expect(!hasFailed)
            rest(database)
            let copy = url.deletingLastPathComponent().appending(path: "copy.sqlite")
            try copyAsKilled(url, to: copy)
            let wanted = try sorted(database)
            try database.close()
            try withItems(copy, fewest: .max) { database throws in
                #expect(isFromSummary(database))
                #expect(try lists(database) == wanted)
            }
            for file in [url, copy] { #expect(try YapDatabase.check(url: file) == []) }
        }
    }

    /// A list of 1,000 pages that is changed again and again: it is stored once when the commits pause, and at once where a test waits until
    /// the database is idle.
    @Test func aPauseIsARest() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appending(path: "t.sqlite")
            let database = try YapDatabase(url: url, options: .forTests)
            let view = YapDatabaseAutoView(
                grouping: .withKeyBlock { _, _, key in String(key.last!) },
                sorting: .withKeyBlock { _, _, _, one, _, other in one < other ? .orderedAscending : .orderedDescending
                })
            try Self.fill(database, view)
            let count = { try Self.commits(16, in: database) }
            try count()
            let before = database.snapshot
            try waitUntil("The rest is a commit") { database.snapshot != before }
            #expect(database.snapshot == before + 1)
            #expect(try self.count("key = 'pagesSnapshot' AND data = \(before + 1)", url) == 1)
            // Nothing tells that no more comes: four times as long as it rests before it writes.
            try await Task.sleep(for: .seconds(1))
            #expect(database.snapshot == before + 1)
            try count()
            try await database.waitUntilIdle()
            #expect(database.snapshot == before + 34)
            try Self.close(database)
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    private static func fill(_ database: YapDatabase, _ view: YapDatabaseAutoView) throws {
        try database.newConnection().readWrite { transaction throws in
            for number in 0..<48_000 { try transaction.setObject(number, forKey: "\(number)", inCollection: "c") }
        }
        try database.register(view, withName: "items")
    }

    private static func close(_ database: YapDatabase) throws { try database.close() }

    private static func commits(_ count: Int, in database: YapDatabase) throws {
        let connection = try database.newConnection()
        for number in 0..<count {
            try connection.readWrite { try $0.removeObject(forKey: "\(number)", inCollection: "c") }
            try connection.readWrite { try $0.setObject(number, forKey: "\(number)", inCollection: "c") }
        }
    }

    private func opened(_ url: URL) throws -> YapDatabase {
        let database = try YapDatabase(url: url, options: .forTests)
        database.registerItems()
        try database.register(Item.view(), withName: "items")
        return database
    }

    /// A database that has written and stored its list in a rest.
    private func withRested(_ body: (URL, YapDatabase) throws -> Void) throws {
        try withSummary { url, _ throws in
            let database = try opened(url)
            var random = SplitMix64(seed: 3)
            for _ in 0..<20 { try write(20, &random, database) }
            rest(database)
            try body(url, database)
            try database.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    private func rest(_ database: YapDatabase) {
        ViewState.$minSummarizedPages.withValue(1) { database.recoveries.sync { database.storeAtRest() } }
    }

    private func copyAsKilled(_ url: URL, to copy: URL) throws {
        for end in ["", "-wal"] { try FileManager.default.copyItem(atPath: url.path + end, toPath: copy.path + end) }
    }
}
