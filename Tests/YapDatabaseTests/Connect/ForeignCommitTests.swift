import Foundation
import SQLiteBridge
import Testing

@testable import YapDatabase

/// Commits of other processes, played by a second SQLite handle that the database object knows nothing of.
@Suite struct ForeignCommitTests {
    private func foreignWrite(_ database: YapDatabase, _ value: String, countsCommit: Bool = true) throws {
        let handle = try SQLiteHandle(path: database.databaseURL.path, mode: .readWrite, busyTimeout: 1000)
        try handle.execute("BEGIN IMMEDIATE")
        let bytes = try KeyedArchive.encode(value)
        let update = try handle.statement("UPDATE database2 SET data = ? WHERE key = 'k'")
        try update.bind([UInt8](bytes), at: 1)
        try update.run()
        update.reset()
        if countsCommit {
            try handle.execute("UPDATE yap2 SET data = data + 1 WHERE extension = '' AND key = 'snapshot'")
        }
        try handle.execute("COMMIT")
    }

    @Test(arguments: [true, false]) func cachesAreNotBelievedAfterAForeignCommit(countsCommit: Bool) throws {
        try withTemporaryDatabase { database throws in
            let writer = try database.newConnection()
            let reader = try database.newConnection()
            try writer.readWrite { try $0.setObject("ours", forKey: "k") }
            for connection in [writer, reader] {
                #expect(try connection.read { try $0.object(forKey: "k") } as? String == "ours")
            }
            try foreignWrite(database, "theirs", countsCommit: countsCommit)
            for connection in [writer, reader] {
                #expect(try connection.read { try $0.object(forKey: "k") } as? String == "theirs")
            }
            try writer.readWrite { try $0.setObject(1, forKey: "other") }
            #expect(database.snapshot == (countsCommit ? 3 : 2))
        }
    }

    @Test(arguments: [true, false]) func aJumpOverAForeignCommitSaysSo(countsCommit: Bool) throws {
        try withTemporaryDatabase { database throws in
            let writer = try database.newConnection()
            let reader = try database.newConnection()
            try writer.readWrite { try $0.setObject("ours", forKey: "k") }
            try reader.beginLongLivedReadTransaction()
            try foreignWrite(database, "theirs", countsCommit: countsCommit)
            #expect(try reader.read { try $0.object(forKey: "k") } as? String == "ours")
            let notifications = try reader.beginLongLivedReadTransaction()
            #expect(notifications.last?.userInfo?[YapDatabaseModifiedExternallyKey] as? Bool == true)
            #expect(reader.hasChange(forKey: "whatever", inCollection: nil, in: notifications))
            #expect(try reader.read { try $0.object(forKey: "k") } as? String == "theirs")
        }
    }

    @Test(arguments: [true, false]) func aForeignCommitBetweenTwoOfOursIsNoticed(countsCommit: Bool) throws {
        try withTemporaryDatabase { database throws in
            let writer = try database.newConnection()
            let reader = try database.newConnection()
            try writer.readWrite { try $0.setObject("ours", forKey: "k") }
            #expect(try reader.read { try $0.object(forKey: "k") } as? String == "ours")
            try foreignWrite(database, "theirs", countsCommit: countsCommit)
            try writer.readWrite { try $0.setObject(1, forKey: "other") }
            let notifications = try reader.beginLongLivedReadTransaction()
            #expect(notifications.contains { $0.userInfo?[YapDatabaseModifiedExternallyKey] as? Bool == true })
            #expect(try reader.read { try $0.object(forKey: "k") } as? String == "theirs")
        }
    }

    @Test func aForeignCommitIsAnnouncedWithoutAnybodyReading() async throws {
        try await withTemporaryDatabase { database in
            try await database.newConnection().write { try $0.setObject("ours", forKey: "k") }
            let (announced, continuation) = AsyncStream<Bool>.makeStream()
            let observer = NotificationCenter.default.addObserver(
                forName: .YapDatabaseModifiedExternally, object: database, queue: nil
            ) { _ in continuation.yield(true) }
            for countsCommit in [true, false] {
                try foreignWrite(database, "theirs \(countsCommit)", countsCommit: countsCommit)
                for await isAnnounced in announced {
                    #expect(isAnnounced)
                    break
                }
            }
            NotificationCenter.default.removeObserver(observer)
            #expect(database.snapshot == 2)
        }
    }

    @Test func anExtensionLoadsItsStateAnewAfterAForeignCommit() throws {
        try withTemporaryDatabase { database throws in
            try database.register(RecordingExtension(), withName: "recorder")
            let connection = try database.newConnection()
            func rows() throws -> Int? { try connection.read { ($0.ext("recorder") as? RecordingTransaction)?.rows } }
            try connection.readWrite { try $0.setObject("ours", forKey: "k") }
            #expect(try rows() == 1)
            let handle = try SQLiteHandle(path: database.databaseURL.path, mode: .readWrite)
            try handle.execute("INSERT INTO database2 (collection, key, data) VALUES ('', 'l', x'00')")
            #expect(try rows() == 2)
        }
    }
}
