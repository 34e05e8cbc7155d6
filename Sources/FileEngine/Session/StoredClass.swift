/// What the name of an extension's class in `yap2` says of its content: the one list of this library's and the original's classes, beside
/// that of their tables (``TableOwner``).
struct StoredClass {
    private enum Content {
        case fromRows
        /// From another extension, which follows from the rows.
        case fromExtension
        /// From the rows, and some of it was added by hand.
        case partlyFromRows
        /// From another extension, whose content the user may have made.
        case ownOfExtension
        /// The user's own, or of a class that is not known.
        case own
    }

    private let content: Content
    /// The key of the version tag in older releases of the original.
    let oldTagKey: String
    private let name: String

    init(_ name: String) {
        self.name = name
        oldTagKey = name == "YapDatabaseFilteredView" ? "tag" : "version"
        content =
            switch name {
            case "YapDatabaseView", "YapDatabaseAutoView", "YapDatabaseSecondaryIndex", "YapDatabaseFullTextSearch",
                "YapDatabaseRTreeIndex":
                .fromRows
            case "YapDatabaseFilteredView", "YapDatabaseSearchResultsView": .fromExtension
            case "YapDatabaseRelationship": .partlyFromRows
            case "YapDatabaseDerivedRowsOfList": .ownOfExtension
            default: .own
            }
    }

    /// Whether it can be rebuilt from the rows without loss.
    var followsFromRows: Bool { content == .fromRows || content == .fromExtension }
    /// Whether its content comes from that of another extension.
    var followsExtension: Bool { content == .fromExtension || content == .ownOfExtension }
    /// Whether another version tag makes it follow the rows again.
    var isMarkedByTag: Bool { content != .own && content != .ownOfExtension }
    /// Whether its tables are not read while it is marked as stale. Indexes are searched even then.
    var isUnusedWhenStale: Bool { followsFromRows && TableOwner.Kind.view.classes.contains(name) }
}
