import Foundation
import ListChanges
import Testing

@testable import YapDatabase

@Suite struct NotificationTests {
    /// The notifications of what `write` commits, as a frozen reader gets them.
    private func notifications(
        _ database: YapDatabase, _ write: (YapDatabaseReadWriteTransaction) throws -> Void
    ) throws -> [Notification] {
        let reader = try database.newConnection()
        try reader.beginLongLivedReadTransaction()
        try database.newConnection().readWrite(write)
        return try reader.beginLongLivedReadTransaction()
    }

    @Test(.timeLimit(.minutes(5))) func everyCommitIsPostedOnTheMainQueue() async throws {
        try await withTemporaryDatabase { database in
            let connection = try database.newConnection()
            let posted = AsyncStream<(Int?, Bool)> { continuation in
                let token = Token(
                    NotificationCenter.default.addObserver(forName: .YapDatabaseModified, object: database, queue: nil)
                    {
                        continuation.yield(($0.userInfo?[YapDatabaseSnapshotKey] as? Int, isOnMainQueue()))
                    })
                continuation.onTermination = { _ in NotificationCenter.default.removeObserver(token.observer) }
            }
            for number in 1...3 { try await connection.write { try $0.setObject(number, forKey: "k") } }
            var seen: [Int?] = []
            for await (number, isMain) in posted {
                #expect(isMain)
                seen.append(number)
                if seen.count == 3 { break }
            }
            #expect(seen == [1, 2, 3])
        }
    }

    private struct Token: @unchecked Sendable {
        // @unchecked: the observer is only handed back to the notification center.
        let observer: any NSObjectProtocol

        init(_ observer: any NSObjectProtocol) { self.observer = observer }
    }

    @Test func aNotificationTellsWhatChanged() throws {
        try withTemporaryDatabase { database throws in
            let connection = try database.newConnection()
            try connection.readWrite { transaction in
                for key in ["a", "b", "c", "d"] { try transaction.setObject(key, forKey: key, inCollection: "x") }
                try transaction.setObject("e", forKey: "e", inCollection: "y")
            }
            let notifications = try notifications(database) { transaction in
                try transaction.replace("A", forKey: "a", inCollection: "x")
                try transaction.replaceMetadata("B", forKey: "b", inCollection: "x")
                try transaction.touchObject(forKey: "c", inCollection: "x")
                try transaction.removeObject(forKey: "d", inCollection: "x")
                try transaction.setObject("new", forKey: "n", inCollection: "x")
                try transaction.removeAllObjects(inCollection: "y")
                transaction.yapDatabaseModifiedNotificationCustomObject = "hello"
            }
            try #require(notifications.count == 1)
            let info = try #require(notifications[0].userInfo)
            func keys(_ name: String) -> [String]? {
                (info[name] as? YapDatabaseChangedKeys)?.map(\.key).sorted()
            }
            #expect(keys(YapDatabaseObjectChangesKey) == ["a", "c", "n"])
            #expect(keys(YapDatabaseMetadataChangesKey) == ["b", "n"])
            #expect(keys(YapDatabaseInsertedKeysKey) == ["n"])
            #expect(keys(YapDatabaseRemovedKeysKey) == ["d"])
            #expect(info[YapDatabaseRemovedCollectionsKey] as? Set<String> == ["y"])
            #expect(info[YapDatabaseAllKeysRemovedKey] as? Bool == false)
            #expect(info[YapDatabaseCustomKey] as? String == "hello")
            #expect(info[YapDatabaseModifiedExternallyKey] == nil)

            func has(_ key: String, _ collection: String = "x") -> [Bool] {
                [
                    connection.hasChange(forKey: key, inCollection: collection, in: notifications),
                    connection.hasObjectChange(forKey: key, inCollection: collection, in: notifications),
                    connection.hasMetadataChange(forKey: key, inCollection: collection, in: notifications),
                ]
            }
            #expect(has("a") == [true, true, false])
            #expect(has("b") == [true, false, true])
            #expect(has("d") == [true, true, true])
            #expect(has("e", "y") == [true, true, true])
            #expect(has("z") == [false, false, false])
            #expect(connection.hasChange(forCollection: "x", in: notifications))
            #expect(!connection.hasChange(forCollection: "z", in: notifications))
            #expect(connection.didClearCollection("y", in: notifications))
            #expect(!connection.didClearCollection("x", in: notifications))
            #expect(!connection.didClearAllCollections(in: notifications))
            var changed: Set<String> = []
            connection.enumerateChangedKeys(inCollection: "x", in: notifications) { key, _ in changed.insert(key) }
            #expect(changed == ["a", "b", "c", "d", "n"])
        }
    }

    @Test func aNotificationNamesWhoCommittedAndWhichExtensionsChanged() throws {
        try withTemporaryDatabase { database throws in
            try database.register(RecordingExtension(), withName: "recorder")
            let (reader, writer) = (try database.newConnection(), try database.newConnection())
            try reader.beginLongLivedReadTransaction()
            try writer.readWrite { try $0.setObject(1, forKey: "k") }
            let info = try #require(try reader.beginLongLivedReadTransaction().first?.userInfo)
            #expect(info[YapDatabaseConnectionKey] as? YapDatabaseConnection === writer)
            #expect(info[YapDatabaseExtensionsKey] as? [String] == ["recorder"])
            #expect(info[YapDatabaseSnapshotKey] as? Int == database.snapshot)
        }
    }

    @Test(.timeLimit(.minutes(5))) func closingIsPostedWithTheNamesOfTheFiles() async throws {
        try await withTemporaryDatabase { database in
            let files = [database.databaseURL, database.databaseURL_wal, database.databaseURL_shm]
            let posted = AsyncStream<[URL?]> { continuation in
                let token = Token(
                    NotificationCenter.default.addObserver(forName: .YapDatabaseClosed, object: nil, queue: nil) {
                        let info = $0.userInfo ?? [:]
                        let keys = [YapDatabaseURLKey, YapDatabaseURLWalKey, YapDatabaseURLShmKey]
                        let found = keys.map { info[$0] as? URL }
                        if found[0] == files[0] { continuation.yield(found) }
                    })
                continuation.onTermination = { _ in NotificationCenter.default.removeObserver(token.observer) }
            }
            try database.close()
            for await found in posted {
                #expect(found == files)
                break
            }
        }
    }

    @Test func removingEverythingIsSaidAtOnce() throws {
        try withTemporaryDatabase { database throws in
            let connection = try database.newConnection()
            try connection.readWrite { try $0.setObject(1, forKey: "k") }
            let notifications = try notifications(database) { try $0.removeAllObjectsInAllCollections() }
            #expect(connection.didClearAllCollections(in: notifications))
            #expect(connection.hasChange(forKey: "whatever", inCollection: "c", in: notifications))
        }
    }

    @Test(.timeLimit(.minutes(5))) func completionBlocksRunAfterTheCommitAndNotAfterARollback() async throws {
        try await withTemporaryDatabase { database in
            let connection = try database.newConnection()
            let (stream, continuation) = AsyncStream<String>.makeStream()
            try await connection.write { transaction in
                transaction.addCompletionQueue { continuation.yield("rolled back") }
                transaction.rollback()
            }
            try await connection.write { transaction in
                try transaction.setObject(1, forKey: "k")
                transaction.addCompletionQueue { continuation.yield("committed") }
            }
            for await first in stream {
                #expect(first == "committed")
                break
            }
        }
    }
}
