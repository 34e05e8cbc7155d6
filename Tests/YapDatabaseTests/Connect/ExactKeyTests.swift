import Foundation
import ListChanges
import Testing

@testable import YapDatabase

/// Keys and collections that Swift takes for equal and whose bytes differ are two, as in SQLite and in the original.
@Suite struct ExactKeyTests {
    private static let twins = [
        ("caf\u{e9}", "cafe\u{301}"), ("\u{212b}", "\u{c5}"), ("a\u{323}\u{307}", "a\u{307}\u{323}"),
    ]

    @Test(arguments: twins) func twinKeysAreTwoRows(one: String, other: String) throws {
        try withTemporaryDatabase { database throws in
            let (writer, second) = try (database.newConnection(), database.newConnection())
            try writer.readWrite { try $0.setObject("one", forKey: one) }
            try second.readWrite { try $0.setObject("other", forKey: other) }
            for connection in try [writer, second, database.newConnection()] {
                try connection.read { transaction throws in
                    #expect(try transaction.object(forKey: one) as? String == "one")
                    #expect(try transaction.object(forKey: other) as? String == "other")
                    #expect(try transaction.numberOfKeys(inCollection: nil) == 2)
                }
            }
            try writer.readWrite { try $0.removeObject(forKey: one) }
            try second.read { transaction throws in
                #expect(try transaction.object(forKey: one) == nil)
                #expect(try transaction.object(forKey: other) as? String == "other")
            }
        }
    }

    @Test(arguments: twins) func twinCollectionsAreTwo(one: String, other: String) throws {
        try withTemporaryDatabase { database throws in
            let (writer, reader) = try (database.newConnection(), database.newConnection())
            try writer.readWrite { transaction throws in
                try transaction.setObject("in one", forKey: "k", inCollection: one)
                try transaction.setObject("in the other", forKey: "k", inCollection: other)
            }
            try reader.read { transaction throws in
                #expect(try transaction.allCollections().map { Array($0.utf8) }.count == 2)
                #expect(try transaction.object(forKey: "k", inCollection: other) as? String == "in the other")
            }
            try writer.readWrite { try $0.removeAllObjects(inCollection: one) }
            try reader.read { transaction throws in
                #expect(try transaction.object(forKey: "k", inCollection: one) == nil)
                #expect(try transaction.object(forKey: "k", inCollection: other) as? String == "in the other")
            }
        }
    }

    @Test(arguments: twins) func whatChangedIsToldOfTheOneThatDid(one: String, other: String) throws {
        try withTemporaryDatabase { database throws in
            let (writer, reader) = try (database.newConnection(), database.newConnection())
            try writer.readWrite { transaction throws in
                for key in [one, other] { try transaction.setObject("old", forKey: key) }
            }
            try reader.beginLongLivedReadTransaction()
            try writer.readWrite { try $0.setObject("new", forKey: one) }
            let notifications = try reader.beginLongLivedReadTransaction()
            #expect(reader.hasChange(forKey: one, inCollection: nil, in: notifications))
            #expect(!reader.hasChange(forKey: other, inCollection: nil, in: notifications))
            try reader.endLongLivedReadTransaction()
        }
    }

    @Test(arguments: twins) func aProxyKeepsThemApart(one: String, other: String) throws {
        try withTemporaryDatabase { database throws in
            let proxy = try YapDatabaseConnectionProxy(database: database)
            proxy.setObject("one", forKey: one)
            proxy.setObject("other", forKey: other)
            #expect(try proxy.object(forKey: one) as? String == "one")
            #expect(try proxy.object(forKey: other) as? String == "other")
        }
    }

    @Test(arguments: twins) func rowKeysAreEqualWhenTheirBytesAre(one: String, other: String) {
        #expect(one == other)
        let keys = [
            RowKey(collection: one, key: "k"), RowKey(collection: other, key: "k"), RowKey(collection: "k", key: one),
        ]
        #expect(Set(keys + keys).count == 3)
        #expect(RowKey(collection: "ab", key: "c") != RowKey(collection: "a", key: "bc"))
    }
}
