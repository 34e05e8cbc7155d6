import Foundation
import SQLiteBridge
import Testing

@testable import FileEngine
@testable import YapDatabase

/// SQLite takes table names for equal that differ in case only; `yap2` and Swift do not.
@Suite struct ExtensionNameTests {
    @Test func namesThatDifferInCaseOnlyAreRefused() throws {
        try withTemporaryDatabase { database in
            database.registerItems()
            try database.register(Item.view(), withName: "Order")
            expectError(.badExtension, mentioning: "\"order\"", "\"Order\"", "case") {
                try database.register(Item.view(), withName: "order")
            }
            try database.newConnection().readWrite {
                try $0.setObject(Item(group: "g", sort: 1, text: ""), forKey: "k", inCollection: "c")
            }
            // Letters beyond ASCII are not folded by SQLite.
            try database.register(Item.view(), withName: "É")
            try database.register(Item.view(), withName: "é")
        }
    }

    /// The tables have the bytes of the registered name.
    @Test func aNameInAnotherUnicodeFormIsAnotherName() throws {
        let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
        try withTemporaryDatabase { database in
            database.registerItems()
            try database.register(Item.view(), withName: composed)
            expectError(.badExtension, mentioning: "spelling") {
                try database.register(Item.view(), withName: decomposed)
            }
            try database.newConnection().readWrite { transaction throws in
                try transaction.setObject(Item(group: "g", sort: 1, text: ""), forKey: "k", inCollection: "c")
                #expect(transaction.ext(decomposed) == nil)
                let view = try #require(transaction.ext(composed) as? YapDatabaseViewTransaction)
                #expect(try view.rowKey(at: 0, inGroup: "g")?.key == "k")
            }
            #expect(try database.newConnection().ext(decomposed) == nil)
        }
    }

    @Test func storedNamesCountToo() throws {
        try withTemporaryFolder { folder in
            let url = folder.appending(path: "t.sqlite")
            let first = try YapDatabase(url: url, options: .forTests)
            try first.register(RecordingExtension(), withName: "Order")
            try first.close()
            let second = try YapDatabase(url: url, options: .forTests)
            expectError(.badExtension, mentioning: "\"order\"", "\"Order\"") {
                try second.register(RecordingExtension(), withName: "order")
            }
            // One in memory has no tables, but unregistering it would drop those of its namesake.
            expectError(.badExtension) {
                try second.register(RecordingExtension(isPersistent: false), withName: "order")
            }
            try second.unregisterExtension(withName: "Order")
            try second.register(RecordingExtension(), withName: "order")
            try second.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    @Test func unregisteringANameThatDoesNotExistDoesNothing() throws {
        try withTemporaryDatabase { database in
            database.registerItems()
            try database.register(Item.view(), withName: "Order")
            let connection = try database.newConnection()
            let item = Item(group: "g", sort: 1, text: "")
            try connection.readWrite { try $0.setObject(item, forKey: "k", inCollection: "c") }
            let before = database.snapshot
            for name in ["order", "ORDER", "", "Order\0", "absent"] {
                try database.unregisterExtension(withName: name)
            }
            #expect(database.snapshot == before)
            try connection.readWrite { try $0.setObject(item, forKey: "l", inCollection: "c") }
            let count = try connection.read {
                ($0.ext("Order") as? YapDatabaseViewTransaction)?.numberOfItems(inGroup: "g")
            }
            #expect(count == 2)
        }
    }

    @Test func whatIsLeftOfAnExtensionWithoutAnEntryIsDroppedByItsExactNameOnly() throws {
        try withTemporaryDatabase { database in
            let handle = try SQLiteHandle(path: database.databaseURL.path, mode: .readWrite, busyTimeout: 30_000)
            try handle.execute("CREATE TABLE secondaryIndex_Left (rowid INTEGER PRIMARY KEY)")
            let connection = try database.newConnection()
            func isThere() throws -> Bool { try connection.read { try $0.store.hasTable("secondaryIndex_Left") } }
            try database.unregisterExtension(withName: "left")
            #expect(try isThere())
            try database.unregisterExtension(withName: "Left")
            #expect(try !isThere())
        }
    }

    @Test func impossibleNamesAreRefusedInWords() throws {
        try withTemporaryDatabase { database in
            for name in ["", "a\0b", "\0"] {
                expectError(.badExtension, mentioning: "name") {
                    try database.register(RecordingExtension(), withName: name)
                }
            }
            for name in [
                "a b", "a\"b", "'; DROP TABLE database2; --", "🙂", "a\nb", String(repeating: "n", count: 10_000),
            ] {
                try database.register(RecordingExtension(), withName: name)
                try database.unregisterExtension(withName: name)
            }
        }
    }
}
