import Foundation
import Testing

@testable import YapDatabase

@Suite struct SetAndReadTests {
    @Test func whatIsSetIsReadByAnyConnectionAfterTheCommit() throws {
        try withTemporaryDatabase { database throws in
            let writer = try database.newConnection()
            let reader = try database.newConnection()
            try writer.readWrite { transaction throws in
                try transaction.setObject("one", forKey: "k", inCollection: "c", withMetadata: 1)
                #expect(try transaction.object(forKey: "k", inCollection: "c") as? String == "one")
            }
            try reader.read { transaction throws in
                let row = try #require(try transaction.row(forKey: "k", inCollection: "c"))
                #expect(row.object as? String == "one" && row.metadata as? Int == 1)
                #expect(try transaction.metadata(forKey: "k", inCollection: "c") as? Int == 1)
                #expect(try transaction.hasObject(forKey: "k", inCollection: "c"))
                #expect(try !transaction.hasObject(forKey: "k"))
                #expect(try transaction.object(forKey: "k") == nil)
                #expect(try transaction.row(forKey: "k") == nil)
            }
        }
    }

    @Test func aCollectionOfNilIsTheEmptyOne() throws {
        try withTemporaryDatabase { database throws in
            let connection = try database.newConnection()
            try connection.readWrite { try $0.setObject("x", forKey: "k", inCollection: nil) }
            #expect(try connection.read { try $0.object(forKey: "k", inCollection: "") } as? String == "x")
        }
    }

    @Test func settingWithoutMetadataClearsItAndReplacingKeepsTheOther() throws {
        try withTemporaryDatabase { database throws in
            let connection = try database.newConnection()
            let other = try database.newConnection()
            func check(_ object: String, _ metadata: String?, _ write: (YapDatabaseReadWriteTransaction) throws -> Void)
                throws
            {
                try connection.readWrite(write)
                for connection in [connection, other] {
                    try connection.read { transaction throws in
                        let row = try #require(try transaction.row(forKey: "k"))
                        #expect(row.object as? String == object && row.metadata as? String == metadata)
                    }
                }
            }
            try check("a", "m") { try $0.setObject("a", forKey: "k", withMetadata: "m") }
            try check("b", "m") { try $0.replace("b", forKey: "k") }
            try check("b", "n") { try $0.replaceMetadata("n", forKey: "k") }
            try check("b", nil) { try $0.replaceMetadata(nil, forKey: "k") }
            try check("b", "m") { try $0.setObject("b", forKey: "k", withMetadata: "m") }
            try check("c", nil) { try $0.setObject("c", forKey: "k") }
            try connection.readWrite { transaction throws in
                try transaction.replace("z", forKey: "absent")
                try transaction.replaceMetadata("z", forKey: "absent")
                #expect(try !transaction.hasObject(forKey: "absent"))
            }
        }
    }

    @Test func removingTakesOneSomeACollectionOrAll() throws {
        try withTemporaryDatabase { database throws in
            let connection = try database.newConnection()
            let other = try database.newConnection()
            func remaining(_ write: (YapDatabaseReadWriteTransaction) throws -> Void) throws -> [String] {
                try connection.readWrite(write)
                return try other.read { transaction throws in
                    var keys: [String] = []
                    try transaction.iterateKeysInAllCollections { collection, key, _ throws in
                        keys.append(collection + key)
                        #expect(try transaction.object(forKey: key, inCollection: collection) != nil)
                    }
                    return keys.sorted()
                }
            }
            let all = try remaining { transaction throws in
                for collection in ["a", "b", "c"] {
                    for key in ["1", "2", "3"] { try transaction.setObject(key, forKey: key, inCollection: collection) }
                }
            }
            #expect(all == ["a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"])
            let withoutOne = try remaining { try $0.removeObject(forKey: "2", inCollection: "a") }
            #expect(withoutOne == ["a1", "a3", "b1", "b2", "b3", "c1", "c2", "c3"])
            let withoutSome = try remaining { transaction throws in
                try transaction.removeObjects(forKeys: ["1", "absent", "3"], inCollection: "b")
                try transaction.setObject(nil, forKey: "1", inCollection: "a")
            }
            #expect(withoutSome == ["a3", "b2", "c1", "c2", "c3"])
            let withoutCollection = try remaining { transaction throws in
                try transaction.removeAllObjects(inCollection: "c")
                try transaction.setObject("new", forKey: "2", inCollection: "c")
            }
            #expect(withoutCollection == ["a3", "b2", "c2"])
            let nothing = try remaining { try $0.removeAllObjectsInAllCollections() }
            #expect(nothing == [])
        }
    }

    @Test func countsAndListsFollowTheRows() throws {
        try withTemporaryDatabase { database throws in
            let connection = try database.newConnection()
            try connection.readWrite { transaction throws in
                for key in ["b", "a"] { try transaction.setObject(1, forKey: key, inCollection: "x") }
                try transaction.setObject(1, forKey: "b", inCollection: "")
                try transaction.setObject(1, forKey: "c", inCollection: "y")
            }
            try connection.read { transaction throws in
                #expect(try transaction.numberOfCollections() == 3)
                #expect(try transaction.allCollections() == ["", "x", "y"])
                #expect(try transaction.numberOfKeys(inCollection: "x") == 2)
                #expect(try transaction.numberOfKeys(inCollection: "absent") == 0)
                #expect(try transaction.numberOfKeysInAllCollections() == 4)
                #expect(try transaction.allKeys(inCollection: "x") == ["a", "b"])
                var withB: [String] = []
                try transaction.enumerateCollections(forKey: "b") { collection, _ in withB.append(collection) }
                #expect(withB == ["", "x"])
            }
        }
    }

    @Test func givenBytesAreStoredAsTheyAre() throws {
        try withTemporaryDatabase { database throws in
            let connection = try database.newConnection()
            let (object, metadata) = (Data([1, 2]), Data([3]))
            try connection.readWrite { transaction throws in
                try transaction.setObject(
                    "x", forKey: "k", withMetadata: "m", serializedObject: object, serializedMetadata: metadata)
                try transaction.setObject(
                    "", forKey: "e", withMetadata: nil, serializedObject: Data(), serializedMetadata: nil)
            }
            try connection.read { transaction throws in
                #expect(try transaction.serializedObject(forKey: "k") == object)
                #expect(try transaction.serializedMetadata(forKey: "k") == metadata)
                #expect(try transaction.serializedObject(forKey: "absent") == nil)
                #expect(try transaction.serializedObject(forKey: "e") == Data())
                #expect(try transaction.serializedMetadata(forKey: "e") == nil)
            }
        }
    }
}
