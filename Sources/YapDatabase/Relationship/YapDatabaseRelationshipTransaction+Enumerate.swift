import FileEngine
import Foundation
import ListChanges

extension YapDatabaseRelationshipTransaction {
    /// The object at the start of an edge; nil if there is none.
    public func sourceNode(for edge: YapDatabaseRelationshipEdge) throws -> Any? {
        try edge.source.flatMap { try transaction.object($0) }
    }

    /// The object at the end of an edge; nil if there is none, or if the edge leads to a file.
    public func destinationNode(for edge: YapDatabaseRelationshipEdge) throws -> Any? {
        try edge.end?.rowKey.flatMap { try transaction.object($0) }
    }

    /// Calls the block for every edge with a name. The block may change rows and edges, which does not change what is
    /// enumerated. O(matching edges), which are held in memory.
    public func enumerateEdges(
        withName name: String, using block: (YapDatabaseRelationshipEdge, inout Bool) throws -> Void
    ) throws {
        try enumerate(EdgeQuery(name: name), block)
    }

    /// Calls the block for every edge that starts at a row; nil for any name or source.
    public func enumerateEdges(
        withName name: String?, sourceKey: String?, collection: String?,
        using block: (YapDatabaseRelationshipEdge, inout Bool) throws -> Void
    ) throws {
        try enumerate(EdgeQuery(name: name, source: Self.key(sourceKey, collection)), block)
    }

    /// Calls the block for every edge that leads to a row; nil for any name or destination.
    public func enumerateEdges(
        withName name: String?, destinationKey: String?, collection: String?,
        using block: (YapDatabaseRelationshipEdge, inout Bool) throws -> Void
    ) throws {
        try enumerate(EdgeQuery(name: name, end: Self.key(destinationKey, collection).map(EdgeEnd.row)), block)
    }

    /// Calls the block for every edge that leads to a file; nil for any name or destination.
    public func enumerateEdges(
        withName name: String?, destinationFileURL: URL?,
        using block: (YapDatabaseRelationshipEdge, inout Bool) throws -> Void
    ) throws {
        try enumerate(EdgeQuery(name: name, end: destinationFileURL.map(EdgeEnd.file)), block)
    }

    /// Calls the block for every edge between two rows; nil for any name, source or destination.
    public func enumerateEdges(
        withName name: String?, sourceKey: String?, collection sourceCollection: String?, destinationKey: String?,
        collection destinationCollection: String?,
        using block: (YapDatabaseRelationshipEdge, inout Bool) throws -> Void
    ) throws {
        let end = Self.key(destinationKey, destinationCollection).map(EdgeEnd.row)
        try enumerate(EdgeQuery(name: name, source: Self.key(sourceKey, sourceCollection), end: end), block)
    }

    /// Calls the block for every edge from a row to a file; nil for any name, source or destination.
    public func enumerateEdges(
        withName name: String?, sourceKey: String?, collection: String?, destinationFileURL: URL?,
        using block: (YapDatabaseRelationshipEdge, inout Bool) throws -> Void
    ) throws {
        let end = destinationFileURL.map(EdgeEnd.file)
        try enumerate(EdgeQuery(name: name, source: Self.key(sourceKey, collection), end: end), block)
    }

    /// The number of edges with a name.
    public func edgeCount(withName name: String) throws -> Int { try count(EdgeQuery(name: name)) }

    /// The number of edges that start at a row; nil for any name or source.
    public func edgeCount(withName name: String?, sourceKey: String?, collection: String?) throws -> Int {
        try count(EdgeQuery(name: name, source: Self.key(sourceKey, collection)))
    }

    /// The number of edges that lead to a row; nil for any name or destination.
    public func edgeCount(withName name: String?, destinationKey: String?, collection: String?) throws -> Int {
        try count(EdgeQuery(name: name, end: Self.key(destinationKey, collection).map(EdgeEnd.row)))
    }

    /// The number of edges that lead to a file; nil for any name or destination.
    public func edgeCount(withName name: String?, destinationFileURL: URL?) throws -> Int {
        try count(EdgeQuery(name: name, end: destinationFileURL.map(EdgeEnd.file)))
    }

    /// The number of edges between two rows; nil for any name, source or destination.
    public func edgeCount(
        withName name: String?, sourceKey: String?, collection sourceCollection: String?, destinationKey: String?,
        collection destinationCollection: String?
    ) throws -> Int {
        let end = Self.key(destinationKey, destinationCollection).map(EdgeEnd.row)
        return try count(EdgeQuery(name: name, source: Self.key(sourceKey, sourceCollection), end: end))
    }

    /// The number of edges from a row to a file; nil for any name, source or destination.
    public func edgeCount(
        withName name: String?, sourceKey: String?, collection: String?, destinationFileURL: URL?
    ) throws -> Int {
        let end = destinationFileURL.map(EdgeEnd.file)
        return try count(EdgeQuery(name: name, source: Self.key(sourceKey, collection), end: end))
    }

    private static func key(_ key: String?, _ collection: String?) -> RowKey? {
        key.map { RowKey(collection: collection ?? "", key: $0) }
    }
}
