/// A view whose grouping and sorting blocks decide which rows it holds, in which groups and in which order.
///
/// ```swift
/// let view = YapDatabaseAutoView(grouping: grouping, sorting: sorting, versionTag: "2019-05-20")
/// try database.register(view, withName: "order")
/// ```
///
/// The first registration fills the view. A later registration with the same `versionTag` loads only the order of its
/// pages and calls no block; one with another tag clears the view and fills it again.
///
/// Apps may subclass it, for initializers of their own. After `setGrouping` or `setSorting` a plain `YapDatabaseAutoView` with
/// the new blocks stands in the place of a subclass's instance.
open class YapDatabaseAutoView: YapDatabaseView, @unchecked Sendable {
    // @unchecked: as for YapDatabaseView.

    /// Decides the group of a row, and whether the row is in the view.
    public var grouping: YapDatabaseViewGrouping { arrangement.grouping }
    /// Decides the order of the rows of a group.
    public var sorting: YapDatabaseViewSorting { arrangement.sorting }
    let arrangement: Arrangement

    /// - Parameter versionTag: change it whenever the blocks change, or anything that their answers depend on, for
    ///   example the locale.
    public init(
        grouping: YapDatabaseViewGrouping, sorting: YapDatabaseViewSorting, versionTag: String = "",
        options: YapDatabaseViewOptions? = nil
    ) {
        arrangement = Arrangement(grouping: grouping, sorting: sorting, versionTag: versionTag)
        super.init(
            className: "YapDatabaseAutoView", versionTag: versionTag, options: options ?? YapDatabaseViewOptions())
    }

    init(_ arrangement: Arrangement, options: YapDatabaseViewOptions) {
        self.arrangement = arrangement
        super.init(className: "YapDatabaseAutoView", versionTag: arrangement.versionTag, options: options)
    }

    /// Returns the same view with other blocks.
    func arranged(by arrangement: Arrangement) -> YapDatabaseAutoView {
        YapDatabaseAutoView(arrangement, options: options)
    }

    override var recovery: ExtensionRecovery { .placing }

    override func makeTransaction(
        name: String, transaction: YapDatabaseReadTransaction, state: (any ExtensionState)?
    ) -> YapDatabaseExtensionTransaction {
        YapDatabaseAutoViewTransaction(view: self, name: name, transaction: transaction, state: state as! ViewState?)
    }
}
