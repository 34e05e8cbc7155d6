/// A view that holds the rows of another view that pass a filter, in the same groups and the same order.
///
/// ```swift
/// let filtered = YapDatabaseFilteredView(parentViewName: "order", filtering: filtering, versionTag: "1")
/// try database.register(filtered, withName: "inStock")
/// ```
///
/// The parent may be a view of any kind, also a filtered one; it must be registered first and stay as long. A view in the file
/// (the default) needs a parent in the file.
///
/// Apps may subclass it, for initializers of their own. After `setFiltering` a plain `YapDatabaseFilteredView` with the new block
/// stands in the place of a subclass's instance.
open class YapDatabaseFilteredView: YapDatabaseView, @unchecked Sendable {
    // @unchecked: as for YapDatabaseView.

    /// The name under which the parent view is registered.
    public let parentViewName: String
    /// The block that decides which rows of the parent are in the view.
    public let filtering: YapDatabaseViewFiltering

    /// - Parameter versionTag: change it whenever the block changes, or anything that its answers depend on. The parent's tag need
    ///   not be part of it.
    public init(
        parentViewName: String, filtering: YapDatabaseViewFiltering, versionTag: String = "",
        options: YapDatabaseViewOptions? = nil
    ) {
        self.parentViewName = parentViewName
        self.filtering = filtering
        super.init(
            className: "YapDatabaseFilteredView", versionTag: versionTag, options: options ?? YapDatabaseViewOptions())
    }

    override var dependencies: Set<String> { [parentViewName] }

    /// Returns the same view with another block.
    func filtered(by filtering: YapDatabaseViewFiltering, _ versionTag: String) -> YapDatabaseFilteredView {
        YapDatabaseFilteredView(
            parentViewName: parentViewName, filtering: filtering, versionTag: versionTag, options: options)
    }

    override var recovery: ExtensionRecovery { .placing }

    override func makeTransaction(
        name: String, transaction: YapDatabaseReadTransaction, state: (any ExtensionState)?
    ) -> YapDatabaseExtensionTransaction {
        YapDatabaseFilteredViewTransaction(
            view: self, name: name, transaction: transaction, state: state as! ViewState?)
    }
}
