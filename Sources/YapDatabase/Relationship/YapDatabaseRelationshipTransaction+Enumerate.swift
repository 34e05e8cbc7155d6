import FileEngine
import Foundation
import ListChanges

extension YapDatabaseRelationshipTransaction {
    /// The object at the start of an edge; nil if there is none.
    /// - Throws: ``YapDatabaseError`` with code `decodingFailed` if the value cannot be decoded; `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    public func sourceNode(for edge: YapDatabaseRelationshipEdge) throws -> Any? {
        try edge.source.flatMap { try transaction.object($0) }
    }

    /// The object at the end of an edge; nil if there is none, or if the edge leads to a file.
    /// - Throws: ``YapDatabaseError`` with code `decodingFailed` if the value cannot be decoded; `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    public func destinationNode(for edge: YapDatabaseRelationshipEdge) throws -> Any? {
        try edge.end?.rowKey.flatMap { try transaction.object($0) }
    }

    /// Calls the block for every edge with a name. The block may change rows and edges, which does not change what is
    /// enumerated. O(matching edges), which are held in memory.
    ///
    /// ```swift
    /// try graph.enumerateEdges(withName: "author") { edge, stop in print(edge.sourceKey ?? "", edge.destinationKey ?? "") }
    /// ```
    ///
    /// - Parameters:
    ///   - name: the name of the edges.
    ///   - block: receives an edge and `stop`, which it sets to end; called on the thread of the transaction.
    /// - Throws: what the block throws; ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be
    ///   read.
    public func enumerateEdges(
        withName name: String, using block: (YapDatabaseRelationshipEdge, inout Bool) throws -> Void
    ) throws {
        try enumerate(EdgeQuery(name: name), block)
    }

    /// Calls the block for every edge that starts at a row; nil for any name or source.
    ///
    /// O(matching edges), which are held in memory.
    ///
    /// - Parameters:
    ///   - name: the name of the edges; nil for any.
    ///   - sourceKey: the key of the source; nil for any.
    ///   - collection: the collection of that row; nil is the collection `""`.
    ///   - block: receives an edge and `stop`, which it sets to end; called on the thread of the transaction.
    /// - Throws: what the block throws; ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be
    ///   read.
    public func enumerateEdges(
        withName name: String?, sourceKey: String?, collection: String?,
        using block: (YapDatabaseRelationshipEdge, inout Bool) throws -> Void
    ) throws {
        try enumerate(EdgeQuery(name: name, source: Self.key(sourceKey, collection)), block)
    }

    /// Calls the block for every edge that leads to a row; nil for any name or destination.
    ///
    /// O(matching edges), which are held in memory.
    ///
    /// - Parameters:
    ///   - name: the name of the edges; nil for any.
    ///   - destinationKey: the key of the destination; nil for any.
    ///   - collection: the collection of that row; nil is the collection `""`.
    ///   - block: receives an edge and `stop`, which it sets to end; called on the thread of the transaction.
    /// - Throws: what the block throws; ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be
    ///   read.
    public func enumerateEdges(
        withName name: String?, destinationKey: String?, collection: String?,
        using block: (YapDatabaseRelationshipEdge, inout Bool) throws -> Void
    ) throws {
        try enumerate(EdgeQuery(name: name, end: Self.key(destinationKey, collection).map(EdgeEnd.row)), block)
    }

    /// Calls the block for every edge that leads to a file; nil for any name or destination.
    ///
    /// O(matching edges), which are held in memory.
    ///
    /// - Parameters:
    ///   - name: the name of the edges; nil for any.
    ///   - destinationFileURL: the file; nil for any destination.
    ///   - block: receives an edge and `stop`, which it sets to end; called on the thread of the transaction.
    /// - Throws: what the block throws; ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be
    ///   read.
    public func enumerateEdges(
        withName name: String?, destinationFileURL: URL?,
        using block: (YapDatabaseRelationshipEdge, inout Bool) throws -> Void
    ) throws {
        try enumerate(EdgeQuery(name: name, end: destinationFileURL.map(EdgeEnd.file)), block)
    }

    /// Calls the block for every edge between two rows; nil for any name, source or destination.
    ///
    /// O(matching edges), which are held in memory.
    ///
    /// - Parameters:
    ///   - name: the name of the edges; nil for any.
    ///   - sourceKey: the key of the source; nil for any.
    ///   - sourceCollection: the collection of the source; nil is the collection `""`.
    ///   - destinationKey: the key of the destination; nil for any.
    ///   - destinationCollection: the collection of the destination; nil is the collection `""`.
    ///   - block: receives an edge and `stop`, which it sets to end; called on the thread of the transaction.
    /// - Throws: what the block throws; ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be
    ///   read.
    public func enumerateEdges(
        withName name: String?, sourceKey: String?, collection sourceCollection: String?, destinationKey: String?,
        collection destinationCollection: String?,
        using block: (YapDatabaseRelationshipEdge, inout Bool) throws -> Void
    ) throws {
        let end = Self.key(destinationKey, destinationCollection).map(EdgeEnd.row)
        try enumerate(EdgeQuery(name: name, source: Self.key(sourceKey, sourceCollection), end: end), block)
    }

    /// Calls the block for every edge from a row to a file; nil for any name, source or destination.
    ///
    /// O(matching edges), which are held in memory.
    ///
    /// - Parameters:
    ///   - name: the name of the edges; nil for any.
    ///   - sourceKey: the key of the source; nil for any.
    ///   - collection: the collection of that row; nil is the collection `""`.
    ///   - destinationFileURL: the file; nil for any destination.
    ///   - block: receives an edge and `stop`, which it sets to end; called on the thread of the transaction.
    /// - Throws: what the block throws; ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be
    ///   read.
    public func enumerateEdges(
        withName name: String?, sourceKey: String?, collection: String?, destinationFileURL: URL?,
        using block: (YapDatabaseRelationshipEdge, inout Bool) throws -> Void
    ) throws {
        let end = destinationFileURL.map(EdgeEnd.file)
        try enumerate(EdgeQuery(name: name, source: Self.key(sourceKey, collection), end: end), block)
    }

    /// The number of edges with a name.
    ///
    /// ```swift
    /// let count = try graph.edgeCount(withName: "author", destinationKey: "anna", collection: "people")
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func edgeCount(withName name: String) throws -> Int { try count(EdgeQuery(name: name)) }

    /// The number of edges that start at a row; nil for any name or source.
    /// - Parameters:
    ///   - name: the name of the edges; nil for any.
    ///   - sourceKey: the key of the source; nil for any.
    ///   - collection: the collection of that row; nil is the collection `""`.
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func edgeCount(withName name: String?, sourceKey: String?, collection: String?) throws -> Int {
        try count(EdgeQuery(name: name, source: Self.key(sourceKey, collection)))
    }

    /// The number of edges that lead to a row; nil for any name or destination.
    /// - Parameters:
    ///   - name: the name of the edges; nil for any.
    ///   - destinationKey: the key of the destination; nil for any.
    ///   - collection: the collection of that row; nil is the collection `""`.
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func edgeCount(withName name: String?, destinationKey: String?, collection: String?) throws -> Int {
        try count(EdgeQuery(name: name, end: Self.key(destinationKey, collection).map(EdgeEnd.row)))
    }

    /// The number of edges that lead to a file; nil for any name or destination.
    /// - Parameters:
    ///   - name: the name of the edges; nil for any.
    ///   - destinationFileURL: the file; nil for any destination.
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func edgeCount(withName name: String?, destinationFileURL: URL?) throws -> Int {
        try count(EdgeQuery(name: name, end: destinationFileURL.map(EdgeEnd.file)))
    }

    /// The number of edges between two rows; nil for any name, source or destination.
    /// - Parameters:
    ///   - name: the name of the edges; nil for any.
    ///   - sourceKey: the key of the source; nil for any.
    ///   - sourceCollection: the collection of the source; nil is the collection `""`.
    ///   - destinationKey: the key of the destination; nil for any.
    ///   - destinationCollection: the collection of the destination; nil is the collection `""`.
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func edgeCount(
        withName name: String?, sourceKey: String?, collection sourceCollection: String?, destinationKey: String?,
        collection destinationCollection: String?
    ) throws -> Int {
        let end = Self.key(destinationKey, destinationCollection).map(EdgeEnd.row)
        return try count(EdgeQuery(name: name, source: Self.key(sourceKey, sourceCollection), end: end))
    }

    /// The number of edges from a row to a file; nil for any name, source or destination.
    /// - Parameters:
    ///   - name: the name of the edges; nil for any.
    ///   - sourceKey: the key of the source; nil for any.
    ///   - collection: the collection of that row; nil is the collection `""`.
    ///   - destinationFileURL: the file; nil for any destination.
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
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
