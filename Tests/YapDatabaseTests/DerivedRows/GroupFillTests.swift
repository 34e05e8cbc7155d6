import FileEngine
import Foundation
import ListChanges
import SQLiteBridge
import SeededRandom
import TestSupport
import Testing

@testable import YapDatabase

/// All rows of the groups of a list that is there: as a fold over the groups gives them, in whatever way the rows are found and decoded.
@Suite struct GroupFillTests {
    typealias Message = GroupListTests.Message
    typealias Row = GroupListTests.Row

    private static func folds(_ messages: [Message]) -> [Row] {
        Dictionary(grouping: messages.filter { $0.room != nil }) { $0.room ?? "" }.map { Row($0.key, $0.value) }
            .sorted { $0.name < $1.name }
    }

    private static func rows(_ connection: YapDatabaseConnection) throws -> [Row] {
        try connection.read { try $0[GroupListTests.inbox].values() }.map { Row($0) }.sorted { $0.name < $1.name }
    }

    /// With more rows than a thread gets at once, rows that were saved again, and others between them.
    private static func write(_ count: Int, _ database: YapDatabase, _ random: inout SplitMix64) throws -> [Message] {
        var messages: [Int: Message] = [:]
        try database.newConnection().readWrite { transaction in
            for number in 0..<count {
                let message = GroupListTests.message(random.below(count), &random)
                if messages[message.id] != nil { try transaction[GroupListTests.messages].remove(message.id) }
                messages[message.id] = message
                try transaction[GroupListTests.messages].save(message)
                try transaction.setObject(number, forKey: "\(number)", inCollection: "others")
            }
        }
        return Array(messages.values)
    }

    /// - Parameter keptRows: how many rows the groups are kept of: none, some or all.
    @Test(arguments: [0, 100, 1 << 20]) func allRowsAreWhatAFoldGives(keptRows: Int) throws {
        try withTemporaryDatabase { database in
            var random = SplitMix64(seed: UInt64(keptRows))
            let connection = try database.newConnection()
            let messages = try Self.write(1_500, database, &random)
            try RowGroups.$keptLimit.withValue(keptRows) {
                try database.register(GroupListTests.rooms, GroupListTests.inbox, GroupListTests.busy)
                #expect(try Self.rows(connection) == Self.folds(messages))
                // Once more over a list that is there.
                try database.unregisterExtension(withName: GroupListTests.inbox.name)
                try database.register(GroupListTests.inbox)
            }
            #expect(try Self.rows(connection) == Self.folds(messages))
            // The entries are right too: changes take them away again.
            for message in messages where message.id % 3 != 0 {
                try connection.readWrite { try $0[GroupListTests.messages].remove(message.id) }
            }
            #expect(try Self.rows(connection) == Self.folds(messages.filter { $0.id % 3 == 0 }))
        }
    }

    /// A program may code the rows by functions of its own, which are called on one thread.
    @Test func rowsOfAnotherFormAreDecodedByTheProgram() throws {
        try withTemporaryDatabase { database in
            var random = SplitMix64(seed: 7)
            let messages = try Self.write(700, database, &random)
            try database.register(GroupListTests.rooms)
            database.registerObjectPreSanitizer({ _, _, object in object }, forCollection: "messages")
            let derivation = GroupDerivation<Message>(
                list: "g", grouped: "rooms", groupedTag: GroupListTests.rooms.versionTag, source: "messages",
                figures: [GroupListTests.sizes.rule], ends: .last,
                followsViews: false, versionTag: "1")
            YapCollection(derivation.target, of: YapGroupRow<Message>.self).use(in: database)
            try database.newConnection().readWrite { transaction in
                #expect(transaction.codings.format(of: Message.self, in: "messages") == nil)
                let rows = YapDatabaseDerivedRowsTransaction(
                    YapDatabaseDerivedRows(derivation), name: derivation.name, transaction: transaction)
                try rows.register(previous: nil, progress: nil)
                for expected in Self.folds(messages) {
                    let key = RowKey(collection: derivation.target, key: expected.name)
                    let row = try transaction.value(of: YapGroupRow<Message>.self, .key(key), key)
                    #expect(row?.last == expected.last && row?[GroupListTests.sizes] == expected.sizes)
                }
                try transaction.derivingRows { try transaction.removeAllObjects(inCollection: derivation.target) }
                try transaction.store.dropTables(ofExtension: derivation.name)
            }
        }
    }

    /// One that cannot be decoded costs itself, also at the end of a group.
    @Test(arguments: [1, 2, 3] as [UInt64]) func rowsThatCannotBeDecodedAreLeftOut(seed: UInt64) throws {
        try withTemporaryDatabase { database in
            var random = SplitMix64(seed: seed)
            let connection = try database.newConnection()
            var messages = try Self.write(900, database, &random)
            try database.register(GroupListTests.rooms)
            // A program that registers nothing damages rows of the list.
            let damaged = Set((0..<20).map { _ in messages[random.below(messages.count)].id })
            let stranger = try foreignProgram(database.databaseURL)
            for id in damaged {
                try stranger.execute(
                    "UPDATE \"database2\" SET \"data\" = x'00' WHERE \"collection\" = 'messages' AND \"key\" = '\(id)'")
            }
            messages.removeAll { damaged.contains($0.id) }
            try database.register(GroupListTests.inbox)
            #expect(try Self.rows(connection) == Self.folds(messages), "seed \(seed)")
            // They are right again when the rows are.
            try connection.readWrite { transaction in
                for id in damaged { try transaction[GroupListTests.messages].save(GroupListTests.message(id, &random)) }
                messages = try transaction[GroupListTests.messages].values()
            }
            #expect(try Self.rows(connection) == Self.folds(messages), "seed \(seed)")
        }
    }
}

/// The groups of a view's rows are those that the view says of each row.
@Suite struct RowGroupsTests {
    @Test(arguments: [0, 1 << 20], [1, 2, 3] as [UInt64]) func eachRowHasItsGroup(keptRows: Int, seed: UInt64) throws {
        try withTemporaryDatabase { database in
            var random = SplitMix64(seed: seed)
            let connection = try database.newConnection()
            try connection.readWrite { transaction in
                for id in 0..<600 { try transaction[GroupListTests.messages].save(GroupListTests.message(id, &random)) }
            }
            try database.register(GroupListTests.rooms)
            try connection.readWrite { transaction in
                // Some that are not stored yet, if the seed says so.
                for id in 0..<(seed == 1 ? 0 : 40) {
                    try transaction[GroupListTests.messages].save(GroupListTests.message(id * 20, &random))
                    try transaction[GroupListTests.messages].remove(id * 20 + 1)
                }
                let view = try #require(transaction.ext("rooms") as? YapDatabaseViewTransaction)
                let pages = view.settledPages()
                let groups = try RowGroups.$keptLimit.withValue(keptRows) { try RowGroups(pages) }
                for group in groups.all {
                    #expect(group.count == view.numberOfItems(inGroup: group.name))
                    #expect(try group.first == pages.rowid(at: 0, inGroup: group.name))
                    #expect(try group.last == pages.rowid(at: group.count - 1, inGroup: group.name))
                }
                #expect(groups.all.reduce(0) { $0 + $1.count } == view.numberOfItemsInAllGroups())
                let rowids = Array<Int64>(-3..<1_300)
                for some in [rowids, rowids.shuffled(using: &random), rowids.reversed()] {
                    for rowid in some {
                        let found = try groups.number(ofRowid: rowid).map { groups.all[$0].name }
                        let expected = try pages.group(ofRowid: rowid)
                        guard found != expected else { continue }
                        Issue.record("seed \(seed), row \(rowid): \(found ?? "none"), and not \(expected ?? "none")")
                        return
                    }
                }
            }
        }
    }
}
