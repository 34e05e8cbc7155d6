import ListChanges

/// One transaction's access to a ``YapRelation``: `transaction[membership]`. Valid as long as the transaction. It sees the transaction's own
/// changes.
///
/// Rows come in no particular order.
public struct YapRelationRows<
    Source: Codable & Sendable, SourceKey: YapKey, SourceMetadata: Codable & Sendable,
    Target: Codable & Sendable, TargetKey: YapKey, TargetMetadata: Codable & Sendable
> {
    /// The declaration of the relation.
    public let relation: YapRelation<Source, SourceKey, SourceMetadata, Target, TargetKey, TargetMetadata>
    /// The same access without types.
    public let graph: YapDatabaseRelationshipTransaction

    /// Returns the values of the rows that name a row. O(rows found), plus the cost of reading them.
    ///
    /// ```swift
    /// let members = try transaction[membership].sources(of: "friends")
    /// let group = try transaction[membership].targets(of: "alice").first
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `decodingFailed` if one cannot be decoded; `corrupt`, `inputOutput` or `interrupted` if the
    ///   file cannot be read.
    public func sources(of target: TargetKey) throws -> [Source] {
        try graph.transaction[relation.sources].values(forKeys: sourceKeys(of: target))
    }

    /// Returns the values of the rows that a row names. O(rows found), plus the cost of reading them.
    ///
    /// Example: ``sources(of:)``.
    ///
    /// - Throws: ``YapDatabaseError`` with code `decodingFailed` if one cannot be decoded; `corrupt`, `inputOutput` or `interrupted` if the
    ///   file cannot be read.
    public func targets(of source: SourceKey) throws -> [Target] {
        try graph.transaction[relation.targets].values(forKeys: targetKeys(of: source))
    }

    /// Returns the keys of the rows that name a row. Reads no values.
    ///
    /// ```swift
    /// let names = try transaction[membership].sourceKeys(of: "friends")
    /// let group = try transaction[membership].targetKeys(of: "alice").first
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `decodingFailed` if a key is none of the collection's; `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    public func sourceKeys(of target: TargetKey) throws -> [SourceKey] {
        var keys: [SourceKey] = []
        try graph.enumerateEdges(
            withName: relation.name, destinationKey: target.storedKey, collection: relation.targets.name
        ) { edge, _ in
            if let row = edge.source { keys.append(try relation.sources.key(of: row)) }
        }
        return keys
    }

    /// Returns the keys of the rows that a row names. Reads no values.
    ///
    /// Example: ``sourceKeys(of:)``.
    ///
    /// - Throws: ``YapDatabaseError`` with code `decodingFailed` if a key is none of the collection's; `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    public func targetKeys(of source: SourceKey) throws -> [TargetKey] {
        var keys: [TargetKey] = []
        try graph.enumerateEdges(
            withName: relation.name, sourceKey: source.storedKey, collection: relation.sources.name
        ) { edge, _ in
            if case .row(let row) = edge.end { keys.append(try relation.targets.key(of: row)) }
        }
        return keys
    }

    /// Returns how many rows name a row. Reads no rows, unless the transaction has changed the graph.
    ///
    /// ```swift
    /// let count = try transaction[membership].sourceCount(of: "friends")
    /// let others = try transaction[membership].targetCount(of: "alice")
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func sourceCount(of target: TargetKey) throws -> Int {
        try graph.edgeCount(
            withName: relation.name, destinationKey: target.storedKey, collection: relation.targets.name)
    }

    /// Returns how many rows a row names. Reads no rows, unless the transaction has changed the graph.
    ///
    /// Example: ``sourceCount(of:)``.
    ///
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func targetCount(of source: SourceKey) throws -> Int {
        try graph.edgeCount(withName: relation.name, sourceKey: source.storedKey, collection: relation.sources.name)
    }

    /// Links two rows, in a relation whose links are made by hand. Does nothing if they are linked already.
    ///
    /// ```swift
    /// try transaction[likes].link("alice", to: 7)
    /// try transaction[likes].unlink("alice", from: 8)
    /// ```
    ///
    /// - Parameters:
    ///   - source: the key of the row that the link leads from.
    ///   - target: the key of the row that it leads to.
    /// - Throws: ``YapDatabaseError`` with code `transactionFailed` if the transaction was lost before. At the end of the transaction, `missingRow`
    ///   if one of the rows is not there.
    /// - Precondition: the relation was declared without a property, and the transaction is a read-write transaction.
    public func link(_ source: SourceKey, to target: TargetKey) throws {
        try graph.addEdge(edge(source, target, "link"))
    }

    /// Removes the link between two rows, in a relation whose links are made by hand. No rule deletes one of the rows for that.
    ///
    /// Example: ``link(_:to:)``.
    ///
    /// - Parameters:
    ///   - source: the key of the row that the link leads from.
    ///   - target: the key of the row that it leads to.
    /// - Throws: ``YapDatabaseError`` with code `transactionFailed` if the transaction was lost before.
    /// - Precondition: the relation was declared without a property, and the transaction is a read-write transaction.
    public func unlink(_ source: SourceKey, from target: TargetKey) throws {
        try graph.removeEdge(edge(source, target, "unlink"), withProcessing: .edgeDeleted)
    }

    private func edge(_ source: SourceKey, _ target: TargetKey, _ caller: String) -> YapDatabaseRelationshipEdge {
        require(
            relation.isByHand,
            "\(caller): the relation \"\(relation.name)\" goes by a property of its sources. Save the source with another value of it."
        )
        return relation.edge(from: relation.sources.rowKey(source), to: target)
    }
}

extension YapTypedTransaction {
    /// The rows that a relation joins.
    ///
    /// - Throws: ``YapDatabaseError`` with `badExtension` if the relation is not registered in this state of the database.
    public subscript<Source, SourceKey, SourceMetadata, Target, TargetKey, TargetMetadata>(
        relation: YapRelation<Source, SourceKey, SourceMetadata, Target, TargetKey, TargetMetadata>
    ) -> YapRelationRows<Source, SourceKey, SourceMetadata, Target, TargetKey, TargetMetadata> {
        get throws {
            relation.sources.use(in: self)
            relation.targets.use(in: self)
            return YapRelationRows(
                relation: relation, graph: try registered(relation, as: YapDatabaseRelationshipTransaction.self))
        }
    }
}
