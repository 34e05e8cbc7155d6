import Foundation
import TestSupport
import Testing
import YapDatabase
import YapDatabaseExtensions

/// Every way to store items and metadata, through the whole interface: written once for all of them.
@Suite struct PatternTests {
    @Test(arguments: Shop.types.indices)
    func itemsAreReadAsTheyWereWritten(pattern: Int) throws {
        try withTemporaryFolder { folder in
            let url = folder.appending(path: "t.sqlite")
            let database = try YapDatabase(url: url)
            try write(Shop.types[pattern], to: database.newConnection())
            try database.close()
            // No cache helps this one.
            let again = try YapDatabase(url: url)
            let connection = try again.newConnection()
            try readFunctions(Shop.types[pattern], connection)
            try readItems(Shop.types[pattern], connection)
            try remove(Shop.types[pattern], connection)
            try again.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    private func samples<Item: Sampled>() -> [Item] {
        (0..<6).map { Item.sample($0, content: $0 * 7, metadata: $0 % 3) }
    }

    private func write<Item: Sampled>(_ type: Item.Type, to connection: YapDatabaseConnection) throws {
        let items: [Item] = samples()
        let one = try connection.write(items[0])
        #expect(one == items[0])
        #expect(try connection.write(items[1...2]) == Array(items[1...2]))
        try connection.write { transaction in
            try transaction.write(items[3])
            try transaction.write(items[4...])
        }
        let read: Item? = try connection.readByKey(items[1].key)
        #expect(read == items[1] && read?.metadataText == items[1].metadataText)
    }

    private func readFunctions<Item: Sampled>(_ type: Item.Type, _ connection: YapDatabaseConnection) throws {
        let items: [Item] = samples()
        let keys = items.map(\.key)
        let one: Item? = try connection.readAtIndex(items[2].index)
        expectSame([one].compactMap(\.self), [items[2]])
        expectSame(try connection.readAtIndexes(items.map(\.index)), items)
        expectSame(try connection.readByKeys(keys.reversed() + ["missing", keys[0]]), items.reversed())
        expectSame(try connection.readAll(), items.sorted { $0.key < $1.key })
        let missing: Item? = try connection.readByKey("missing")
        #expect(missing == nil)
        try connection.read { transaction throws in
            let one: Item? = try transaction.readByKey(keys[3])
            expectSame([one].compactMap(\.self), [items[3]])
            expectSame(try transaction.readAtIndexes(items.map(\.index)), items)
            let metadata: [Item.MetadataType] = try transaction.readMetadataAtIndexes(items.map(\.index))
            #expect(metadata.count == items.filter { $0.metadata != nil }.count)
            let first: Item.MetadataType? = try transaction.readMetadataAtIndex(items[0].index)
            #expect(first == nil)
        }
    }

    private func readItems<Item: Sampled>(_ type: Item.Type, _ connection: YapDatabaseConnection) throws {
        try check(Item.read(connection))
        try connection.read { try check(Item.read($0)) }

        func check(_ read: YapDB.Read<Item>) throws {
            let items: [Item] = samples()
            let keys = items.map(\.key)
            expectSame(
                [try read.byIndex(items[1].index), try read.atIndex(items[1].index)].compactMap(\.self),
                [items[1], items[1]])
            expectSame(try read.atIndexes(items.map(\.index)), items)
            expectSame([try read.byKey(keys[5])].compactMap(\.self), [items[5]])
            expectSame(try read.byKeys(keys), items)
            expectSame(try read.all(), items.sorted { $0.key < $1.key })
            let (existing, missing) = try read.filterExisting(["x", keys[4], "y", keys[1]])
            expectSame(existing, [items[4], items[1]])
            #expect(missing == ["x", "y"])
            #expect((try read.metadataAtIndex(items[1].index) != nil) == (items[1].metadata != nil))
            #expect(try read.metadataAtIndexes(items.map(\.index)).count == items.filter { $0.metadata != nil }.count)
        }
    }

    private func remove<Item: Sampled>(_ type: Item.Type, _ connection: YapDatabaseConnection) throws {
        let items: [Item] = samples()
        try connection.remove(items[0])
        try connection.remove(items[0])
        try connection.remove(items[1...2])
        try connection.readWrite { transaction in
            try items[3].remove(transaction)
            try transaction.removeAtIndexes([items[4].index])
        }
        expectSame(try connection.readAll(), [items[5]])
    }

    private func expectSame<Item: Sampled>(
        _ found: [Item], _ expected: [Item], location: SourceLocation = #_sourceLocation
    ) {
        #expect(found == expected, sourceLocation: location)
        #expect(found.map(\.metadataText) == expected.map(\.metadataText), sourceLocation: location)
    }
}
