import Foundation
import Testing

@testable import YapDatabase

/// Files that the original wrote.
@Suite struct OriginalFileTests {
    @Test func keyedArchivesOfAnotherRuntimeDecode() throws {
        try withCopy(of: "chat") { url throws in
            let database = try YapDatabase(url: url, options: .forTests)
            try database.newConnection().read { transaction throws in
                func misc(_ key: String) throws -> Any? { try transaction.object(forKey: key, inCollection: "misc") }
                #expect(try misc("string") as? String == "a plain string")
                #expect(try misc("number") as? Int == 42)
                #expect(try misc("double") as? Double == 3.25)
                #expect(try misc("bool") as? Bool == true)
                #expect(try misc("date") as? Date == Date(timeIntervalSinceReferenceDate: 123_456_789.5))
                #expect(try misc("data") as? Data == Data([0, 1, 255]))
                #expect(try misc("url") as? URL == URL(string: "https://example.com/a?b=c"))
                #expect(try misc("set") as? Set<String> == ["s"])
                let array = try #require(try misc("array") as? [Any])
                #expect(array[0] as? Int == 1 && array[1] as? String == "two" && array[2] as? [Int] == [3])
                #expect(try transaction.metadata(forKey: "m", inCollection: "misc") as? String == "meta")
                #expect(try transaction.object(forKey: "k", inCollection: "") as? String == "no collection")

                let alice = try #require(try transaction.row(forKey: "alice", inCollection: "buddies"))
                let buddy = try #require(alice.object as? [String: Any])
                #expect(buddy["name"] as? String == "alice" && buddy["tags"] as? [String] == ["x", "y"])
                #expect(alice.metadata is Date)
                #expect(try transaction.numberOfKeys(inCollection: "messages") == 188)
            }
            try database.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    @Test func aClassThatTheProgramLacksIsNamedAndTheRowIsNotMissing() throws {
        try withCopy(of: "chat") { url throws in
            let database = try YapDatabase(url: url, options: .forTests)
            try database.newConnection().read { transaction throws in
                #expect(try transaction.hasObject(forKey: "msg-001", inCollection: "messages"))
                expectError(.decodingFailed, mentioning: "class Message") {
                    _ = try transaction.object(forKey: "msg-001", inCollection: "messages")
                }
            }
            try database.close()
        }
    }

    @Test func propertyListsDecode() throws {
        try withCopy(of: "books") { url throws in
            let database = try YapDatabase(url: url, options: .forTests)
            database.registerSerializer(
                YapDatabase.propertyListSerializer(), deserializer: YapDatabase.propertyListDeserializer(),
                forCollections: ["books"])
            try database.newConnection().read { transaction throws in
                let book = try #require(try transaction.row(forKey: "book-000", inCollection: "books"))
                let fields = try #require(book.object as? [String: Any])
                #expect(fields["genre"] as? String == "mystery" && fields["inStock"] as? Bool == true)
                #expect(fields["price"] as? Double == 27.61 && book.metadata as? Int == 15)
                var count = 0
                try transaction.iterateRows(inCollection: "books") { (_, _: [String: Any], _: Int?, _) in count += 1 }
                #expect(count == 481)
            }
            try database.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    @Test func jsonDecodes() throws {
        struct Item: Codable {
            let group: String
            let text: String
            let sort: Int
        }
        struct Revision: Codable { let rev: Int }
        try withCopy(of: "json") { url throws in
            let database = try YapDatabase(url: url, options: .forTests)
            database.registerCodableSerialization(Item.self, metadata: Revision.self, forCollection: "c", as: .json)
            try database.newConnection().read { transaction throws in
                var texts = 0
                try transaction.iterateRows(inCollection: "c") { (_, item: Item, revision: Revision?, _) in
                    texts += item.text.hasPrefix("hello number") && revision != nil ? 1 : 0
                }
                #expect(texts == 120)
            }
            try database.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }
}
