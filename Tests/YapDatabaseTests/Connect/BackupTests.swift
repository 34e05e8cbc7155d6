import Foundation
import SQLiteBridge
import Testing

@testable import FileEngine
@testable import YapDatabase

@Suite struct BackupTests {
    @Test func aBackupIsAWholeDatabaseOfItsOwn() throws {
        try withSource { source, folder throws in
            let path = folder.appending(path: "copy").path
            for _ in 0..<2 { try source.newConnection().backup(toPath: path) }
            try check(path, rows: 300)
            #expect(try names(folder) == ["copy"])
        }
    }

    @Test func aBackupOfAFrozenConnectionIsOfTheStateThatItReads() throws {
        try withSource { source, folder throws in
            let connection = try source.newConnection()
            try connection.beginLongLivedReadTransaction()
            try fill(source, 400)
            try connection.backup(toPath: folder.appending(path: "copy").path)
            try check(folder.appending(path: "copy").path, rows: 300)
        }
    }

    @Test func backupsToOnePathAtATimeAreWholeEachAndTheLastOneStays() async throws {
        try await withTemporaryFolder { folder in
            let source = try YapDatabase(url: folder.appending(path: "source"), options: .forTests)
            try fill(source, 300)
            let path = folder.appending(path: "copy").path
            try await withThrowingTaskGroup { group in
                for _ in 0..<6 {
                    let connection = try source.newConnection()
                    group.addTask {
                        for _ in 0..<3 {
                            let error = await withCheckedContinuation { done in
                                connection.asyncBackup(toPath: path, completionQueue: .global()) {
                                    done.resume(returning: $0)
                                }
                            }
                            if let error { throw error }
                        }
                    }
                }
                try await group.waitForAll()
            }
            try source.close()
            try check(path, rows: 300)
            #expect(try names(folder) == ["copy", "source"])
        }
    }

    // MARK: What is there already

    @Test func theLogOfAKilledProcessIsNotPlayedIntoTheBackup() throws {
        try withSource { source, folder throws in
            let path = try makeKilled(folder)
            try source.newConnection().backup(toPath: path)
            #expect(try names(folder) == ["copy"])
            try check(path, rows: 300)
        }
    }

    @Test func aProcessKilledBeforeTheRenameLeavesTheOldDatabase() throws {
        try withSource { source, folder throws in
            let path = try makeKilled(folder)
            do {
                let old = try BackupDestination(path: path, busyTimeout: 0).clear()
                #expect(try names(folder) == ["copy"])
                expectError(.locked) { _ = try BackupDestination(path: path, busyTimeout: 0).clear() }
                withExtendedLifetime(old) {}
            }
            try check(path, rows: 200)
        }
    }

    @Test func theJournalOfAKilledProcessIsNotPlayedIntoTheBackup() throws {
        try withSource { source, folder throws in
            let path = try makeHotJournal(folder)
            try source.newConnection().backup(toPath: path)
            #expect(try names(folder) == ["copy"])
            try check(path, rows: 300)
        }
    }

    @Test func theJournalOfAKilledProcessIsPlayedIntoTheOldFileFirst() throws {
        try withSource { source, folder throws in
            let path = try makeHotJournal(folder)
            _ = try BackupDestination(path: path, busyTimeout: 0).clear()
            let handle = try SQLiteHandle(path: path, mode: .readOnly)
            let sum = try handle.statement("SELECT sum(x) FROM t")
            #expect(try sum.step() && sum.int64(at: 0) == 1_000)
        }
    }

    @Test(arguments: ["", "no database"]) func leftoversOfAFileThatIsGoneAreRemoved(content: String) throws {
        try withSource { source, folder throws in
            let path = try makeKilled(folder)
            if content.isEmpty {
                try FileManager.default.removeItem(atPath: path)
            } else {
                try Data(content.utf8).write(to: URL(filePath: path))
                try FileManager.default.removeItem(atPath: path + "-wal")
            }
            try source.newConnection().backup(toPath: path)
            #expect(try names(folder) == ["copy"])
            try check(path, rows: 300)
        }
    }

    @Test func aFileThatCannotBeReadIsNotReplacedWhileSomethingLiesBesideIt() throws {
        try withSource { source, folder throws in
            let path = folder.appending(path: "copy").path
            for name in [path, path + "-wal"] { try Data("no database".utf8).write(to: URL(filePath: name)) }
            expectError(.notADatabase, mentioning: "copy-wal") {
                try source.newConnection().backup(toPath: path)
            }
            #expect(try names(folder).filter { $0 != "copy-shm" } == ["copy", "copy-wal"])
            #expect(try Data(contentsOf: URL(filePath: path)) == Data("no database".utf8))
        }
    }

    @Test(arguments: ["", "BEGIN", "BEGIN IMMEDIATE"])
    func aDatabaseThatAnotherProgramHasOpenIsNotReplaced(begin: String) throws {
        try withSource(busyTimeout: 20) { source, folder throws in
            let path = try makeKilled(folder)
            let other = try SQLiteHandle(path: path, mode: .readWrite)
            if !begin.isEmpty { try other.execute(begin) }
            let count = try other.statement("SELECT count(*) FROM database2")
            #expect(try count.step())
            count.reset()
            expectError(.locked, mentioning: path, "another path") {
                try source.newConnection().backup(toPath: path)
            }
            #expect(try count.step() && count.int64(at: 0) == 200)
            count.reset()
            #expect(try names(folder).filter { $0.hasSuffix(".unfinished") } == [])
        }
    }

    // MARK: Paths that would destroy a database

    @Test func aBackupOntoAnOpenDatabaseIsRefused() throws {
        try withSource { source, folder throws in
            let own = source.databaseURL.path
            let (link, twin) = (folder.appending(path: "link").path, folder.appending(path: "twin").path)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: own)
            try FileManager.default.linkItem(atPath: own, toPath: twin)
            let other = try YapDatabase(url: folder.appending(path: "other"), options: .forTests)
            for path in [own, link, twin, own + "-wal", own + "-journal", other.databaseURL.path] {
                expectError(.alreadyOpen, mentioning: "another path") {
                    try source.newConnection().backup(toPath: path)
                }
            }
            try other.close()
            #expect(try names(folder) == ["link", "other", "twin"])
            #expect(try source.newConnection().read { try $0.numberOfKeysInAllCollections() } == 300)
        }
    }

    @Test func aLinkToAClosedDatabaseStaysALink() throws {
        try withSource { source, folder throws in
            let path = try makeKilled(folder)
            let link = folder.appending(path: "link").path
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
            try source.newConnection().backup(toPath: link)
            #expect(try names(folder) == ["copy", "link"])
            try check(path, rows: 300)
        }
    }

    // MARK: Support

    /// A database with 300 rows, and an empty folder.
    private func withSource(busyTimeout: Int? = nil, _ body: (YapDatabase, URL) throws -> Void) throws {
        var options = YapDatabaseOptions.forTests
        if let busyTimeout { options.busyTimeout = busyTimeout }
        try withTemporaryDatabase(options: options) { source throws in
            try fill(source, 300)
            try withTemporaryFolder { try body(source, $0) }
        }
    }

    private func fill(_ database: YapDatabase, _ count: Int) throws {
        try database.newConnection().readWrite { transaction in
            for number in 0..<count {
                try transaction.setObject(String(repeating: "x", count: 300), forKey: "\(number)")
            }
        }
    }

    /// `copy`: what a process leaves behind that is killed after it wrote 200 rows, all of them in the log.
    private func makeKilled(_ folder: URL) throws -> String {
        let path = folder.appending(path: "copy").path
        try withTemporaryDatabase { database throws in
            try fill(database, 200)
            for suffix in ["", "-wal", "-shm"] {
                try FileManager.default.copyItem(atPath: database.databaseURL.path + suffix, toPath: path + suffix)
            }
        }
        return path
    }

    /// `copy`: what another program leaves behind that is killed in the middle of a commit.
    private func makeHotJournal(_ folder: URL) throws -> String {
        let path = folder.appending(path: "copy").path
        try withTemporaryFolder { original in
            let original = original.appending(path: "t").path
            let handle = try SQLiteHandle(path: original, mode: .create)
            try handle.execute("CREATE TABLE t (x INTEGER, filler TEXT)")
            try handle.execute(
                """
                INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) \
                SELECT 1, hex(zeroblob(500)) FROM n
                """)
            let cache = try handle.statement("PRAGMA cache_size = 5")
            _ = try cache.step()
            cache.reset()
            try handle.execute("BEGIN")
            try handle.execute("UPDATE t SET x = 2, filler = hex(zeroblob(600))")
            for suffix in ["", "-journal"] {
                try FileManager.default.copyItem(atPath: original + suffix, toPath: path + suffix)
            }
            try handle.execute("ROLLBACK")
        }
        return path
    }

    private func check(_ path: String, rows: Int) throws {
        let url = URL(filePath: path)
        #expect(try YapDatabase.check(url: url) == [])
        let database = try YapDatabase(url: url, options: .forTests)
        #expect(try database.newConnection().read { try $0.numberOfKeysInAllCollections() } == rows)
        try database.close()
        #expect(try YapDatabase.check(url: url) == [])
    }

    private func names(_ folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }
}
