import Foundation
import ListChanges
import TestSupport
import Testing

@testable import YapDatabase

/// The `hasChange` family against a plain list of what was done, over several commits.
@Suite struct ChangeQueryTests {
    private struct Done: Hashable {
        var key: RowKey
        var object: Bool
        var metadata: Bool
    }

    private static let collections = ["a", "b", "c"]
    private static let keys = ["1", "2", "3", "4"]

    @Test(arguments: Effort.some([1, 2, 3] as [UInt64])) func theAnswersAreThoseOfAPlainList(seed: UInt64) throws {
        try withTemporaryDatabase { database in
            var random = SplitMix64(seed: seed)
            let (writer, reader) = (try database.newConnection(), try database.newConnection())
            for _ in 0..<30 {
                try writer.readWrite { transaction in
                    for collection in Self.collections {
                        for key in Self.keys { try transaction.setObject(0, forKey: key, inCollection: collection) }
                    }
                }
                try reader.beginLongLivedReadTransaction()
                var done: Set<Done> = []
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    try writer.readWrite { transaction in
                        for _ in 0..<Int.random(in: 0...2, using: &random) {
                            done.insert(try Self.change(transaction, &random))
                        }
                    }
                }
                check(reader, try reader.beginLongLivedReadTransaction(), done, seed)
            }
        }
    }

    private static func change(
        _ transaction: YapDatabaseReadWriteTransaction, _ random: inout SplitMix64
    ) throws -> Done {
        let (collection, key) = (collections.randomElement(using: &random)!, keys.randomElement(using: &random)!)
        let row = RowKey(collection: collection, key: key)
        // What is not there is neither replaced nor touched nor removed.
        let isThere = try transaction.hasObject(forKey: key, inCollection: collection)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: try transaction.removeObject(forKey: key, inCollection: collection)
        case 1: try transaction.replace(1, forKey: key, inCollection: collection)
        case 2: try transaction.replaceMetadata("m", forKey: key, inCollection: collection)
        case 3: try transaction.touchObject(forKey: key, inCollection: collection)
        case 4: try transaction.touchMetadata(forKey: key, inCollection: collection)
        default:
            try transaction.setObject(2, forKey: key, inCollection: collection)
            return Done(key: row, object: true, metadata: true)
        }
        return Done(key: row, object: isThere, metadata: isThere)
    }

    private func check(
        _ connection: YapDatabaseConnection, _ notifications: [Notification], _ done: Set<Done>, _ seed: UInt64
    ) {
        let changed = Set(done.filter { $0.object || $0.metadata }.map(\.key))
        for collection in Self.collections {
            let keys = Set(changed.filter { $0.collection == collection }.map(\.key))
            let isChanged = connection.hasChange(forCollection: collection, in: notifications)
            #expect(isChanged == !keys.isEmpty, "seed \(seed)")
            let parts = [
                connection.hasObjectChange(forCollection: collection, in: notifications),
                connection.hasMetadataChange(forCollection: collection, in: notifications),
            ]
            #expect(parts.contains(true) == isChanged, "seed \(seed)")
            #expect(
                connection.hasChange(forAnyKeys: Set(Self.keys), inCollection: collection, in: notifications)
                    == isChanged)
            for key in Self.keys {
                let answers = [
                    connection.hasChange(forKey: key, inCollection: collection, in: notifications),
                    connection.hasObjectChange(forAnyKeys: [key], inCollection: collection, in: notifications)
                        || connection.hasMetadataChange(forAnyKeys: [key], inCollection: collection, in: notifications),
                ]
                #expect(answers == [keys.contains(key), keys.contains(key)], "seed \(seed), \(collection) \(key)")
            }
            var named: Set<String> = []
            connection.enumerateChangedKeys(inCollection: collection, in: notifications) { key, _ in
                #expect(named.insert(key).inserted)
            }
            #expect(named == keys, "seed \(seed)")
        }
        var named: Set<RowKey> = []
        connection.enumerateChangedCollectionKeys(in: notifications) { key, _ in named.insert(key) }
        #expect(named == changed, "seed \(seed)")
        var first = 0
        connection.enumerateChangedCollectionKeys(in: notifications) { _, stop in (first, stop) = (first + 1, true) }
        #expect(first == min(1, changed.count))
    }
}
