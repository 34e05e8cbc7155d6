import Foundation
import TestSupport
import Testing
import YapDatabase
import YapDatabaseExtensions

/// Random writes, removals and reads through both interfaces, against dictionaries.
@Suite struct ModelTests {
    @Test(arguments: Effort.some([UInt64](1...3) + [UInt64.random(in: 1_000...999_999)]))
    func theDatabaseIsADictionary(seed: UInt64) throws {
        print("ModelTests: seed \(seed)")
        try withTemporaryFolder { folder in
            let url = folder.appending(path: "t.sqlite")
            var random = SplitMix64(seed: seed)
            let models = Shop.types.map { model($0) }
            for launch in 0..<3 {
                let database = try YapDatabase(url: url)
                let (writer, reader) = (try database.newConnection(), try database.newConnection())
                for step in 0..<40 {
                    let model = random.pick(models)
                    let context = "seed \(seed), launch \(launch), step \(step)"
                    try model.change(writer, &random)
                    try model.check(random.percent(50) ? writer : reader, &random, context)
                }
                for model in models { try model.checkAll(reader, "seed \(seed), launch \(launch)") }
                try database.close()
                #expect(try YapDatabase.check(url: url) == [], "seed \(seed)")
            }
        }
    }

    private func model<Item: Sampled>(_ type: Item.Type) -> any ItemModel { Model<Item>() }
}

private protocol ItemModel: AnyObject {
    func change(_ connection: YapDatabaseConnection, _ random: inout SplitMix64) throws
    func check(_ connection: YapDatabaseConnection, _ random: inout SplitMix64, _ context: String) throws
    func checkAll(_ connection: YapDatabaseConnection, _ context: String) throws
}

private final class Model<Item: Sampled>: ItemModel {
    private var items: [String: Item] = [:]
    private let limit = 12

    func change(_ connection: YapDatabaseConnection, _ random: inout SplitMix64) throws {
        let new = (0...random.below(4)).map { _ in Item.random(&random, below: limit) }
        let gone = (0...random.below(2)).map { _ in Item.random(&random, below: limit) }
        switch random.below(8) {
        case 0:
            try connection.write(new[0])
            set(new.prefix(1))
        case 1:
            try new[0].write(connection)
            set(new.prefix(1))
        case 2:
            try connection.write(new)
            set(new)
        case 3:
            try new.write(connection)
            set(new)
        case 4:
            try connection.write { transaction throws in
                try transaction.write(new)
                try gone.remove(transaction)
            }
            set(new, removing: gone)
        case 5:
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = 1
            queue.addOperations(
                [new.writeOperation(connection), gone.removeOperation(connection)], waitUntilFinished: true)
            set(new, removing: gone)
        case 6:
            try connection.remove(gone)
            set([], removing: gone)
        default:
            // A transaction that fails writes nothing.
            #expect(throws: CancellationError.self) {
                try connection.write { transaction throws in
                    try transaction.write(new)
                    throw CancellationError()
                }
            }
        }
    }

    private func set(_ new: some Sequence<Item>, removing gone: [Item] = []) {
        for item in new { items[item.key] = item }
        for item in gone { items[item.key] = nil }
    }

    func check(_ connection: YapDatabaseConnection, _ random: inout SplitMix64, _ context: String) throws {
        let asked = (0..<5).map { _ in Item.random(&random, below: limit + 2) }
        let keys = asked.map(\.key)
        for item in asked {
            let found: Item? = try connection.readByKey(item.key)
            expectSame([found], [items[item.key]], context)
            expectSame([try Item.read(connection).byIndex(item.index)], [items[item.key]], context)
        }
        let once = Item.indexesWithKeys(keys).map(\.key)
        let expected: [Item] = once.compactMap { items[$0] }
        expectSame(try connection.readByKeys(keys), expected, context)
        let (existing, missing) = try connection.read { try Item.read($0).filterExisting(keys) }
        expectSame(existing, expected, context)
        #expect(missing == once.filter { items[$0] == nil }, "\(context)")
        let metadata = try Item.read(connection).metadataAtIndexes(asked.map(\.index))
        #expect(metadata.count == keys.compactMap { items[$0]?.metadata }.count, "\(context)")
    }

    func checkAll(_ connection: YapDatabaseConnection, _ context: String) throws {
        let expected = items.values.sorted { a, b in
            guard let first = a.identifier as? Int, let second = b.identifier as? Int else { return a.key < b.key }
            return first < second
        }
        expectSame(try connection.readAll(), expected, context)
        expectSame(try Item.read(connection).all(), expected, context)
    }

    private func expectSame(_ found: [Item?], _ expected: [Item?], _ context: String) {
        #expect(found == expected, "\(context), \(Item.self)")
        #expect(found.map { $0?.metadataText } == expected.map { $0?.metadataText }, "\(context), \(Item.self)")
    }
}
