import FileEngine
import ListChanges

/// The edges that a ``YapRelation`` declares for the rows of a collection, instead of objects that name their own.
struct DeclaredEdges: Sendable {
    /// The edges of an object.
    /// - Throws: ``YapDatabaseError`` with `decodingFailed` for an object of another type.
    let edges: @Sendable (Any, RowKey) throws -> [YapDatabaseRelationshipEdge]
    /// What becomes of an object that stays when the row that its edge led to is gone.
    let loss: @Sendable (Any, _ edge: YapDatabaseRelationshipEdge) throws -> Loss

    enum Loss {
        /// Another object replaces it.
        case replace(Any)
        /// It stays as it is.
        case keep
        /// The row that is gone may not be deleted while this one is there.
        case refuse
    }
}

extension YapDatabaseRelationshipOptions {
    /// The edges of an object: the declared edges, or without a declaration those that the object names.
    func edges(of object: Any?, _ key: RowKey) throws -> [YapDatabaseRelationshipEdge] {
        guard let declared else {
            return (object as? any YapDatabaseRelationshipNode)?.yapDatabaseRelationshipEdges() ?? []
        }
        return try object.map { try declared.edges($0, key) } ?? []
    }

    /// What becomes of an object whose edge is gone.
    func loss(
        of edge: YapDatabaseRelationshipEdge, for object: Any?, with reason: YDB_NotifyReason
    ) throws -> DeclaredEdges.Loss {
        guard let object else { return .keep }
        if let declared { return try declared.loss(object, edge) }
        let node = object as? any YapDatabaseRelationshipNode
        return node?.yapDatabaseRelationshipEdgeDeleted(edge, with: reason).map { .replace($0) } ?? .keep
    }
}

/// Rows that a relation does not let go: what their error says.
extension YapDatabaseError {
    static func missingEnd(_ relation: String, of row: RowKey?, _ missing: RowKey) -> YapDatabaseError {
        YapDatabaseError(
            .missingRow,
            "\(row.map { "\($0)" } ?? "A row") is related to \(missing) by \"\(relation)\", but there is no such row. Save it before the "
                + "transaction ends.")
    }

    static func stillNamed(_ relation: String, by row: RowKey, _ removed: RowKey) -> YapDatabaseError {
        YapDatabaseError(
            .missingRow,
            "\(removed) was removed, but \(row) still names it, which \"\(relation)\" refuses. Remove that row too, "
                + "or let it name another one.")
    }
}
