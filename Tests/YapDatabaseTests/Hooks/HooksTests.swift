import Foundation
import ListChanges
import Testing

@testable import YapDatabase

@Suite struct HooksTests {
    /// Hooks that write down what they hear.
    private func recording(_ lines: Locked<[String]>) -> YapDatabaseHooks {
        let hooks = YapDatabaseHooks()
        func modify(_ word: String) -> YapDatabaseHooks.ModifyRow {
            { transaction, collection, key, object, metadata, flags in
                let isLoaded = "\(object.isRealObjectLoaded) \(metadata.isRealObjectLoaded)"
                let stored = try transaction.object(forKey: key, inCollection: collection).map { "\($0)" } ?? "nothing"
                let values = try "\(object.realObject ?? "-") \(metadata.realObject ?? "-")"
                lines.withLock { $0.append("\(word) \(key) \(flags.rawValue) \(isLoaded) \(values) over \(stored)") }
            }
        }
        hooks.willModifyRow = modify("will")
        hooks.didModifyRow = modify("did")
        hooks.willRemoveRow = { transaction, collection, key in
            let exists = try transaction.hasObject(forKey: key, inCollection: collection)
            lines.withLock { $0.append("will remove \(key) \(exists)") }
        }
        hooks.didRemoveRow = { transaction, collection, key in
            let exists = try transaction.hasObject(forKey: key, inCollection: collection)
            lines.withLock { $0.append("did remove \(key) \(exists)") }
        }
        hooks.willRemoveAllRows = { transaction throws in
            let count = try transaction.numberOfKeysInAllCollections()
            lines.withLock { $0.append("will remove all \(count)") }
        }
        hooks.didRemoveAllRows = { _ in lines.withLock { $0.append("did remove all") } }
        return hooks
    }

    /// What the hooks hear of a write.
    private func heard(
        _ connection: YapDatabaseConnection, _ lines: Locked<[String]>,
        _ body: (YapDatabaseReadWriteTransaction) throws -> Void
    ) throws -> [String] {
        lines.withLock { $0 = [] }
        try connection.readWrite(body)
        return lines.withLock { $0 }
    }

    @Test func hooksAreCalledBeforeAndAfterEachChange() throws {
        try withTemporaryDatabase { database throws in
            let lines = Locked<[String]>([])
            try database.register(recording(lines), withName: "hooks")
            let connection = try database.newConnection()
            try expectChanges(connection, lines)
            try expectRemovals(connection, lines)
        }
    }

    private func expectChanges(_ connection: YapDatabaseConnection, _ lines: Locked<[String]>) throws {
        let inserted = try heard(connection, lines) {
            try $0.setObject("1", forKey: "a", inCollection: nil, withMetadata: "m")
        }
        #expect(inserted == ["will a 13 true true 1 m over nothing", "did a 13 true true 1 m over 1"])
        let set = try heard(connection, lines) { try $0.setObject("2", forKey: "a") }
        #expect(set == ["will a 14 true true 2 - over 1", "did a 14 true true 2 - over 2"])
        let metadata = try heard(connection, lines) { try $0.replaceMetadata("n", forKey: "a") }
        #expect(metadata == ["will a 10 false true 2 n over 2", "did a 10 false true 2 n over 2"])
        let object = try heard(connection, lines) { try $0.replace("3", forKey: "a") }
        #expect(object == ["will a 6 true false 3 n over 2", "did a 6 true false 3 n over 3"])
        let touched = try heard(connection, lines) { try $0.touchRow(forKey: "a") }
        #expect(touched == ["will a 48 false false 3 n over 3", "did a 48 false false 3 n over 3"])
    }

    private func expectRemovals(_ connection: YapDatabaseConnection, _ lines: Locked<[String]>) throws {
        #expect(try heard(connection, lines) { try $0.removeObject(forKey: "absent") } == [])
        let removed = try heard(connection, lines) { try $0.removeObject(forKey: "a") }
        #expect(removed == ["will remove a true", "did remove a false"])
        try connection.readWrite { transaction in
            for key in ["b", "c", "d"] { try transaction.setObject("1", forKey: key) }
        }
        let some = try heard(connection, lines) { try $0.removeObjects(forKeys: ["b", "absent"]) }
        #expect(some == ["will remove b true", "did remove b false"])
        let collection = try heard(connection, lines) { try $0.removeAllObjects(inCollection: nil) }
        #expect(collection == ["will remove c true", "will remove d true", "did remove c false", "did remove d false"])
        #expect(try heard(connection, lines) { try $0.removeAllObjectsInAllCollections() } == [])
        try connection.readWrite { try $0.setObject("1", forKey: "b") }
        let all = try heard(connection, lines) { try $0.removeAllObjectsInAllCollections() }
        #expect(all == ["will remove all 1", "did remove all"])
    }

    @Test func onlyCollectionsThatAreAllowedAreReported() throws {
        try withTemporaryDatabase { database throws in
            let lines = Locked<[String]>([])
            let hooks = recording(lines)
            hooks.allowedCollections = YapWhitelistBlacklist(whitelist: ["x"])
            try database.register(hooks, withName: "hooks")
            try database.newConnection().readWrite { transaction throws in
                try transaction.setObject("1", forKey: "a", inCollection: "y")
                try transaction.setObject("1", forKey: "b", inCollection: "x")
            }
            #expect(lines.withLock { $0.count } == 2)
        }
    }

    /// A block changes the row that it hears of; a view that is registered later must not hear of the old one afterwards.
    @Test func aBlockMayChangeRowsWhateverTheOrderOfRegistration() throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            let hooks = YapDatabaseHooks()
            hooks.didModifyRow = { transaction, collection, key, object, _, flags in
                guard flags.contains(.insertedRow), var item = try object.realObject as? Item else { return }
                item.sort = 100 - item.sort
                try transaction.setObject(item, forKey: key, inCollection: collection)
                if key.count < 3 {
                    try transaction.setObject(item, forKey: key + "x", inCollection: collection)
                }
            }
            try database.register(hooks, withName: "hooks")
            try database.register(Item.view(), withName: "items")
            let connection = try database.newConnection()
            try connection.readWrite { transaction throws in
                for number in 0..<10 {
                    try transaction.setObject(
                        Item(group: "g", sort: number, text: ""), forKey: "k\(number)", inCollection: "c")
                }
            }
            try connection.read { transaction throws in
                let view = try #require(transaction.ext("items") as? YapDatabaseViewTransaction)
                #expect(view.numberOfItems(inGroup: "g") == 20)
                #expect(try view.key(at: 0, inGroup: "g") == "k0x" && view.key(at: 19, inGroup: "g") == "k0")
            }
        }
    }

    @Test func aBlockThatThrowsFailsTheTransaction() throws {
        struct Refused: Error {}
        try withTemporaryDatabase { database throws in
            let hooks = YapDatabaseHooks()
            hooks.willRemoveRow = { _, _, _ in throw Refused() }
            try database.register(hooks, withName: "hooks")
            let connection = try database.newConnection()
            try connection.readWrite { try $0.setObject(1, forKey: "a") }
            #expect(throws: Refused.self) { try connection.readWrite { try $0.removeObject(forKey: "a") } }
            #expect(try connection.read { try $0.hasObject(forKey: "a") })
            #expect(try tables(of: database.databaseURL) == ["database2", "yap2"])
        }
    }
}
