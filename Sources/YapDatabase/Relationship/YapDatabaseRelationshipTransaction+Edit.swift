import ListChanges

/// Edges that are added and removed by hand. They are apart from those of the protocol: neither replaces the other.
extension YapDatabaseRelationshipTransaction {
    /// Adds an edge, or replaces the rules of the one with the same name, source and destination.
    ///
    /// The rows may be written later in the same transaction. If one of them does not exist at its end, the edge is treated
    /// as if that row had been deleted.
    /// - Throws: ``YapDatabaseError`` with `badExtension` if the edge lacks a source or a destination.
    public func addEdge(_ edge: YapDatabaseRelationshipEdge) throws {
        _ = readWriteTransaction("addEdge")
        let name = try manualName(edge)
        changes.add(edge.withSource(name.source, isManual: true), name)
    }

    /// Removes the edge with the same name, source and destination. Does nothing if there is none.
    /// - Parameter reason: which of its rules apply: those for the deletion of its source or its destination, or none.
    public func removeEdge(_ edge: YapDatabaseRelationshipEdge, withProcessing reason: YDB_NotifyReason) throws {
        _ = readWriteTransaction("removeEdge")
        changes.remove(try manualName(edge), reason)
    }

    /// Like ``removeEdge(_:withProcessing:)``, by its parts.
    public func removeEdge(
        withName name: String, sourceKey: String, collection sourceCollection: String?, destinationKey: String,
        collection destinationCollection: String?, withProcessing reason: YDB_NotifyReason
    ) throws {
        let edge = YapDatabaseRelationshipEdge(
            name: name, sourceKey: sourceKey, collection: sourceCollection, destinationKey: destinationKey,
            collection: destinationCollection, nodeDeleteRules: [])
        try removeEdge(edge, withProcessing: reason)
    }

    private func manualName(_ edge: YapDatabaseRelationshipEdge) throws -> GraphChanges.ManualName {
        if let name = GraphChanges.ManualName(edge) { return name }
        throw YapDatabaseError(
            .badExtension,
            "The edge \"\(edge.name)\" has no \(edge.sourceKey == nil ? "source" : "destination"). Create it with both "
                + "ends to add or remove it by hand.")
    }
}
