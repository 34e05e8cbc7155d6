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
            let announced = Locked(0)
            let observer = NotificationCenter.default.addObserver(
                forName: .YapDatabaseModifiedExternally, object: database, queue: nil
            ) { _ in announced.withLock { $0 += 1 } }
            defer { NotificationCenter.default.removeObserver(observer) }
            try await database.newConnection().write { try $0.setObject("ours", forKey: "k") }
            await MainActor.run {}
            #expect(announced.withLock { $0 } == 0)
            for (number, countsCommit) in [true, false].enumerated() {
                try foreignWrite(database, "theirs \(countsCommit)", countsCommit: countsCommit)
                try waitUntil("The commit is announced") { announced.withLock { $0 } > number }
            }
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
            let handle = try SQLiteHandle(path: database.databaseURL.path, mode: .readWrite, busyTimeout: 30_000)
            try handle.execute("BEGIN IMMEDIATE")
            try handle.execute("INSERT INTO database2 (collection, key, data) VALUES ('', 'l', x'00')")
            try handle.execute("UPDATE yap2 SET data = data + 1 WHERE extension = '' AND key = 'snapshot'")
            try handle.execute("COMMIT")
            #expect(try rows() == 2)
        }
    }

    /// The `sqlite3` shell knows of no views: it lets a row take the place, and the rowid, of another one in a list.
    @Test func writesOfAProgramWithoutViewsHaveThemRebuilt() async throws {
        try await withTemporaryDatabase { database in
            database.registerItems()
            try await database.register(Item.view(), withName: "items")
            let connection = try database.newConnection()
            try await connection.write { transaction in
                for (sort, key) in ["a", "b", "c"].enumerated() {
                    let item = Item(group: "g", sort: sort, text: key)
                    try transaction.setObject(item, forKey: key, inCollection: "c")
                }
            }
            let bytes = try YapDatabaseCodableFormat.propertyList.encode(Item(group: "g", sort: -1, text: "shell"))
            let handle = try SQLiteHandle(path: database.databaseURL.path, mode: .readWrite, busyTimeout: 1000)
            try handle.execute("DELETE FROM database2 WHERE key = 'c'")
            let insertion = try handle.statement("INSERT INTO database2 (collection, key, data) VALUES ('c', 's', ?)")
            try insertion.bind([UInt8](bytes), at: 1)
            try insertion.run()
            insertion.reset()

            @Sendable func keys(_ transaction: YapDatabaseReadTransaction) throws -> [String]? {
                guard let view = transaction.ext("items") as? YapDatabaseViewTransaction else { return nil }
                return try (0..<view.numberOfItems(inGroup: "g")).map {
                    try view.rowKey(at: $0, inGroup: "g")?.key ?? "-"
                }
            }
            // Missing rather than wrong, until the write that is requested at once has rebuilt it.
            let seen = try await connection.read { try keys($0) }
            #expect(seen == nil || seen == ["s", "a", "b"])
            let after = try await connection.write { try keys($0) }
            #expect(after == ["s", "a", "b"])
        }
    }

    @Test func aVacuumOfOurOwnLeavesViewsAlone() throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            let calls = Locked(0)
            try database.register(Item.view(onBlock: { calls.withLock { $0 += 1 } }), withName: "items")
            let (connection, reader) = (try database.newConnection(), try database.newConnection())
            try connection.readWrite {
                try $0.setObject(Item(group: "g", sort: 1, text: ""), forKey: "k", inCollection: "c")
            }
            try reader.beginLongLivedReadTransaction()
            let before = calls.withLock { $0 }
            try connection.vacuum()
            try reader.beginLongLivedReadTransaction()
            for connection in [connection, reader] {
                #expect(
                    try connection.read {
                        ($0.ext("items") as? YapDatabaseViewTransaction)?.numberOfItems(inGroup: "g")
                    } == 1)
            }
            try connection.readWrite { try $0.setObject(1, forKey: "other") }
            // Asked about the new row, and not again about the old one.
            #expect(calls.withLock { $0 } == before + 1)
        }
    }
}
