import Foundation
import ListChanges
import Testing

@testable import YapDatabase

@Suite struct ManualViewTests {
    private func fill(_ database: YapDatabase, _ keys: [String]) throws {
        try database.newConnection().readWrite { transaction throws in
            for key in keys {
                try transaction.setObject(Item(group: nil, sort: 0, text: key), forKey: key, inCollection: "c")
            }
        }
    }

    private func keys(_ database: YapDatabase, _ group: String) throws -> [String] {
        try database.newConnection().read { transaction throws in
            let view = try #require(transaction.ext("list") as? YapDatabaseManualViewTransaction)
            return try (0..<view.numberOfItems(inGroup: group)).map { try view.key(at: $0, inGroup: group) ?? "" }
        }
    }

    private func edit(_ database: YapDatabase, _ body: (YapDatabaseManualViewTransaction) throws -> Void) throws {
        try database.newConnection().readWrite { transaction throws in
            try body(try #require(transaction.ext("list") as? YapDatabaseManualViewTransaction))
        }
    }

    @Test func theAppDecidesWhatItHolds() throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            try database.register(YapDatabaseManualView(), withName: "list")
            try fill(database, ["a", "b", "c", "d"])
            let list = try ListFollower(database, view: "list", groups: ["x", "y"])
            try edit(database) { view throws in
                #expect(try view.addKey("b", inCollection: "c", toGroup: "x"))
                #expect(try view.insertKey("a", inCollection: "c", at: 0, inGroup: "x"))
                #expect(try view.addKey("c", inCollection: "c", toGroup: "x"))
                #expect(try !view.addKey("c", inCollection: "c", toGroup: "y"))
                #expect(try !view.addKey("none", inCollection: "c", toGroup: "y"))
                #expect(try !view.insertKey("d", inCollection: "c", at: 4, inGroup: "x"))
                #expect(try !view.insertKey("d", inCollection: "c", at: -1, inGroup: "x"))
            }
            #expect(try keys(database, "x") == ["a", "b", "c"])
            #expect(try list.advance()?.rowChanges.map(\.type) == [.insert, .insert, .insert])
            try database.newConnection().readWrite { transaction throws in
                try transaction.removeObject(forKey: "b", inCollection: "c")
                try transaction.setObject(Item(group: nil, sort: 1, text: ""), forKey: "a", inCollection: "c")
            }
            let types = try list.advance()?.rowChanges.map(\.type).sorted { $0.rawValue < $1.rawValue }
            #expect(types == [.delete, .update])
            try edit(database) { view throws in
                #expect(try !view.removeItem(at: 2, inGroup: "x"))
                #expect(try view.removeItem(at: 0, inGroup: "x"))
                #expect(try !view.removeKey("c", inCollection: "c", fromGroup: "y"))
                #expect(try view.removeKey("c", inCollection: "c", fromGroup: "x"))
                #expect(view.isEmpty())
                try view.addKey("d", inCollection: "c", toGroup: "y")
                try view.removeAllItems(inGroup: "y")
                expectError(.badExtension, mentioning: "YapDatabaseManualView") {
                    try (view as YapDatabaseViewTransaction).setGrouping(
                        Item.view().grouping, sorting: Item.view().sorting, versionTag: "2")
                }
            }
            #expect(try list.advance() == nil || list.rows.sections.allSatisfy { $0.rows.isEmpty })
            #expect(try database.newConnection().read { $0.ext("list") is YapDatabaseManualViewTransaction })
        }
    }

    @Test func aManualViewIsKeptUntilItsTagChanges() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "db.sqlite")
            for (tag, expected) in [("1", []), ("1", ["a", "b"]), ("2", []), ("2", ["a", "b"])] {
                let database = try YapDatabase(url: url, options: .forTests)
                database.registerItems()
                #expect(
                    try YapDatabaseView.previousVersionTag(
                        forRegisteredViewName: "none", with: database.newConnection()) == nil)
                try database.register(YapDatabaseManualView(versionTag: tag), withName: "list")
                #expect(try keys(database, "x") == expected)
                try fill(database, ["a", "b"])
                try edit(database) { view throws in
                    try view.addKey("a", inCollection: "c", toGroup: "x")
                    try view.addKey("b", inCollection: "c", toGroup: "x")
                }
                #expect(
                    try YapDatabaseView.previousVersionTag(
                        forRegisteredViewName: "list", with: database.newConnection()) == tag)
                try database.close()
            }
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    @Test func rowsThatWereRemovedBesideItLeaveItWhenItIsRegistered() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "db.sqlite")
            let first = try YapDatabase(url: url, options: .forTests)
            first.registerItems()
            try first.register(YapDatabaseManualView(), withName: "list")
            try fill(first, ["a", "b", "c"])
            try edit(first) { view throws in
                for key in ["c", "a", "b"] { try view.addKey(key, inCollection: "c", toGroup: "x") }
            }
            try first.close()
            let second = try YapDatabase(url: url, options: .forTests)
            try second.newConnection().readWrite { try $0.removeObject(forKey: "a", inCollection: "c") }
            try second.close()
            let third = try YapDatabase(url: url, options: .forTests)
            third.registerItems()
            try third.register(YapDatabaseManualView(), withName: "list")
            #expect(try keys(third, "x") == ["c", "b"])
            try third.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    @Test func aFileOfTheOriginalLoadsAndIsWritten() throws {
        try withCopy(of: "json") { url throws in
            let database = try YapDatabase(url: url, options: .forTests)
            try database.register(YapDatabaseManualView(versionTag: "m1"), withName: "list-of-ours")
            try database.register(YapDatabaseManualView(versionTag: "m1"), withName: "manual")
            let connection = try database.newConnection()
            try connection.readWrite { transaction throws in
                let view = try #require(transaction.ext("manual") as? YapDatabaseManualViewTransaction)
                let group = try #require(view.allGroups().first)
                let (count, last) = (view.numberOfItems(inGroup: group), try view.getLastKey(inGroup: group)!)
                #expect(count > 1)
                try view.removeKey(last.key, inCollection: last.collection, fromGroup: group)
                try view.insertKey(last.key, inCollection: last.collection, at: 0, inGroup: group)
                #expect(try view.getFirstKey(inGroup: group)! == last)
                let next = try view.getLastKey(inGroup: group)!
                try transaction.removeObject(forKey: next.key, inCollection: next.collection)
                #expect(view.numberOfItems(inGroup: group) == count - 1)
            }
            try database.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }
}
