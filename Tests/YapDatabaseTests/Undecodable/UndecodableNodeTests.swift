import Foundation
import Testing

@testable import YapDatabase

/// Relationships, searches with groups of their own, and other launches over rows that cannot be decoded.
@Suite struct UndecodableNodeTests {
    @Test func aRowThatCannotBeDecodedKeepsItsEdges() throws {
        try withGraph { database, connection throws in
            try connection.readWrite { transaction throws in
                try transaction.set("d")
                try transaction.set("e")
                try transaction.set("s", GraphNode("d", .deleteDestinationIfSourceDeleted))
            }
            try connection.readWrite { try $0.spoil("s", in: GraphNode.collection) }
            try connection.read { transaction throws in
                #expect(try transaction.edgeTexts == ["s -e 8-> d protocol"])
                #expect(try transaction.graph.problems.map(\.key) == ["s"])
            }
            // Decodable again, with another edge: what the former edge names goes, as for every edge that is no longer named.
            try connection.readWrite { try $0.set("s", GraphNode("e", .deleteDestinationIfSourceDeleted)) }
            try connection.read { transaction throws in
                #expect(try transaction.edgeTexts == ["s -e 8-> e protocol"])
                #expect(try transaction.graph.problems == [] && transaction.nodes.keys.sorted() == ["e", "s"])
            }
            // Removed, the rules of its edges run.
            try connection.readWrite { try $0.spoil("s", in: GraphNode.collection) }
            try connection.readWrite { try $0.delete("s") }
            #expect(try connection.read { try $0.numberOfKeysInAllCollections() } == 0)
        }
    }

    @Test func aRowThatIsToBeToldAndCannotBeDecodedIsNotInTheWay() throws {
        try withGraph { database, connection throws in
            try connection.readWrite { transaction throws in
                try transaction.set("d")
                try transaction.set("s", GraphNode("d", .notifyIfDestinationDeleted, answers: true))
            }
            try connection.readWrite { try $0.spoil("s", in: GraphNode.collection) }
            try connection.readWrite { try $0.delete("d") }
            #expect(try connection.read { try $0.edgeTexts } == [])
            try connection.readWrite { try $0.delete("s") }
        }
    }

    @Test func theNextLaunchAsksAgain() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "test.sqlite")
            func opened(decodes: Bool) throws -> YapDatabase {
                let database = try YapDatabase(url: url, options: .forTests)
                // A later version of the program can decode what the earlier one could not.
                for collection in ["c", GraphNode.collection] {
                    database.registerDeserializer(
                        { _, _, data in
                            if let item = try? PropertyListDecoder().decode(Item.self, from: data) { return item }
                            if let node = try? PropertyListDecoder().decode(GraphNode.self, from: data) { return node }
                            return decodes ? Item(group: "g", sort: Int(data[0]), text: "later") : nil
                        }, forCollection: collection)
                    database.registerSerializer(
                        { _, _, value in
                            if let item = value as? Item { return try PropertyListEncoder().encode(item) }
                            return try PropertyListEncoder().encode(value as! GraphNode)
                        }, forCollection: collection)
                }
                return database
            }
            func register(_ database: YapDatabase) throws {
                try database.register(Item.view(), withName: "items")
                try database.register(
                    YapDatabaseFilteredView(
                        parentViewName: "items", filtering: .withObjectBlock { _, _, _, _, object in object is Item }),
                    withName: "filtered")
            }
            func counts(_ database: YapDatabase) throws -> [Int] {
                try database.newConnection().read { transaction in
                    ["items", "filtered"].map {
                        (transaction.ext($0) as? YapDatabaseViewTransaction)?.numberOfItemsInAllGroups() ?? -1
                    }
                }
            }
            var database = try opened(decodes: false)
            try database.newConnection().readWrite { transaction throws in
                for number in 0..<5 {
                    try transaction.setObject(
                        Item(group: "g", sort: number, text: ""), forKey: "\(number)", inCollection: "c")
                }
                try transaction.spoil("bad", in: "c")
            }
            try register(database)
            #expect(try counts(database) == [5, 5])
            try database.close()

            database = try opened(decodes: true)
            try register(database)
            #expect(try counts(database) == [6, 6])
            #expect(try database.newConnection().read { try $0.ext("items")?.problems } == [])
            try database.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    @Test func moreRowsThanAreNotedAreCounted() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "test.sqlite")
            let reports = Reports()
            let database = try YapDatabase(url: url, options: reports.options())
            Novel.all.use(in: database)
            let connection = try database.newConnection()
            try connection.readWrite { transaction throws in
                for number in 0..<1_200 { try transaction.spoil("\(number)") }
                try transaction[Novel.all].save(Novel(5_000, "Dune"))
            }
            try database.register(Novel.order, Novel.fields)
            try connection.read { transaction throws in
                #expect(try transaction[Novel.order].count == 1)
                #expect(try transaction[Novel.order].problems.count == 1_000)
                #expect(try transaction.store.otherLeftOutRows(extension: "order") == 200)
            }
            // Each write goes on, and so does the removal of all.
            try connection.readWrite { try $0.spoil("more") }
            try connection.readWrite { try $0[Novel.all].save(Novel(5_001, "Emma")) }
            #expect(try connection.read { try $0[Novel.order].count } == 2)
            try connection.readWrite { try $0.removeAllObjectsInAllCollections() }
            #expect(try connection.read { try $0[Novel.order].problems.count } == 0)
            try database.close()
            let left = try YapDatabase.check(url: url)
            #expect(left.allSatisfy { $0.description.contains("more rows") })
        }
    }

    /// A value of another shape that is in the cache, not in the file alone.
    @Test func anObjectOfAnotherTypeIsLeftOutToo() throws {
        try withTemporaryDatabase { database throws in
            try database.register(Novel.order, Novel.fields, Novel.texts)
            let connection = try database.newConnection()
            try connection.readWrite { transaction throws in
                try transaction[Novel.all].save(Novel(1, "Dune"))
                try transaction.setObject(
                    Item(group: nil, sort: 1, text: ""), forKey: "2", inCollection: "novels", withMetadata: nil,
                    serializedObject: Data("an item".utf8), serializedMetadata: nil)
            }
            try connection.read { transaction throws in
                #expect(try transaction[Novel.order].values(in: "hall").map(\.id) == [1])
                #expect(try transaction.ext("fields")?.problems.map(\.key) == ["2"])
            }
            try connection.readWrite { try $0[Novel.all].remove(2) }
        }
    }
}
