/// What the name of an extension's class in `yap2` says about its content. This is the only list of the classes of this library and of the
/// original; ``TableOwner`` is the list of their tables.
package struct StoredClass {
    private enum Content {
        case fromRows
        /// Derived from another extension, which is derived from the rows.
        case fromExtension
        /// Derived from the rows, except entries that were added by hand.
        case partlyFromRows
        /// Derived from the rows by a rule that only the program knows.
        case derived
        /// Derived from another extension, whose content the user may have made, in the same way.
        case derivedFromExtension
        /// Made by hand.
        case byHand
        /// Of a class that neither this library nor the original has.
        case unknown
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
            case "YapDatabaseDerivedRows": .derived
            case "YapDatabaseDerivedRowsOfList": .derivedFromExtension
            case "YapDatabaseManualView", "YapDatabaseCloudCore", "YapDatabaseCloudKit": .byHand
            default: .unknown
            }
    }

    /// Whether it can be rebuilt from the rows without loss.
    var followsFromRows: Bool { content == .fromRows || content == .fromExtension }
    /// Whether a program that registers it with another version tag fills it again.
    var isFilledAgain: Bool { followsFromRows || content == .derived || content == .derivedFromExtension }
    /// Whether its content, or a part of it, was stored by hand, and can be had from nowhere else.
    package var isMadeByHand: Bool { content == .partlyFromRows || content == .byHand }
    /// Whether this library or the original has a class of that name that keeps something in a file.
    package var isKnown: Bool { content != .unknown }
    /// Whether its content is derived from that of another extension.
    var followsExtension: Bool { content == .fromExtension || content == .derivedFromExtension }
    /// Whether another version tag marks it as stale, so that it is filled again.
    var isMarkedByTag: Bool { followsFromRows || content == .partlyFromRows }
    /// Whether its tables are ignored while it is marked as stale. Indexes are searched even while they are stale.
    var isUnusedWhenStale: Bool { followsFromRows && TableOwner.Kind.view.classes.contains(name) }
}
