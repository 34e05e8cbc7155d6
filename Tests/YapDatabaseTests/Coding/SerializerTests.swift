import Foundation
import Testing

@testable import YapDatabase

/// The ready-made serializers, and which of what was registered applies where.
@Suite struct SerializerTests {
    private func stored(_ database: YapDatabase, _ value: Any, _ collection: String = "c") throws -> (Data?, Any?) {
        try database.newConnection().readWrite { try $0.setObject(value, forKey: "k", inCollection: collection) }
        return try database.newConnection().read { transaction in
            (
                try transaction.serializedObject(forKey: "k", inCollection: collection),
                try transaction.object(forKey: "k", inCollection: collection)
            )
        }
    }

    @Test func datesAreEightBytesAndEverythingElseIsAnArchive() throws {
        try withTemporaryDatabase { database throws in
            database.registerSerializer(
                YapDatabase.timestampSerializer(), deserializer: YapDatabase.timestampDeserializer(),
                forCollections: ["c"])
            let date = Date(timeIntervalSinceReferenceDate: 1234.5)
            let (bytes, value) = try stored(database, date)
            #expect(bytes == withUnsafeBytes(of: 1234.5) { Data($0) } && value as? Date == date)
            #expect(try stored(database, "not a date").1 as? String == "not a date")
        }
    }

    @Test func rawDataIsStoredAsItIsAndNothingElseIs() throws {
        try withTemporaryDatabase { database throws in
            database.registerObjectSerializer(
                YapDatabase.rawSerializer(), deserializer: YapDatabase.rawDeserializer(), forCollections: ["c"])
            let data = Data([0, 1, 255])
            let (bytes, value) = try stored(database, data)
            #expect(bytes == data && value as? Data == data)
            expectError(.encodingFailed) { _ = try stored(database, "text") }
        }
    }

    @Test func propertyListsHoldPlainValues() throws {
        try withTemporaryDatabase { database throws in
            database.registerDefaultSerializer(YapDatabase.propertyListSerializer())
            database.registerDefaultDeserializer(YapDatabase.propertyListDeserializer())
            let (bytes, value) = try stored(database, ["a": [1, 2]])
            #expect(bytes?.starts(with: Data("bplist".utf8)) == true && value as? [String: [Int]] == ["a": [1, 2]])
        }
    }

    @Test func theDefaultIsAKeyedArchive() throws {
        try withTemporaryDatabase { database throws in
            let (bytes, _) = try stored(database, "text")
            #expect(try bytes == YapDatabase.defaultSerializer()("c", "k", "text"))
            #expect(try YapDatabase.defaultDeserializer()("c", "k", bytes ?? Data()) as? String == "text")
        }
    }

    @Test(arguments: [YapDatabaseCodableFormat.propertyList, .json]) func codableTypesTakeTheFormatOfTheirCollection(
        format: YapDatabaseCodableFormat
    ) throws {
        try withTemporaryDatabase { database throws in
            database.registerCodableSerialization(Item.self, metadata: [Int].self, forCollection: "c", as: format)
            let item = Item(group: "g", sort: 1, text: "t")
            try database.newConnection().readWrite {
                try $0.setObject(item, forKey: "k", inCollection: "c", withMetadata: [7])
            }
            try database.newConnection().read { transaction throws in
                let bytes = try #require(try transaction.serializedRow(forKey: "k", inCollection: "c"))
                #expect(try bytes.object.withUnsafeBytes { try format.decode(Item.self, $0) } == item)
                #expect(try transaction.row(forKey: "k", inCollection: "c")?.object as? Item == item)
                #expect(try transaction.metadata(forKey: "k", inCollection: "c") as? [Int] == [7])
            }
            expectError(.encodingFailed, mentioning: "holds Item, not String") { _ = try stored(database, "no item") }
        }
    }

    @Test func aBlockOfOneRoleLeavesTheOtherAlone() throws {
        try withTemporaryDatabase { database throws in
            database.registerMetadataSerializer({ _, _, value in Data("\(value)".utf8) }, forCollection: "c")
            database.registerMetadataDeserializer(
                { _, _, data in String(decoding: data, as: UTF8.self) }, forCollection: "c")
            database.registerObjectSerializer({ _, key, _ in Data(key.utf8) }, forCollection: "c")
            database.registerObjectDeserializer({ collection, _, _ in collection }, forCollection: "c")
            let connection = try database.newConnection()
            try connection.readWrite {
                try $0.setObject(1, forKey: "k", inCollection: "c", withMetadata: 2)
                try $0.setObject(1, forKey: "k", inCollection: "other", withMetadata: 2)
            }
            try database.newConnection().read { transaction throws in
                let row = try #require(try transaction.row(forKey: "k", inCollection: "c"))
                #expect(row.object as? String == "c" && row.metadata as? String == "2")
                #expect(try transaction.serializedObject(forKey: "k", inCollection: "c") == Data("k".utf8))
                let other = try #require(try transaction.row(forKey: "k", inCollection: "other"))
                #expect(other.object as? Int == 1 && other.metadata as? Int == 2)
            }
        }
    }

    /// A collection that said something of its own still follows the default in everything else, whatever came first.
    @Test(arguments: [true, false]) func theOrderOfRegistrationsDoesNotMatter(ownFirst: Bool) throws {
        try withTemporaryDatabase { database throws in
            func own() {
                database.setObjectPolicy(.share, forCollection: "c")
                database.registerObjectPreSanitizer({ _, _, value in "\(value)!" }, forCollection: "c")
            }
            if ownFirst { own() }
            database.registerDefaultObjectSerializer { _, _, value in Data("\(value)".utf8) }
            database.registerDefaultObjectDeserializer { _, _, data in String(decoding: data, as: UTF8.self) }
            database.registerDefaultMetadataSerializer { _, _, _ in Data([1]) }
            database.registerDefaultMetadataDeserializer { _, _, _ in "one" }
            if !ownFirst { own() }
            let (bytes, value) = try stored(database, "a")
            #expect(bytes == Data("a!".utf8) && value as? String == "a!")
            #expect(try stored(database, "a", "other").1 as? String == "a")
        }
    }

    @Test func defaultSanitizersApplyWhereACollectionHasNone() throws {
        try withTemporaryDatabase { database throws in
            let seen = Locked<[String]>([])
            database.registerDefaultPreSanitizer { _, _, value in "\(value)1" }
            database.registerDefaultPostSanitizer { _, key, value in seen.withLock { $0.append("\(key)\(value)") } }
            database.registerPreSanitizer({ _, _, value in "\(value)2" }, forCollection: "own")
            database.registerPostSanitizer({ _, _, _ in }, forCollection: "own")
            #expect(try stored(database, "a").1 as? String == "a1")
            #expect(try stored(database, "a", "own").1 as? String == "a2")
            database.registerPreSanitizer(nil, forCollection: "own")
            #expect(try stored(database, "a", "own").1 as? String == "a1")
            #expect(seen.withLock { $0 } == ["ka1"])
        }
    }

    @Test func defaultPoliciesHandValuesToOthers() throws {
        try withTemporaryDatabase { database throws in
            let decoded = Locked(0)
            database.registerDefaultDeserializer { _, _, _ in
                decoded.withLock { $0 += 1 }
                return "decoded"
            }
            database.setDefaultObjectPolicy(.share)
            database.setDefaultMetadataPolicy(.share)
            let (writer, reader) = (try database.newConnection(), try database.newConnection())
            try writer.readWrite { try $0.setObject("old", forKey: "k", withMetadata: "old") }
            _ = try reader.read { try $0.row(forKey: "k") }
            try writer.readWrite { try $0.setObject("new", forKey: "k", withMetadata: "more") }
            let row = try #require(try reader.read { try $0.row(forKey: "k") })
            #expect(row.object as? String == "new" && row.metadata as? String == "more")
            #expect(decoded.withLock { $0 } == 2)
        }
    }
}
