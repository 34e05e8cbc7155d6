import Dispatch
import Foundation
import Synchronization
import TestTraits
import Testing

@testable import YapDatabase

@Suite struct CloseTests {
    @Test func afterCloseEveryCallSaysSo() throws {
        try withTemporaryFolder { folder throws in
            let database = try YapDatabase(url: folder.appending(path: "t.sqlite"), options: .forTests)
            let connection = try database.newConnection()
            try connection.beginLongLivedReadTransaction()
            try database.close()
            try database.close()
            expectError(.closed) { try connection.read { _ in } }
            expectError(.closed) { try connection.readWrite { _ in } }
            expectError(.closed) { _ = try connection.beginLongLivedReadTransaction() }
            expectError(.closed) { _ = try database.newConnection() }
            expectError(.closed) { try database.register(RecordingExtension(), withName: "late") }
        }
    }

    @Test func closeWaitsForWhatWasAskedBefore() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            let database = try YapDatabase(url: url, options: .forTests)
            let connection = try database.newConnection()
            for number in 0..<50 { connection.asyncReadWrite { try $0.setObject(number, forKey: "\(number)") } }
            try database.close()
            let again = try YapDatabase(url: url, options: .forTests)
            #expect(try again.newConnection().read { try $0.numberOfKeysInAllCollections() } == 50)
            try again.close()
        }
    }

    @Test(.ends(within: 300)) func aStatementThatDoesNotEndIsInterrupted() throws {
        try withTemporaryFolder { folder throws in
            var options = YapDatabaseOptions.forTests
            options.busyTimeout = 100
            let database = try YapDatabase(url: folder.appending(path: "t.sqlite"), options: options)
            let (connection, failure) = (try database.newConnection(), Locked<(any Error)?>(nil))
            let isRunning = DispatchSemaphore(value: 0)
            connection.asyncRead(
                { transaction in
                    isRunning.signal()
                    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT MAX(i) FROM n"
                    return try transaction.store.first(endless) { Int($0.int64(at: 0)) } ?? 0
                }, completionQueue: DispatchQueue(label: "completion")
            ) { result in
                if case .failure(let error) = result { failure.withLock { $0 = error } }
            }
            isRunning.wait()
            try database.close()
            try waitUntil("The closure ends with an error") { failure.withLock { $0 != nil } }
            #expect(failure.withLock { $0 } is YapDatabaseError)
        }
    }

    @Test func closeWaitsForRegistrationsThatWereAskedForBefore() throws {
        try withTemporaryFolder { folder throws in
            let failures = Locked<[String]>([])
            var options = YapDatabaseOptions.forTests
            options.asyncErrorHandler = { error in failures.withLock { $0.append("\(error)") } }
            let database = try YapDatabase(url: folder.appending(path: "t.sqlite"), options: options)
            let connection = try database.newConnection()
            let isHeld = DispatchSemaphore(value: 0)
            connection.asyncReadWrite { _ in isHeld.wait() }
            for name in ["a", "b", "c"] { database.asyncRegister(RecordingExtension(), withName: name) }
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(20)) { isHeld.signal() }
            try database.close()
            #expect(failures.withLock { $0 } == [])
            #expect(Set(database.registeredExtensions().keys) == ["a", "b", "c"])
            try database.close()
            expectError(.closed) { try connection.read { _ in } }
            #expect(try YapDatabase.check(url: database.databaseURL) == [])
        }
    }

    @Test func theLogIsEmptyWhenTheLastConnectionIsGone() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            let database = try YapDatabase(url: url, options: .forTests)
            try database.newConnection().readWrite { try $0.setObject("x", forKey: "k") }
            try database.close()
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["t.sqlite"])
        }
    }

    @Test func aClosedDatabaseThatIsKeptHoldsNoFile() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            let database = try YapDatabase(url: url, options: .forTests)
            try database.newConnection().readWrite { try $0.setObject("x", forKey: "k") }
            #expect(!openFiles(in: folder).isEmpty)
            try database.close()
            #expect(openFiles(in: folder) == [])
            expectError(.closed) { _ = try database.newConnection() }
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    /// What this process has open of a folder.
    private func openFiles(in folder: URL) -> [String] {
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return descriptors.compactMap { descriptor in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
            return target.flatMap { $0.contains("/\(folder.lastPathComponent)/") ? $0 : nil }
        }
    }

    /// A program whose main queue is busy, or never asked, keeps no database by that.
    @Test func whatIsYetToBePostedHoldsNoDatabase() throws {
        try withTemporaryFolder { folder throws in
            let isOver = DispatchSemaphore(value: 0)
            DispatchQueue.main.async { isOver.wait() }
            defer { isOver.signal() }
            let url = folder.appending(path: "t.sqlite")
            var database: YapDatabase? = try YapDatabase(url: url, options: .forTests)
            try database?.newConnection().readWrite { try $0.setObject("x", forKey: "k") }
            weak let dropped = database
            database = nil
            // The watch for commits of others may hold it for a moment.
            try waitUntil("The database is gone") { dropped == nil }
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    /// Background work may hold a database for a moment after its last user let go of it.
    @Test(.ends(within: 300)) func aFileCanBeOpenedAgainAfterTheLastReferenceWentAway() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            for number in 0..<300 {
                let connection = try YapDatabase(url: url, options: .forTests).newConnection()
                try connection.readWrite { try $0.setObject(number, forKey: "k") }
            }
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    /// A check reads beside a database of the same process that is being closed, or after it.
    @Test(.ends(within: 300)) func aFileCanBeCheckedWhileItIsClosed() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            for number in 0..<200 {
                let database = try YapDatabase(url: url, options: .forTests)
                try database.newConnection().readWrite { try $0.setObject(number, forKey: "k") }
                let isClosed = Atomic(false)
                DispatchQueue.global().async {
                    try? database.close()
                    isClosed.store(true, ordering: .releasing)
                }
                repeat { #expect(try YapDatabase.check(url: url) == []) } while !isClosed.load(ordering: .acquiring)
            }
        }
    }

    /// The last reference to a connection may go away on any thread, with a notification for instance. From that moment
    /// nothing can make the connection close the file, and it may still be open.
    @Test func closeWaitsForConnectionsThatGoAwayElsewhere() throws {
        for _ in 0..<20 {
            try withTemporaryFolder { folder throws in
                let url = folder.appending(path: "t.sqlite")
                let database = try YapDatabase(url: url, options: .forTests)
                try loseConnection(of: database)
                try database.close()
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["t.sqlite"])
                #expect(try YapDatabase.check(url: url) == [])
            }
        }
    }

    /// Returns when the last reference is gone.
    private func loseConnection(of database: YapDatabase) throws {
        let held = Locked<YapDatabaseConnection?>(try database.newConnection())
        weak let connection = held.withLock { $0 }
        try connection?.readWrite { try $0.setObject("x", forKey: "k") }
        DispatchQueue.global().async { held.withLock { $0 = nil } }
        try waitUntil("The connection is gone") { connection == nil }
    }
}
