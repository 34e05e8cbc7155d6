/// What the name of an extension's class in `yap2` says about its content. This is the only list of the classes of this library and of the
/// original; ``TableOwner`` is the list of their tables.
package struct StoredClass {
    private enum Content {
        case fromRows
        /// Derived from another extension, which is derived from the rows.
        case fromExtension
        /// Derived from the rows, except entries that were added by hand.
        case partlyFromRows
        /// Derived from another extension, whose content the user may have made.
        case ownOfExtension
        /// Not derived from the rows, or of an unknown class.
        case own
    }

    private let content: Content
    /// The key of the version tag in older releases of the original.
    let oldTagKey: String
    private let name: String

    package init(_ name: String) {
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
    /// Whether its content, or a part of it, was stored by hand, and can be had from nowhere else.
    package var isMadeByHand: Bool {
        content == .partlyFromRows || ["YapDatabaseManualView", "YapDatabaseCloudCore"].contains(name)
    }
    /// Whether this library or the original has a class of that name that keeps something in a file.
    package var isKnown: Bool {
        ["YapDatabaseCloudCore", "YapDatabaseCloudKit"].contains(name)
            || TableOwner.Kind.allCases.contains { $0.classes.contains(name) }
    }
    /// Whether its content is derived from that of another extension.
    var followsExtension: Bool { content == .fromExtension || content == .ownOfExtension }
    /// Whether another version tag marks it as stale, so that it is filled again.
    var isMarkedByTag: Bool { content != .own && content != .ownOfExtension }
    /// Whether its tables are ignored while it is marked as stale. Indexes are searched even while they are stale.
    var isUnusedWhenStale: Bool { followsFromRows && TableOwner.Kind.view.classes.contains(name) }
}
