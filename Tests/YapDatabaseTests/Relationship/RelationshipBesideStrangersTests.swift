import Foundation
import SQLiteBridge
import Synchronization
import TestSupport
import Testing

@testable import YapDatabase

/// Programs that do not know a relationship write rows beside one that has it. No rule runs for what they do: the edges are what the rows
/// say, each that an object names and whose destination exists.
@Suite(.serialized) struct RelationshipBesideStrangersTests {
    private static let folder = ProcessFolder("graphs")
    private static let count = 60

    private static func open(_ folder: URL) throws -> YapDatabase {
        let database = try YapDatabase(url: folder.appending(path: "t.sqlite"), options: .forTests)
        database.registerCodableSerialization(AskedNode.self, forCollection: AskedNode.collection)
        return database
    }

    /// The edges of all rows, sorted.
    private static func expected(_ transaction: YapDatabaseReadTransaction) throws -> [String] {
        var nodes: [String: AskedNode] = [:]
        try transaction.iterateKeysAndObjects(inCollection: AskedNode.collection) { (key, node: AskedNode, _) in
            nodes[key] = node
        }
        return nodes.flatMap { key, node in
            Set(node.ends.filter { nodes[$0] != nil }).map { "\(key) -e 0-> \($0) protocol" }
        }.sorted()
    }

    private static func randomNode(_ random: inout SplitMix64) -> AskedNode {
        AskedNode(ends: (0..<random.below(3)).map { _ in "k\(random.below(count))" })
    }

    private static func check(_ connection: YapDatabaseConnection, _ context: Comment? = nil) throws {
        try waitUntil("The graph is right again") { try connection.syncRead { !$0.snapshot.isBehind } }
        try connection.syncRead { transaction throws in
            #expect(try transaction.edgeTexts == expected(transaction), context)
        }
    }

    @Test func theGraphFollowsAProcessThatHasNone() async throws {
        let folder = try Self.folder.make()
        defer { Self.folder.remove() }
        let database = try Self.open(folder)
        try await database.register(YapDatabaseRelationship(), withName: "graph")
        let connection = try database.newConnection()
        try await connection.write { transaction in
            for number in 0..<Self.count {
                try transaction.setObject(
                    AskedNode(ends: ["k\((number + 1) % Self.count)"]), forKey: "k\(number)",
                    inCollection: AskedNode.collection)
            }
        }
        await #expect(processExitsWith: .success) {
            let database = try Self.open(Self.folder.ofParent)
            let connection = try database.newConnection()
            var random = SplitMix64(seed: UInt64(getpid()))
            print("seed \(getpid())")
            for _ in 0..<Effort.cases(300) {
                try connection.syncReadWrite { transaction in
                    for _ in 0...random.below(3) {
                        let key = "k\(random.below(Self.count))"
                        if random.percent(25) {
                            try transaction.removeObject(forKey: key, inCollection: AskedNode.collection)
                        } else {
                            try transaction.setObject(
                                Self.randomNode(&random), forKey: key, inCollection: AskedNode.collection)
                        }
                    }
                }
                if random.percent(20) { usleep(2_000) }  // so that the other process sees some commits alone
            }
            try database.close()
        }
        try Self.check(connection)
        try database.close()
        #expect(try YapDatabase.check(url: database.databaseURL) == [])
    }

    /// Only objects of rows that changed are asked, also where nothing says which these are and the rest is compared once.
    @Test func otherObjectsAreNotAskedAgain() async throws {
        let folder = try Self.folder.make()
        defer { Self.folder.remove() }
        let database = try Self.open(folder)
        try await database.register(YapDatabaseRelationship(), withName: "graph")
        let connection = try database.newConnection()
        try await connection.write { transaction in
            for number in 0..<2_000 {
                try transaction.setObject(
                    AskedNode(ends: ["k\(number / 2)"]), forKey: "k\(number)", inCollection: AskedNode.collection)
            }
        }
        AskedNode.asked.store(0, ordering: .sequentiallyConsistent)
        await #expect(processExitsWith: .success) {
            let database = try Self.open(Self.folder.ofParent)
            let connection = try database.newConnection()
            for number in 0..<20 {
                try connection.syncReadWrite {
                    try $0.setObject(AskedNode(ends: ["k0"]), forKey: "k\(100 + number)", inCollection: "nodes")
                    try $0.setObject(AskedNode(ends: ["k1"]), forKey: "new\(number)", inCollection: "nodes")
                }
            }
            try database.close()
        }
        try waitUntil("The graph is right again") { try connection.syncRead { !$0.snapshot.isBehind } }
        #expect(AskedNode.asked.load(ordering: .sequentiallyConsistent) <= 200)
        try Self.check(connection)
        try database.close()
        #expect(try YapDatabase.check(url: database.databaseURL) == [])
    }

    @Test(arguments: Effort.some([1, 2, 3] as [UInt64])) func theGraphFollowsAProgramThatKnowsOnlySQLite(
        seed: UInt64
    ) async throws {
        try await withTemporaryDatabase { database in
            database.registerCodableSerialization(AskedNode.self, forCollection: AskedNode.collection)
            try await database.register(YapDatabaseRelationship(), withName: "graph")
            let connection = try database.newConnection()
            try await connection.write { transaction in
                for number in 0..<Self.count {
                    try transaction.setObject(
                        AskedNode(ends: ["k\((number + 1) % Self.count)"]), forKey: "k\(number)",
                        inCollection: AskedNode.collection)
                }
            }
            let handle = try foreignProgram(database.databaseURL)
            var random = SplitMix64(seed: seed)
            for step in 0..<Effort.cases(60) {
                try handle.execute("BEGIN IMMEDIATE")
                for _ in 0...random.below(3) {
                    let key = "k\(random.below(Self.count))"
                    if random.percent(50) { try handle.execute("DELETE FROM database2 WHERE key = '\(key)'") }
                    if random.percent(30) { continue }
                    let statement = try handle.statement(
                        """
                        INSERT INTO database2 (collection, key, data) VALUES ('nodes', '\(key)', ?) \
                        ON CONFLICT (collection, key) DO UPDATE SET data = excluded.data
                        """)
                    defer { statement.reset() }
                    let node = Self.randomNode(&random)
                    try statement.bind([UInt8](YapDatabaseCodableFormat.propertyList.encode(node)), at: 1)
                    try statement.run()
                }
                try handle.execute("COMMIT")
                if random.percent(30) {
                    try await connection.write { try $0.setObject("x", forKey: "x", inCollection: "other") }
                }
                try Self.check(connection, "seed \(seed), step \(step)")
            }
        }
    }

    /// A message comes before its conversation does.
    @Test func anObjectWaitsForTheRowThatItNames() async throws {
        let folder = try Self.folder.make()
        defer { Self.folder.remove() }
        let database = try Self.open(folder)
        let options = YapDatabaseRelationshipOptions()
        options.allowedCollections = YapWhitelistBlacklist(whitelist: [AskedNode.collection])
        try await database.register(YapDatabaseRelationship(options: options), withName: "graph")
        let connection = try database.newConnection()
        await #expect(processExitsWith: .success) { try Self.write("early", AskedNode(ends: ["late"])) }
        try Self.check(connection)
        await #expect(processExitsWith: .success) { try Self.write("late", AskedNode(ends: [])) }
        try Self.check(connection)
        #expect(try await connection.read { try $0.edgeTexts } == ["early -e 0-> late protocol"])
        try database.close()
        #expect(try YapDatabase.check(url: database.databaseURL) == [])
    }

    private static func write(_ key: String, _ node: AskedNode) throws {
        let database = try open(folder.ofParent)
        try database.newConnection().readWrite {
            try $0.setObject(node, forKey: key, inCollection: AskedNode.collection)
        }
        try database.close()
    }
}

/// A node that counts how often nodes are asked for their edges.
private struct AskedNode: Codable, Hashable, Sendable, YapDatabaseRelationshipNode {
    static let collection = "nodes"
    static let asked = Atomic(0)

    var ends: [String]

    func yapDatabaseRelationshipEdges() -> [YapDatabaseRelationshipEdge]? {
        Self.asked.add(1, ordering: .relaxed)
        return ends.map { end in
            YapDatabaseRelationshipEdge(
                name: "e", destinationKey: end, collection: Self.collection, nodeDeleteRules: [])
        }
    }
}
