import Foundation
import ListChanges

/// What happens to one end of an edge when the other is deleted. The rules of an edge work in both directions, so one edge
/// between two rows is enough.
public struct YDB_NodeDeleteRules: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Calls ``YapDatabaseRelationshipNode/yapDatabaseRelationshipEdgeDeleted(_:with:)`` on the destination.
    public static let notifyIfSourceDeleted = YDB_NodeDeleteRules(rawValue: 1 << 0)
    /// Calls ``YapDatabaseRelationshipNode/yapDatabaseRelationshipEdgeDeleted(_:with:)`` on the source.
    public static let notifyIfDestinationDeleted = YDB_NodeDeleteRules(rawValue: 1 << 1)
    /// Deletes the source with the destination.
    public static let deleteSourceIfDestinationDeleted = YDB_NodeDeleteRules(rawValue: 1 << 2)
    /// Deletes the destination with the source: a row in any case, a file unless an edge leads to it.
    public static let deleteDestinationIfSourceDeleted = YDB_NodeDeleteRules(rawValue: 1 << 3)
    /// Deletes the source when no edge leads from it any more, whatever the names of its edges. Where it is set, the rule
    /// ``deleteSourceIfDestinationDeleted`` is ignored.
    public static let deleteSourceIfAllDestinationsDeleted = YDB_NodeDeleteRules(rawValue: 1 << 4)
    /// Deletes the destination when no edge leads to it any more, whatever the names of its edges. Where it is set, the rule
    /// ``deleteDestinationIfSourceDeleted`` is ignored. For a file the two rules are one.
    public static let deleteDestinationIfAllSourcesDeleted = YDB_NodeDeleteRules(rawValue: 1 << 5)
}

/// Why an edge is gone.
public enum YDB_NotifyReason: Int, Sendable {
    /// Only the edge: no rule applies.
    case edgeDeleted
    /// The source was deleted, or no longer has the edge.
    case sourceNodeDeleted
    /// The destination was deleted, or never existed.
    case destinationNodeDeleted
}

/// An edge of the graph: a name, from a row to a row or to a file, with rules for deletion.
///
/// The source may be left out in the answer of a ``YapDatabaseRelationshipNode``, which is the source itself.
public struct YapDatabaseRelationshipEdge: Hashable, Sendable {
    /// What the edge means, such as `author`. Queries ask for edges by it.
    public let name: String
    /// Nil only in an edge that was created without a source.
    public let sourceKey: String?
    /// Nil only in an edge that was created without a source.
    public let sourceCollection: String?
    /// Nil if the edge leads to a file.
    public let destinationKey: String?
    /// Nil if the edge leads to a file.
    public let destinationCollection: String?
    /// Nil if the edge leads to a row, or if the stored location cannot be read, such as a bookmark of another system.
    public let destinationFileURL: URL?
    /// What happens to one end when the other is deleted.
    public let nodeDeleteRules: YDB_NodeDeleteRules
    /// Whether the edge was added by ``YapDatabaseRelationshipTransaction/addEdge(_:)``, not by the protocol of its source.
    public let isManualEdge: Bool

    /// Creates an edge to a row, from the node that returns it.
    /// - Parameters:
    ///   - name: what the edge means, such as `author`.
    ///   - destinationKey: the key of the destination.
    ///   - collection: the collection of that row; nil is the collection `""`.
    ///   - rules: what happens to one end when the other is deleted.
    public init(
        name: String, destinationKey: String, collection: String?, nodeDeleteRules rules: YDB_NodeDeleteRules
    ) {
        self.init(
            name: name, source: nil, end: .row(RowKey(collection: collection ?? "", key: destinationKey)),
            rules: rules, isManual: false)
    }

    /// Creates an edge to a file, from the node that returns it. Only the rules that delete the destination apply.
    /// - Parameters:
    ///   - name: what the edge means, such as `author`.
    ///   - destinationFileURL: the file.
    ///   - rules: what happens to one end when the other is deleted.
    public init(name: String, destinationFileURL: URL, nodeDeleteRules rules: YDB_NodeDeleteRules) {
        self.init(name: name, source: nil, end: .file(destinationFileURL), rules: rules, isManual: false)
    }

    /// Creates an edge from a row to a row.
    /// - Parameters:
    ///   - name: what the edge means, such as `author`.
    ///   - sourceKey: the key of the source.
    ///   - sourceCollection: the collection of the source; nil is the collection `""`.
    ///   - destinationKey: the key of the destination.
    ///   - destinationCollection: the collection of the destination; nil is the collection `""`.
    ///   - rules: what happens to one end when the other is deleted.
    public init(
        name: String, sourceKey: String, collection sourceCollection: String?, destinationKey: String,
        collection destinationCollection: String?, nodeDeleteRules rules: YDB_NodeDeleteRules
    ) {
        self.init(
            name: name, source: RowKey(collection: sourceCollection ?? "", key: sourceKey),
            end: .row(RowKey(collection: destinationCollection ?? "", key: destinationKey)), rules: rules,
            isManual: false)
    }

    /// Creates an edge from a row to a file. Only the rules that delete the destination apply.
    /// - Parameters:
    ///   - name: what the edge means, such as `author`.
    ///   - sourceKey: the key of the source.
    ///   - collection: the collection of that row; nil is the collection `""`.
    ///   - destinationFileURL: the file.
    ///   - rules: what happens to one end when the other is deleted.
    public init(
        name: String, sourceKey: String, collection: String?, destinationFileURL: URL,
        nodeDeleteRules rules: YDB_NodeDeleteRules
    ) {
        self.init(
            name: name, source: RowKey(collection: collection ?? "", key: sourceKey), end: .file(destinationFileURL),
            rules: rules, isManual: false)
    }

    init(name: String, source: RowKey?, end: EdgeEnd?, rules: YDB_NodeDeleteRules, isManual: Bool) {
        self.name = name
        sourceKey = source?.key
        sourceCollection = source?.collection
        var row: RowKey?
        if case .row(let key) = end { row = key }
        destinationKey = row?.key
        destinationCollection = row?.collection
        if case .file(let url) = end { destinationFileURL = url } else { destinationFileURL = nil }
        nodeDeleteRules = rules
        isManualEdge = isManual
    }

    func withSource(_ source: RowKey, isManual: Bool) -> YapDatabaseRelationshipEdge {
        YapDatabaseRelationshipEdge(name: name, source: source, end: end, rules: nodeDeleteRules, isManual: isManual)
    }
}

/// What an edge leads to, as apps name it.
enum EdgeEnd: Hashable {
    case row(RowKey)
    case file(URL)
}

extension YapDatabaseRelationshipEdge {
    var source: RowKey? { sourceKey.map { RowKey(collection: sourceCollection ?? "", key: $0) } }

    var end: EdgeEnd? {
        if let destinationFileURL { return .file(destinationFileURL) }
        return destinationKey.map { .row(RowKey(collection: destinationCollection ?? "", key: $0)) }
    }
}

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
    ///
    /// Runs on the thread of the transaction, when the rules run.
    ///
    /// - Parameters:
    ///   - edge: the edge that is gone.
    ///   - reason: why the edge is gone.
    /// - Returns: an object that replaces this one, whose metadata stays; nil changes nothing.
    func yapDatabaseRelationshipEdgeDeleted(_ edge: YapDatabaseRelationshipEdge, with reason: YDB_NotifyReason) -> Any?
}

extension YapDatabaseRelationshipNode {
    public func yapDatabaseRelationshipEdgeDeleted(
        _ edge: YapDatabaseRelationshipEdge, with reason: YDB_NotifyReason
    ) -> Any? { nil }
}
