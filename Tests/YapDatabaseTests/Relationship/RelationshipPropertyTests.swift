import Foundation
import ListChanges
import TestSupport
import Testing

@testable import YapDatabase

/// A relationship against a plain model: rows, edges and files after every random transaction.
@Suite struct RelationshipPropertyTests {
    @Test(arguments: Effort.some([1, 2, 3, 4, 5, 6] as [UInt64])) func theGraphIsThatOfTheModel(seed: UInt64) throws {
        try Self.run(seed, transactions: 1_000)
    }

    static func run(_ seed: UInt64, transactions: Int) throws {
        try withTemporaryFolder { folder throws in
            try withTemporaryDatabase { database throws in
                database.registerCodableSerialization(GraphNode.self, forCollection: GraphNode.collection)
                let options = YapDatabaseRelationshipOptions()
                // Other bytes for one file each time, as bookmarks have.
                if seed % 3 == 0 {
                    options.fileURLSerializer = { Data("\(UUID()) \($0.destinationFileURL!.path)".utf8) }
                    options.fileURLDeserializer = {
                        URL(fileURLWithPath: String(decoding: $1.dropFirst(37), as: UTF8.self))
                    }
                }
                // A view that is registered before must hear of rows that the rules delete.
                try database.register(Self.allKeys, withName: "keys")
                try database.register(YapDatabaseRelationship(options: options), withName: "graph")
                var run = try GraphRun(database, folder, seed)
                for number in 0..<transactions {
                    try run.step()
                    if number == transactions / 2 {
                        try database.unregisterExtension(withName: "keys")
                        try database.register(Self.allKeys, withName: "keys")
                    }
                }
            }
        }
    }

    private static let allKeys = YapDatabaseAutoView(
        grouping: .withKeyBlock { _, _, _ in "all" },
        sorting: .withKeyBlock { _, _, _, key1, _, key2 in key1.compare(key2) })
}

/// Random transactions on a graph, checked after each of them.
private struct GraphRun {
    let seed: UInt64
    let database: YapDatabase
    let connections: [YapDatabaseConnection]
    let files: [String]
    var random: SplitMix64
    var model = GraphModel()
    var log: [String] = []
    static let keys = (0..<12).map { "k\($0)" }

    init(_ database: YapDatabase, _ folder: URL, _ seed: UInt64) throws {
        self.seed = seed
        self.database = database
        random = SplitMix64(seed: seed)
        connections = try [database.newConnection(), database.newConnection()]
        files = (0..<30).map { folder.appending(path: "file \($0)").path }
        for file in files { try Data().write(to: URL(fileURLWithPath: file)) }
    }

    var remainingFiles: Set<String> { Set(files).subtracting(model.deletedFiles) }
    var existingFiles: Set<String> { Set(files.filter { FileManager.default.fileExists(atPath: $0) }) }

    mutating func step() throws {
        let before = model
        log = []
        let isRolledBack = int(10) == 0
        try connections[int(2)].readWrite { transaction throws in
            for _ in 0..<(1 + int(7)) { try edit(transaction) }
            if isRolledBack { transaction.rollback() }
        }
        if isRolledBack { model = before } else { model.commit() }
        // A file goes before the next transaction may name it.
        database.promises.sync {}
        let (existing, remaining) = (existingFiles, remainingFiles)
        #expect(existing.subtracting(remaining) == [], "not deleted, seed \(seed): \(log)")
        #expect(remaining.subtracting(existing) == [], "deleted, seed \(seed): \(log)")
        try #require(existing == remaining)
        for file in files where int(20) == 0 && !existing.contains(file) {
            try Data().write(to: URL(fileURLWithPath: file))
            model.restore(file)
        }
        try connections[int(2)].read { transaction throws in
            let (nodes, edges) = (try transaction.nodes, try transaction.edgeTexts)
            #expect(nodes == model.nodes, "seed \(seed): \(log)")
            #expect(edges == model.visible, "seed \(seed): \(log)")
            let view = try #require(transaction.ext("keys") as? YapDatabaseViewTransaction)
            #expect(view.numberOfItems(inGroup: "all") == nodes.count, "seed \(seed): \(log)")
            try #require(nodes == model.nodes && edges == model.visible)
        }
    }

    private mutating func int(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
    private mutating func key() -> String { Self.keys[int(Self.keys.count)] }
    private mutating func name() -> String { ["a", "b"][int(2)] }

    private mutating func rules() -> YDB_NodeDeleteRules {
        var rules: UInt16 = 0
        for _ in 0..<int(3) { rules |= 1 << UInt16(int(6)) }
        return YDB_NodeDeleteRules(rawValue: rules)
    }

    private mutating func node() -> GraphNode {
        let links = (0..<int(4)).map { _ in
            let isFile = int(6) == 0
            return GraphNode.Link(
                name: name(), key: isFile ? nil : key(), file: isFile ? files[int(files.count)] : nil,
                rules: rules().rawValue)
        }
        return GraphNode(links: links, answers: int(2) == 0)
    }

    private mutating func edit(_ transaction: YapDatabaseReadWriteTransaction) throws {
        let (key, collection) = (key(), GraphNode.collection)
        switch int(40) {
        case 0..<14:
            let node = node()
            log.append("set \(key) \(node)")
            try transaction.set(key, node)
            model.set(key, node)
        case 14..<20:
            log.append("remove \(key)")
            try transaction.removeObject(forKey: key, inCollection: collection)
            model.remove(key)
        case 20..<22:
            let keys = [key, self.key(), self.key()]
            log.append("remove \(keys)")
            try transaction.removeObjects(forKeys: keys, inCollection: collection)
            keys.forEach { model.remove($0) }
        case 22..<24:
            let node = node()
            log.append("replace \(key) \(node)")
            try transaction.replace(node, forKey: key, inCollection: collection)
            if model.nodes[key] != nil { model.set(key, node) }
        case 24..<26:
            try transaction.touchRow(forKey: key, inCollection: collection)
            try transaction.replaceMetadata(1, forKey: key, inCollection: collection)
        case 26..<32: try editByHand(transaction, key)
        case 32..<34:
            log.append("flush")
            try transaction.graph.flush()
            model.flush()
            #expect(try transaction.nodes == model.nodes, "seed \(seed): \(log)")
        case 34..<38:
            #expect(try transaction.edgeTexts == model.visible, "seed \(seed): \(log)")
        case 38 where int(4) == 0:
            log.append("remove the collection")
            try transaction.removeAllObjects(inCollection: collection)
            for key in model.nodes.keys { model.remove(key) }
        case 39 where int(4) == 0:
            log.append("remove all")
            try transaction.removeAllObjectsInAllCollections()
            model.removeAll()
        default: break
        }
    }

    private mutating func editByHand(_ transaction: YapDatabaseReadWriteTransaction, _ source: String) throws {
        let (name, rules) = (name(), rules())
        let target: GraphModel.Target = int(6) == 0 ? .file(files[int(files.count)]) : .key(key())
        let edge: YapDatabaseRelationshipEdge
        switch target {
        case .key(let key): edge = manualEdge(source, key, rules, name: name)
        case .file(let file):
            edge = YapDatabaseRelationshipEdge(
                name: name, sourceKey: source, collection: GraphNode.collection,
                destinationFileURL: URL(fileURLWithPath: file), nodeDeleteRules: rules)
        }
        let named = GraphModel.ManualName(name: name, source: source, target: target)
        if int(3) > 0 {
            log.append("add \(named) \(rules)")
            try transaction.graph.addEdge(edge)
            model.add(named, rules)
        } else {
            let reason = YDB_NotifyReason(rawValue: int(3))!
            log.append("remove \(named) \(reason)")
            try transaction.graph.removeEdge(edge, withProcessing: reason)
            model.remove(named, reason)
        }
    }
}
