import Foundation
import SQLiteBridge
import Testing

@testable import YapDatabase

@Suite struct FullDiskTests {
    @Test func aTransactionThatFindsNoRoomLeavesNothingBehind() throws {
        try withTemporaryDatabase { database throws in
            try database.register(RecordingExtension(), withName: "recorder")
            let (writer, reader) = (try database.newConnection(), try database.newConnection())
            try writer.readWrite { try $0.setObject("before", forKey: "k") }
            let before = database.snapshot
            let store = try writer.store()
            _ = try store.first("PRAGMA max_page_count = 20") { _ in true }

            expectError(.diskFull, mentioning: "Free some space") {
                try writer.readWrite { transaction in
                    try transaction.setObject("after", forKey: "k")
                    for number in 0..<100 {
                        try transaction.setObject(String(repeating: "x", count: 10_000), forKey: "\(number)")
                    }
                }
            }
            for connection in [writer, reader] {
                try connection.read { transaction throws in
                    #expect(try transaction.object(forKey: "k") as? String == "before")
                    #expect(try transaction.numberOfKeysInAllCollections() == 1)
                    #expect((transaction.ext("recorder") as? RecordingTransaction)?.rows == 1)
                }
            }
            #expect(database.snapshot == before)

            _ = try store.first("PRAGMA max_page_count = 100000") { _ in true }
            try writer.readWrite { try $0.setObject("again", forKey: "k") }
            #expect(try reader.read { try $0.object(forKey: "k") } as? String == "again")
        }
    }

    @Test func aLockOfAnotherProgramIsReportedAfterTheBusyTimeout() throws {
        var options = YapDatabaseOptions.forTests
        options.busyTimeout = 20
        try withTemporaryDatabase(options: options) { database throws in
            let connection = try database.newConnection()
            let other = try SQLiteHandle(path: database.databaseURL.path, mode: .readWrite)
            try other.execute("BEGIN IMMEDIATE")
            expectError(.locked, mentioning: "Another program") {
                try connection.readWrite { try $0.setObject(1, forKey: "k") }
            }
            #expect(try connection.read { try $0.object(forKey: "k") } == nil)
            try other.execute("ROLLBACK")
            try connection.readWrite { try $0.setObject(1, forKey: "k") }
        }
    }

    @Test func aFlippedByteInTheFileIsAnErrorOrACorrectAnswer() throws {
        try withTemporaryFolder { folder in
            let url = folder.appending(path: "t.sqlite")
            let expected = try makeFile(url)
            let whole = try Data(contentsOf: url)
            var random = SplitMix64(seed: 5)
            var errors = 0
            for _ in 0..<150 {
                let offset = Int.random(in: 100..<whole.count, using: &random)
                var damaged = whole
                damaged[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                try damaged.write(to: url)
                do {
                    // Whatever comes back is a value of the right kind; SQLite has no checksums to tell more.
                    let found = try readAll(url)
                    #expect(found.count <= expected.count)
                } catch is YapDatabaseError {
                    errors += 1
                }
            }
            #expect(errors > 0)
        }
    }

    private struct Item: Codable, Equatable {
        var name: String
        var number: Int
    }

    private func makeFile(_ url: URL) throws -> [String: Item] {
        let items = Dictionary(uniqueKeysWithValues: (0..<60).map { ("k\($0)", Item(name: "item \($0)", number: $0)) })
        let database = try YapDatabase(url: url, options: .forTests)
        database.registerCodableSerialization(Item.self, forCollection: "c")
        try database.newConnection().readWrite { transaction in
            for (key, item) in items { try transaction.setObject(item, forKey: key, inCollection: "c") }
        }
        try database.close()
        return items
    }

    private func readAll(_ url: URL) throws -> [String: Item] {
        let database = try YapDatabase(url: url, options: .forTests)
        database.registerCodableSerialization(Item.self, forCollection: "c")
        var items: [String: Item] = [:]
        try database.newConnection().read { transaction in
            try transaction.iterateKeysAndObjects(inCollection: "c") { (key, item: Item, _) in items[key] = item }
        }
        return items
    }
}
