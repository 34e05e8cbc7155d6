import Foundation
import Testing

@testable import YapDatabase

/// An object that names its edges, and counts the notices that it answers.
struct GraphNode: Codable, Hashable, Sendable, YapDatabaseRelationshipNode {
    /// An edge to a key or to a file.
    struct Link: Codable, Hashable, Sendable {
        var name: String
        var key: String?
        var file: String?
        var rules: UInt16
    }

    static let collection = "nodes"

    var links: [Link] = []
    var notices = 0
    var answers = false

    func yapDatabaseRelationshipEdges() -> [YapDatabaseRelationshipEdge]? {
        if links.isEmpty { return nil }
        return links.map { link in
            let rules = YDB_NodeDeleteRules(rawValue: link.rules)
            if let file = link.file {
                return YapDatabaseRelationshipEdge(
                    name: link.name, destinationFileURL: URL(fileURLWithPath: file), nodeDeleteRules: rules)
            }
            return YapDatabaseRelationshipEdge(
                name: link.name, destinationKey: link.key ?? "", collection: Self.collection, nodeDeleteRules: rules)
        }
    }

    func yapDatabaseRelationshipEdgeDeleted(
        _ edge: YapDatabaseRelationshipEdge, with reason: YDB_NotifyReason
    ) -> Any? {
        guard answers else { return nil }
        var copy = self
        copy.notices += 1
        return copy
    }
}

extension GraphNode {
    /// A node with one edge.
    init(_ key: String, _ rules: YDB_NodeDeleteRules, answers: Bool = false, name: String = "e") {
        self.init(links: [Link(name: name, key: key, rules: rules.rawValue)], answers: answers)
    }
}

extension YapDatabaseReadTransaction {
    var graph: YapDatabaseRelationshipTransaction {
        get throws { try #require(ext("graph") as? YapDatabaseRelationshipTransaction) }
    }

    var nodes: [String: GraphNode] {
        get throws {
            var nodes: [String: GraphNode] = [:]
            try iterateKeysAndObjects(inCollection: GraphNode.collection) { (key, node: GraphNode, _) in
                nodes[key] = node
            }
            return nodes
        }
    }

    /// Every edge as text, sorted.
    var edgeTexts: [String] {
        get throws {
            var texts: [String] = []
            try graph.enumerateEdges(withName: nil, sourceKey: nil, collection: nil) { edge, _ in
                let end = edge.destinationKey ?? edge.destinationFileURL?.path ?? "?"
                let kind = edge.isManualEdge ? "manual" : "protocol"
                texts.append("\(edge.sourceKey ?? "?") -\(edge.name) \(edge.nodeDeleteRules.rawValue)-> \(end) \(kind)")
            }
            #expect(try graph.edgeCount(withName: nil, sourceKey: nil, collection: nil) == texts.count)
            return texts.sorted()
        }
    }
}

extension YapDatabaseReadWriteTransaction {
    func set(_ key: String, _ node: GraphNode = GraphNode()) throws {
        try setObject(node, forKey: key, inCollection: GraphNode.collection)
    }

    func delete(_ keys: String...) throws { try removeObjects(forKeys: keys, inCollection: GraphNode.collection) }

    func link(_ source: String, _ destination: String, _ rules: YDB_NodeDeleteRules, name: String = "e") throws {
        try graph.addEdge(manualEdge(source, destination, rules, name: name))
    }
}

func manualEdge(
    _ source: String, _ destination: String, _ rules: YDB_NodeDeleteRules = [], name: String = "e"
) -> YapDatabaseRelationshipEdge {
    YapDatabaseRelationshipEdge(
        name: name, sourceKey: source, collection: GraphNode.collection, destinationKey: destination,
        collection: GraphNode.collection, nodeDeleteRules: rules)
}

/// Runs a test with a database that has the relationship `graph`.
func withGraph(
    _ relationship: YapDatabaseRelationship = YapDatabaseRelationship(),
    _ body: (YapDatabase, YapDatabaseConnection) throws -> Void
) throws {
    try withTemporaryDatabase { database throws in
        database.registerCodableSerialization(GraphNode.self, forCollection: GraphNode.collection)
        try database.register(relationship, withName: "graph")
        try body(database, database.newConnection())
    }
}
