/// An object that names its own edges.
///
/// ```swift
/// struct Message: Codable, YapDatabaseRelationshipNode {
///     var chat: String
///     func yapDatabaseRelationshipEdges() -> [YapDatabaseRelationshipEdge]? {
///         [YapDatabaseRelationshipEdge(
///             name: "chat", destinationKey: chat, collection: "chats",
///             nodeDeleteRules: .deleteSourceIfDestinationDeleted)]
///     }
/// }
/// ```
///
/// The extension asks whenever the object is set or replaced, and not when it is touched. An edge that the object no longer
/// returns is deleted as if its source were: setting a property to nil can delete what it named.
public protocol YapDatabaseRelationshipNode {
    /// The edges that start at this object; nil for none. Their rows may be written later in the same transaction. An edge
    /// to a row that does not exist by then is treated as if the row had been deleted.
    func yapDatabaseRelationshipEdges() -> [YapDatabaseRelationshipEdge]?

    /// Called for an edge with a notify rule whose other end was deleted.
    /// - Returns: an object that replaces this one, whose metadata stays; nil changes nothing.
    func yapDatabaseRelationshipEdgeDeleted(_ edge: YapDatabaseRelationshipEdge, with reason: YDB_NotifyReason) -> Any?
}

extension YapDatabaseRelationshipNode {
    public func yapDatabaseRelationshipEdgeDeleted(
        _ edge: YapDatabaseRelationshipEdge, with reason: YDB_NotifyReason
    ) -> Any? { nil }
}
