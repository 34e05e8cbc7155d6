import Foundation
import Testing

@testable import YapDatabase

@Suite struct CacheTests {
    final class Box: Codable, @unchecked Sendable {
        // @unchecked: never changed after it was stored.
        let text: String

        init(_ text: String) { self.text = text }
    }

    private func withBoxes(
        _ policy: YapDatabasePolicy,
        _ body: (_ writer: YapDatabaseConnection, _ reader: YapDatabaseConnection) throws -> Void
    ) throws {
        try withTemporaryDatabase { database throws in
            database.registerCodableSerialization(Box.self, metadata: Box.self, forCollection: "c")
            database.setObjectPolicy(policy, forCollection: "c")
            database.setMetadataPolicy(policy, forCollection: "c")
            try body(database.newConnection(), database.newConnection())
        }
    }

    private func box(_ connection: YapDatabaseConnection) throws -> Box? {
        try connection.read { try $0.object(forKey: "k", inCollection: "c") } as? Box
    }

    @Test func aConnectionReadsAnObjectOnce() throws {
        try withBoxes(.containment) { writer, reader throws in
            try writer.readWrite { try $0.setObject(Box("one"), forKey: "k", inCollection: "c") }
            let first = try #require(try box(reader))
            #expect(try box(reader) === first)
        }
    }

    @Test(arguments: [YapDatabasePolicy.containment, .share]) func thePolicyDecidesWhatOthersSee(
        policy: YapDatabasePolicy
    ) throws {
        try withBoxes(policy) { writer, reader throws in
            try writer.readWrite { try $0.setObject(Box("one"), forKey: "k", inCollection: "c") }
            _ = try box(reader)
            let second = Box("two")
            try writer.readWrite { try $0.replace(second, forKey: "k", inCollection: "c") }
            let seen = try #require(try box(reader))
            #expect(seen.text == "two" && (seen === second) == (policy == .share))
        }
    }

    @Test func aSharedValueThatIsWrittenOverInTheSameCommitIsNotHandedOn() throws {
        try withBoxes(.share) { writer, reader throws in
            try writer.readWrite {
                try $0.setObject(Box("one"), forKey: "k", inCollection: "c", withMetadata: Box("m"))
            }
            _ = try reader.read { try $0.row(forKey: "k", inCollection: "c") }
            try writer.readWrite { transaction in
                try transaction.setObject(Box("two"), forKey: "k", inCollection: "c", withMetadata: Box("n"))
                try transaction.setObject(Box("three"), forKey: "k", inCollection: "c")
            }
            let row = try reader.read { try $0.row(forKey: "k", inCollection: "c") }
            #expect((row?.object as? Box)?.text == "three" && row?.metadata == nil)
        }
    }

    @Test func aRowThatIsRemovedAndMadeAnewIsNotFoundByItsOldRowid() throws {
        try withTemporaryDatabase { database throws in
            let (writer, reader) = (try database.newConnection(), try database.newConnection())
            func rowid() throws -> Int64? {
                try reader.read { try $0.rowid(forKey: .init(collection: "", key: "k")) }
            }
            try writer.readWrite { try $0.setObject(1, forKey: "k") }
            let before = try #require(try rowid())
            try writer.readWrite { transaction in
                try transaction.setObject(1, forKey: "other")
                try transaction.removeObject(forKey: "k")
                try transaction.setObject(2, forKey: "third")
                try transaction.setObject(2, forKey: "k")
            }
            let after = try #require(try rowid())
            #expect(after != before)
            #expect(try reader.read { try $0.key(forRowid: after) }?.key == "k")
            #expect(try reader.read { try $0.object(forKey: "k") } as? Int == 2)
        }
    }

    @Test func sanitizersSeeValuesBeforeAndAfterTheyAreStored() throws {
        try withTemporaryDatabase { database throws in
            let seen = Locked<[String]>([])
            database.registerObjectPreSanitizer({ _, _, value in "clean " + (value as! String) }, forCollection: "c")
            database.registerObjectPostSanitizer(
                { _, key, value in seen.withLock { $0.append("\(key): \(value)") } }, forCollection: "c")
            let (writer, reader) = (try database.newConnection(), try database.newConnection())
            try writer.readWrite { try $0.setObject("a", forKey: "k", inCollection: "c") }
            for connection in [writer, reader] {
                #expect(try connection.read { try $0.object(forKey: "k", inCollection: "c") } as? String == "clean a")
            }
            #expect(seen.withLock { $0 } == ["k: clean a"])
        }
    }
}
