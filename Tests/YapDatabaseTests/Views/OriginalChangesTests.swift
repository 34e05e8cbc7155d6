import Foundation
import Testing
import YapDatabase

/// Changes under the original's names.
@Suite struct OriginalChangesTests {
    @Test(arguments: [ChangeType.insert, .delete, .move, .update])
    func aChangeSaysWhereItsRowWasAndIs(type: ChangeType) {
        let before = type == .insert ? nil : RowPath(section: 1, row: 4)
        let after = type == .delete ? nil : RowPath(section: 2, row: 3)
        let key = YapCollectionKey(collection: "books", key: "dune")
        let change = YapDatabaseViewRowChange(
            type: type, flags: [.object, .metadata], key: key, before: before, after: after,
            originalGroup: before.map { _ in "a" }, finalGroup: after.map { _ in "b" })
        #expect(change.collectionKey == key && change.changes == [.changedObject, .changedMetadata])
        #expect(change.originalSection == before?.section && change.originalIndex == before?.row)
        #expect(change.finalSection == after?.section && change.finalIndex == after?.row)
        #expect(change.indexPath == before.map { IndexPath(row: $0.row, section: $0.section) })
        // Of an update the original tells only the path before.
        let newPath = type == .update ? nil : after
        #expect(change.newIndexPath == newPath.map { IndexPath(row: $0.row, section: $0.section) })
    }

    @Test func aChangeSetOfADatabaseHasThem() throws {
        try withTemporaryDatabase { database in
            let view = YapDatabaseAutoView(
                grouping: .withObjectBlock { _, _, _, object in object as? String },
                sorting: .withKeyBlock { _, _, _, key1, _, key2 in key1.compare(key2) })
            try database.register(view, withName: "order")
            let writer = try database.newConnection()
            try writer.readWrite { transaction in
                for key in ["a", "b", "c"] { try transaction.setObject("one", forKey: key) }
            }
            let connection = try database.newConnection()
            try connection.beginLongLivedReadTransaction()
            let mappings = YapDatabaseViewMappings(groups: ["one", "two"], view: "order")
            try connection.read { try mappings.update(with: $0) }
            try writer.readWrite { transaction in
                try transaction.setObject("two", forKey: "c")
                try transaction.removeObject(forKey: "a")
            }
            let notifications = try connection.beginLongLivedReadTransaction()
            let order = try #require(connection.ext("order") as? YapDatabaseViewConnection)
            let (_, rows) = try order.getChanges(forNotifications: notifications, withMappings: mappings)
            let move = try #require(rows.first { $0.type == .move })
            #expect(move.originalSection == 0 && move.originalIndex == 2 && move.originalGroup == "one")
            #expect(move.finalSection == 1 && move.finalIndex == 0 && move.finalGroup == "two")
            let delete = try #require(rows.first { $0.type == .delete })
            #expect(delete.originalIndex == 0 && delete.finalIndex == nil && delete.finalSection == nil)
        }
    }

    /// Each other spelling says the same.
    @Test func otherNamesSayTheSame() throws {
        try withTemporaryDatabase { database in
            let view = YapDatabaseAutoView(
                grouping: .withKeyBlock { _, _, _ in "all" },
                sorting: .withKeyBlock { _, _, _, key1, _, key2 in key1.compare(key2) })
            try database.register(view, withName: "order")
            try database.newConnection().readWrite { transaction in
                for key in ["a", "b", "c"] {
                    try transaction.setObject(key, forKey: key, inCollection: "letters", withMetadata: "of \(key)")
                }
                let view = try #require(transaction.extension("order") as? YapDatabaseViewTransaction)
                let mappings = YapDatabaseViewMappings(groups: ["all"], view: "order")
                try mappings.update(with: transaction)
                let (path, indexPath) = (RowPath(section: 0, row: 1), IndexPath(row: 1, section: 0))
                #expect(try view.rowKey(at: path, with: mappings) == RowKey(collection: "letters", key: "b"))
                #expect(try view.key(at: 1, inGroup: "all") == "b")
                #expect(try view.collection(at: 1, inGroup: "all") == "letters")
                #expect(try view.getFirstKey(inGroup: "all")?.key == "a")
                #expect(try view.getLastKey(inGroup: "all")?.key == "c")
                #expect(try view.getLastKey(inGroup: "none") == nil)
                #expect(try view.object(at: indexPath, with: mappings) as? String == "b")
                #expect(try view.metadata(at: indexPath, with: mappings) as? String == "of b")
                #expect(try view.metadata(atRow: 1, inSection: 0, with: mappings) as? String == "of b")
                #expect(try view.object(atRow: 1, inSection: 0, with: mappings) as? String == "b")
                #expect(try view.indexPath(forKey: "b", inCollection: "letters", with: mappings) == indexPath)
                #expect(try view.getRow(forKey: "b", inCollection: "letters", with: mappings)?.row == 1)
                #expect(mappings.groupAndIndex(for: indexPath)?.index == 1)
                #expect(mappings.groupAndIndex(forRow: 1, inSection: 0)?.group == "all")
                #expect(mappings.groupAndIndex(at: path)?.index == 1)
                #expect(mappings.indexPath(for: 1, inGroup: "all") == indexPath)
                #expect(mappings.path(forIndex: 1, inGroup: "all") == path)
                #expect(mappings.row(for: 1, inGroup: "all") == mappings.row(forIndex: 1, inGroup: "all"))
                #expect(mappings.nearestIndexPath(forRow: 9, inGroup: "all") == IndexPath(row: 2, section: 0))
                #expect(mappings.nearestPath(forRow: 9, inGroup: "all") == RowPath(section: 0, row: 2))
                var keys: [String] = []
                try view.enumerateKeys(inGroup: "all", with: .reverse) { _, key, _, _ in keys.append(key) }
                #expect(keys == ["c", "b", "a"])
            }
            #expect(database.sqliteVersion == YapDatabase.sqliteVersion)
        }
    }
}
