import Foundation
import SQLiteBridge
import TestTraits
import Testing

@testable import FileEngine
@testable import YapDatabase

/// The file's name leads to another file, or the file has several names.
@Suite(.ends(within: 300)) struct ReplacedFileTests {
    private func makeFile(_ url: URL, _ value: String) throws {
        let database = try YapDatabase(url: url, options: .forTests)
        try database.newConnection().readWrite { try $0.setObject(value, forKey: "k") }
        try database.close()
    }

    @Test func nothingIsWrittenOnceTheFileIsReplaced() throws {
        try withTemporaryFolder { folder throws in
            let (url, other) = (folder.appending(path: "t.sqlite"), folder.appending(path: "new.sqlite"))
            try makeFile(url, "old")
            try makeFile(other, "new")
            let content = try Data(contentsOf: other)
            let database = try YapDatabase(url: url, options: .forTests)
            let connection = try database.newConnection()
            try connection.readWrite { try $0.setObject("written", forKey: "k") }
            let log = try Data(contentsOf: database.databaseURL_wal)
            #expect(rename(other.path, url.path) == 0)
            for _ in 0..<3 {
                expectError(.fileReplaced) { try connection.readWrite { try $0.setObject("lost", forKey: "k") } }
                expectError(.fileReplaced) { _ = try database.newConnection() }
                expectError(.fileReplaced) { try connection.vacuum() }
            }
            #expect(try connection.read { try $0.object(forKey: "k") } as? String == "written")
            database.checkpointer.schedule(for: database)
            try database.close()
            #expect(try Data(contentsOf: url) == content)
            #expect(try Data(contentsOf: database.databaseURL_wal) == log)
        }
    }

    /// The newest commits of a file that is moved are in the log under its old name. A new file there does not destroy them.
    @Test(arguments: [false, true]) func aMovedFileKeepsItsCommits(isEmptyFileThere: Bool) throws {
        try withTemporaryFolder { folder throws in
            let (url, moved) = (folder.appending(path: "t.sqlite"), folder.appending(path: "moved.sqlite"))
            let database = try YapDatabase(url: url, options: .forTests)
            try database.newConnection().readWrite { transaction throws in
                for number in 0..<500 { try transaction.setObject("\(number)", forKey: "\(number)") }
            }
            #expect(rename(url.path, moved.path) == 0)
            // Some connections get a handle that was used before, the next one opens the file.
            var connections: [YapDatabaseConnection] = []
            expectError(.fileReplaced) { for _ in 0..<20 { connections.append(try database.newConnection()) } }
            for one in connections { #expect(try one.read { try $0.numberOfKeysInAllCollections() } == 500) }
            let error = #expect(throws: YapDatabaseError.self) {
                try database.newConnection().readWrite { try $0.setObject("lost", forKey: "k") }
            }
            #expect(
                error?.message.contains("\(database.databaseURL_wal.path): put that beside it") == true,
                "\(String(describing: error))")
            try database.close()
            if isEmptyFileThere { #expect(FileManager.default.createFile(atPath: url.path, contents: nil)) }
            for number in 1...2 {
                let log = folder.appending(path: "t.sqlite-wal.left" + (number == 1 ? "" : "-2"))
                try makeFile(url, "new")
                #expect(FileManager.default.fileExists(atPath: log.path))
                #expect(try YapDatabase.check(url: url) == [])
                guard number == 1 else { continue }
                // Once more, with a name that is taken.
                try FileManager.default.removeItem(at: url)
                try FileManager.default.copyItem(at: log, to: database.databaseURL_wal)
            }
            try FileManager.default.moveItem(
                at: folder.appending(path: "t.sqlite-wal.left"), to: folder.appending(path: "moved.sqlite-wal"))
            let again = try YapDatabase(url: moved, options: .forTests)
            #expect(try again.newConnection().read { try $0.numberOfKeysInAllCollections() } == 500)
            try again.close()
            #expect(try YapDatabase.check(url: moved) == [])
        }
    }

    /// Between the begin of a transaction and its commit.
    @Test func aCommitIntoAFileThatWasReplacedMeanwhileFails() throws {
        try withTemporaryFolder { folder throws in
            let (url, other) = (folder.appending(path: "t.sqlite"), folder.appending(path: "new.sqlite"))
            try makeFile(url, "old")
            try makeFile(other, "new")
            let database = try YapDatabase(url: url, options: .forTests)
            let connection = try database.newConnection()
            expectError(.fileReplaced) {
                try connection.readWrite { transaction in
                    try transaction.setObject("lost", forKey: "k")
                    #expect(rename(other.path, url.path) == 0)
                }
            }
            #expect(try connection.read { try $0.object(forKey: "k") } as? String == "old")
            try database.close()
        }
    }

    @Test func aFileThatIsRemovedIsAnErrorAndComesBackWhenItDoes() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            let database = try YapDatabase(url: url, options: .forTests)
            let connection = try database.newConnection()
            try connection.readWrite { try $0.setObject("1", forKey: "k") }
            let aside = folder.appending(path: "aside.sqlite").path
            #expect(rename(url.path, aside) == 0)
            expectError(.fileReplaced) { try connection.readWrite { try $0.setObject("2", forKey: "k") } }
            #expect(rename(aside, url.path) == 0)
            try connection.readWrite { try $0.setObject("3", forKey: "k") }
            try database.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    /// Right after a commit that saw the file in its place, many times, so that some fall within one tick of the system's clock.
    @Test func theNextCommitNoticesThatTheFileIsAway() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            let database = try YapDatabase(url: url, options: .forTests)
            let connection = try database.newConnection()
            let aside = folder.appending(path: "aside.sqlite").path
            for number in 0..<300 {
                for _ in 0...number % 3 {
                    try connection.readWrite { try $0.setObject("\(number)", forKey: "k") }
                }
                #expect(rename(url.path, aside) == 0)
                expectError(.fileReplaced) { try connection.readWrite { try $0.setObject("lost", forKey: "k") } }
                #expect(rename(aside, url.path) == 0)
                #expect(try connection.read { try $0.object(forKey: "k") } as? String == "\(number)")
            }
            try database.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    @Test func aFolderThatIsMovedIsNoticedSoon() throws {
        try withTemporaryFolder { folder throws in
            let inner = folder.appending(path: "inner")
            try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
            let database = try YapDatabase(url: inner.appending(path: "t.sqlite"), options: .forTests)
            let connection = try database.newConnection()
            try connection.readWrite { try $0.setObject("1", forKey: "k") }
            #expect(rename(inner.path, folder.appending(path: "moved").path) == 0)
            // Time is the subject: this is soon.
            usleep(50_000)
            expectError(.fileReplaced) { try connection.readWrite { try $0.setObject("2", forKey: "k") } }
            #expect(rename(folder.appending(path: "moved").path, inner.path) == 0)
            try connection.readWrite { try $0.setObject("3", forKey: "k") }
            try database.close()
            #expect(try YapDatabase.check(url: database.databaseURL) == [])
        }
    }

    @Test func aFileWithSeveralNamesIsRefused() throws {
        try withTemporaryFolder { folder throws in
            let (url, second) = (folder.appending(path: "t.sqlite"), folder.appending(path: "second.sqlite"))
            try makeFile(url, "old")
            let content = try Data(contentsOf: url)
            #expect(link(url.path, second.path) == 0)
            for name in [url, second] { expectError(.cannotOpen) { _ = try YapDatabase(url: name) } }
            #expect(try Data(contentsOf: url) == content)
            #expect(unlink(second.path) == 0)
            try makeFile(url, "new")
        }
    }

    /// By another path of folders, as a bind mount makes it; here by a link that is made after the file was opened.
    @Test func oneFileIsOpenOnceInAProcessByWhateverPath() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            let database = try YapDatabase(url: url, options: .forTests)
            let second = folder.appending(path: "second.sqlite")
            #expect(link(url.path, second.path) == 0)
            expectError(.alreadyOpen) { _ = try YapDatabase(url: second) }
            #expect(unlink(second.path) == 0)
            try database.close()
        }
    }
}
