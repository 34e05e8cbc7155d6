import Foundation
import HostileFiles
import SQLiteBridge
import TestTraits
import Testing

@testable import YapDatabase

/// Files of other programs are refused and stay as they are to the byte, with nothing new beside them.
@Suite(.ends(within: 300)) struct ForeignFileTests {
    private func expectRefused(_ url: URL, location: SourceLocation = #_sourceLocation) throws {
        let before = try contents(url)
        expectError(.notAYapDatabase, mentioning: url.path, location: location) { _ = try YapDatabase(url: url) }
        #expect(try contents(url) == before, sourceLocation: location)
    }

    /// The bytes of each file in the folder.
    private func contents(_ url: URL) throws -> [String: Data] {
        let folder = url.deletingLastPathComponent().path
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        return Dictionary(
            uniqueKeysWithValues: names.map { ($0, FileManager.default.contents(atPath: folder + "/" + $0) ?? Data()) })
    }

    @Test(arguments: ForeignFile.all) func aFileOfAnotherProgramStaysAsItIs(file: ForeignFile) throws {
        for mode in ["DELETE", "WAL"] {
            try withTemporaryFolder { folder throws in
                let url = folder.appending(path: "o.sqlite")
                try file.make(at: url.path, journalMode: mode)
                try expectRefused(url)
            }
        }
    }

    @Test(arguments: ForeignFile.all) func aForeignFileWithAHotLogIsRefused(file: ForeignFile) throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "o.sqlite")
            try file.makeWithHotLog(at: url.path)
            try? FileManager.default.removeItem(atPath: url.path + "-shm")
            #expect(try contents(url).keys.sorted() == ["o.sqlite", "o.sqlite-wal"])
            try expectRefused(url)
        }
    }

    /// The file alone is ours, as its last checkpoint left it.
    @Test func aFileThatIsForeignInItsLogAloneIsRefused() throws {
        try withTemporaryFolder { folder throws in
            let (url, copy) = (folder.appending(path: "t.sqlite"), folder.appending(path: "copy.sqlite"))
            let database = try YapDatabase(url: url, options: .forTests)
            try database.newConnection().readWrite { try $0.setObject("ours", forKey: "k") }
            try database.close()
            let handle = try SQLiteHandle(path: url.path, mode: .readWrite)
            try handle.execute("DROP TABLE yap2")
            try handle.execute("CREATE TABLE theirs (a)")
            for suffix in ["", "-wal"] {
                try FileManager.default.copyItem(atPath: url.path + suffix, toPath: copy.path + suffix)
            }
            func bytes() throws -> [Data] {
                try ["", "-wal"].map { try Data(contentsOf: URL(filePath: copy.path + $0)) }
            }
            let before = try bytes()
            #expect(before[1].count > 4_096)
            expectError(.notAYapDatabase) { _ = try YapDatabase(url: copy, options: .forTests) }
            #expect(try bytes() == before)
        }
    }

    @Test func aForeignFileThatItsProgramHasOpenIsRefused() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "o.sqlite")
            let theirs = try SQLiteHandle(path: url.path, mode: .create)
            try theirs.execute("PRAGMA journal_mode = WAL")
            for statement in ForeignFile.all[1].statements { try theirs.execute(statement) }
            try theirs.execute("PRAGMA user_version = 2")
            // The index of the log is one for a whole process, which marks its readers there.
            let before = try contents(url).filter { !$0.key.hasSuffix("-shm") }
            expectError(.notAYapDatabase) { _ = try YapDatabase(url: url) }
            #expect(try contents(url).filter { !$0.key.hasSuffix("-shm") } == before)
            try theirs.execute("CREATE TABLE more (a)")
        }
    }

    @Test func textsOfAnotherEncodingAreNotOurs() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "o.sqlite")
            do {
                let handle = try SQLiteHandle(path: url.path, mode: .create)
                for statement in [
                    "PRAGMA encoding = 'UTF-16le'", OurTables.rows, OurTables.smallValues, OurTables.keyIndex,
                    "PRAGMA user_version = 3",
                ] { try handle.execute(statement) }
            }
            try expectRefused(url)
        }
    }

    /// Tables of an app's own may stand beside ours.
    @Test func ourFileMayHaveTablesOfTheApp() throws {
        try withCopy(of: "books") { url in
            try SQLiteHandle(path: url.path, mode: .readWrite).execute("CREATE TABLE database (host, port)")
            let database = try YapDatabase(url: url, options: .forTests)
            try database.newConnection().readWrite { try $0.setObject("v", forKey: "k") }
            try database.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    /// As a process leaves a file that is killed between the tables of it, and as one leaves the journal of a new file.
    @Test(arguments: [[OurTables.smallValues], [], [OurTables.smallValues, OurTables.rows]])
    func aFileThatWasMadeHalfwayIsCompleted(statements: [String]) throws {
        for version in [0, 3] {
            try withTemporaryFolder { folder throws in
                let url = folder.appending(path: "half.sqlite")
                do {
                    let handle = try SQLiteHandle(path: url.path, mode: .create)
                    for statement in statements + ["PRAGMA user_version = \(version)"] { try handle.execute(statement) }
                }
                try YapDatabase(url: url, options: .forTests).close()
                #expect(try YapDatabase.check(url: url) == [])
            }
        }
    }

    /// The original had a class for databases without collections.
    @Test(arguments: [1, 2]) func rowsOfVeryOldReleasesGoIntoTheUnnamedCollection(version: Int) throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "old.sqlite")
            do {
                let old = try SQLiteHandle(path: url.path, mode: .create)
                try old.execute(
                    #"CREATE TABLE "database" ("key" CHAR PRIMARY KEY NOT NULL, "data" BLOB, "metadata" BLOB)"#)
                try old.execute(
                    version == 1
                        ? #"CREATE TABLE "yap" ("key" CHAR PRIMARY KEY NOT NULL, "data" BLOB)"# : OurTables.smallValues)
                try old.execute("CREATE TABLE notes (text)")
                try old.execute("INSERT INTO database VALUES ('k', x'0102', x'03')")
                try old.execute("PRAGMA user_version = \(version)")
            }
            let database = try YapDatabase(url: url, options: .forTests)
            try database.newConnection().read { transaction throws in
                #expect(try transaction.allCollections() == [""])
                #expect(try transaction.serializedObject(forKey: "k") == Data([1, 2]))
            }
            try database.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }
}
