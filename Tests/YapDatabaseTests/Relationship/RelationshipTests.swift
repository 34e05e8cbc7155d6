import Foundation
import ListChanges
import SQLiteBridge
import TestSupport
import Testing

@testable import YapDatabase

@Suite struct RelationshipTests {
    /// The keys that are left after `s` and `d`, between which there is an edge, lost one of them.
    private func left(_ rules: YDB_NodeDeleteRules, without key: String) throws -> [String] {
        var left: [String] = []
        try withGraph { _, connection throws in
            try connection.readWrite { transaction throws in
                try transaction.set("s", GraphNode("d", rules))
                try transaction.set("d")
            }
            try connection.readWrite { try $0.delete(key) }
            left = try connection.read { try $0.nodes.keys.sorted() }
        }
        return left
    }

    @Test func eachDeleteRuleWorksInItsDirection() throws {
        #expect(try left([], without: "s") == ["d"] && left([], without: "d") == ["s"])
        for rule: YDB_NodeDeleteRules in [.deleteDestinationIfSourceDeleted, .deleteDestinationIfAllSourcesDeleted] {
            #expect(try left(rule, without: "s") == [] && left(rule, without: "d") == ["s"])
        }
        for rule: YDB_NodeDeleteRules in [.deleteSourceIfDestinationDeleted, .deleteSourceIfAllDestinationsDeleted] {
            #expect(try left(rule, without: "s") == ["d"] && left(rule, without: "d") == [])
        }
    }

    @Test func bothNotifyRulesAskTheOtherEnd() throws {
        try withGraph { _, connection throws in
            try connection.readWrite { transaction throws in
                try transaction.set("s", GraphNode("d", .notifyIfDestinationDeleted, answers: true))
                try transaction.set("t", GraphNode("d", .notifyIfSourceDeleted))
                try transaction.set("d", GraphNode(answers: true))
            }
            try connection.readWrite { try $0.delete("t") }
            #expect(try connection.read { try $0.nodes["d"]?.notices } == 1)
            try connection.readWrite { try $0.delete("d") }
            #expect(try connection.read { try $0.nodes["s"]?.notices } == 1)
            // The answer names the deleted row again, which is no reason to ask once more.
            #expect(try connection.read { try $0.edgeTexts } == [])
        }
    }

    @Test func manyToManyDeletesWithTheLastEdge() throws {
        try withGraph { _, connection throws in
            let last: YDB_NodeDeleteRules = .deleteDestinationIfAllSourcesDeleted
            try connection.readWrite { transaction throws in
                for source in ["a", "b", "c"] {
                    try transaction.set(source, GraphNode("x", last, name: source))
                }
                try transaction.set("x")
            }
            try connection.readWrite { try $0.delete("b") }
            #expect(try connection.read { try $0.nodes.keys.sorted() } == ["a", "c", "x"])
            try connection.readWrite { try $0.delete("c", "a") }
            #expect(try connection.read { try $0.nodes.keys.sorted() } == [])
        }
    }

    /// A property that becomes nil deletes what it named.
    @Test func anEdgeThatTheObjectNoLongerNamesEndsAsIfItsSourceWere() throws {
        try withGraph { _, connection throws in
            try connection.readWrite { transaction throws in
                try transaction.set("s", GraphNode("d", .deleteDestinationIfSourceDeleted))
                try transaction.set("d")
            }
            try connection.readWrite { try $0.set("s") }
            #expect(try connection.read { try $0.nodes.keys.sorted() } == ["s"])
        }
    }

    @Test func aCircleIsDeletedAsAWhole() throws {
        try withGraph { _, connection throws in
            try connection.readWrite { transaction throws in
                for number in 0..<500 {
                    let next = GraphNode("n\((number + 1) % 500)", .deleteDestinationIfSourceDeleted)
                    try transaction.set("n\(number)", next)
                }
                try transaction.set("other")
            }
            try connection.readWrite { try $0.delete("n250") }
            #expect(try connection.read { try $0.nodes.keys.sorted() } == ["other"])
            #expect(try connection.read { try $0.edgeTexts } == [])
        }
    }

    /// SQLite gives the rowid of a deleted last row to the next one.
    @Test func aRowidThatIsUsedAgainHasNoneOfTheOldEdges() throws {
        try withGraph { _, connection throws in
            try connection.readWrite { transaction throws in
                try transaction.set("d")
                try transaction.set("s", GraphNode("d", .deleteDestinationIfSourceDeleted))
            }
            let before = try connection.read {
                try $0.rowid(forKey: RowKey(collection: GraphNode.collection, key: "s"))
            }
            try connection.readWrite { transaction throws in
                try transaction.delete("s")
                try transaction.set("new", GraphNode("d", []))
                #expect(
                    try transaction.rowid(forKey: RowKey(collection: GraphNode.collection, key: "new")) == before)
                #expect(try transaction.edgeTexts == ["new -e 0-> d protocol"])
            }
            #expect(try connection.read { try $0.nodes.keys.sorted() } == ["new"])
            #expect(try connection.read { try $0.edgeTexts } == [])
            try connection.readWrite { try $0.delete("new") }
            try connection.readWrite { try $0.set("newer") }
            #expect(try connection.read { try $0.edgeTexts } == [])
        }
    }

    @Test func edgesByHandHaveTheirOwnDomainAndMayComeBeforeTheirRows() throws {
        try withGraph { _, connection throws in
            try connection.readWrite { transaction throws in
                try transaction.link("s", "d", .deleteSourceIfDestinationDeleted)
                #expect(try transaction.edgeTexts == [])
                try transaction.set("s", GraphNode("d", []))
                try transaction.set("d")
                #expect(try transaction.edgeTexts == ["s -e 0-> d protocol", "s -e 4-> d manual"])
            }
            try connection.readWrite { transaction throws in
                try transaction.set("s")
                try transaction.graph.removeEdge(manualEdge("s", "d", name: "f"), withProcessing: .edgeDeleted)
            }
            #expect(try connection.read { try $0.edgeTexts } == ["s -e 4-> d manual"])
            try connection.readWrite { transaction throws in
                try transaction.link("s", "d", .deleteDestinationIfSourceDeleted)
            }
            #expect(try connection.read { try $0.edgeTexts } == ["s -e 8-> d manual"])
            try connection.readWrite { transaction throws in
                try transaction.graph.removeEdge(
                    withName: "e", sourceKey: "s", collection: GraphNode.collection, destinationKey: "d",
                    collection: GraphNode.collection, withProcessing: .sourceNodeDeleted)
            }
            #expect(try connection.read { try $0.nodes.keys.sorted() } == ["s"])
        }
    }

    @Test func queriesFindEdgesByEachPart() throws {
        try withGraph { _, connection throws in
            try connection.readWrite { transaction throws in
                for key in ["a", "b", "c"] { try transaction.set(key) }
                try transaction.link("a", "b", [], name: "x")
                try transaction.link("a", "c", [], name: "y")
                try transaction.link("b", "c", [], name: "x")
            }
            try connection.read { transaction throws in
                let (graph, nodes) = (try transaction.graph, GraphNode.collection)
                #expect(try graph.edgeCount(withName: "x") == 2)
                #expect(try graph.edgeCount(withName: nil, sourceKey: "a", collection: nodes) == 2)
                #expect(try graph.edgeCount(withName: "y", sourceKey: "b", collection: nodes) == 0)
                #expect(try graph.edgeCount(withName: nil, destinationKey: "c", collection: nodes) == 2)
                #expect(try graph.edgeCount(withName: nil, destinationKey: "c", collection: nil) == 0)
                var found: [YapDatabaseRelationshipEdge] = []
                try graph.enumerateEdges(
                    withName: "x", sourceKey: "b", collection: nodes, destinationKey: "c", collection: nodes
                ) { edge, stop in
                    found.append(edge)
                    stop = true
                }
                #expect(found.count == 1)
                #expect(try graph.sourceNode(for: found[0]) as? GraphNode == GraphNode())
                #expect(try graph.destinationNode(for: found[0]) as? GraphNode == GraphNode())
            }
        }
    }

    @Test func anEdgeWithoutBothEndsIsRefused() throws {
        try withGraph { _, connection throws in
            expectError(.badExtension, mentioning: "\"e\"", "source") {
                try connection.readWrite { transaction throws in
                    try transaction.graph.addEdge(
                        YapDatabaseRelationshipEdge(
                            name: "e", destinationKey: "d", collection: nil, nodeDeleteRules: []))
                }
            }
        }
    }

    private static let folder = ProcessFolder("graph")

    @Test func anotherProcessFollowsTheSameRules() async throws {
        let folder = try Self.folder.make()
        defer { Self.folder.remove() }
        let url = folder.appending(path: "t.sqlite")
        let database = try YapDatabase(url: url, options: .forTests)
        database.registerCodableSerialization(GraphNode.self, forCollection: GraphNode.collection)
        try await database.register(YapDatabaseRelationship(), withName: "graph")
        let connection = try database.newConnection()
        try await connection.write { transaction throws in
            for key in ["a", "b", "c", "z"] { try transaction.set(key) }
            try transaction.link("a", "b", .deleteDestinationIfSourceDeleted)
            try transaction.link("b", "c", .deleteDestinationIfSourceDeleted)
        }
        await #expect(processExitsWith: .success) {
            let url = Self.folder.ofParent.appending(path: "t.sqlite")
            let database = try YapDatabase(url: url, options: .forTests)
            database.registerCodableSerialization(GraphNode.self, forCollection: GraphNode.collection)
            try await database.register(YapDatabaseRelationship(), withName: "graph")
            try await database.newConnection().readWrite { transaction throws in
                try transaction.delete("a")
                try transaction.set("y", GraphNode("z", []))
            }
            try database.close()
        }
        try expectEnd(connection)
        try database.close()
        #expect(try YapDatabase.check(url: url) == [])
    }

    private func expectEnd(_ connection: YapDatabaseConnection) throws {
        #expect(try connection.read { try $0.nodes.keys.sorted() } == ["y", "z"])
        #expect(try connection.read { try $0.edgeTexts } == ["y -e 0-> z protocol"])
    }
}
