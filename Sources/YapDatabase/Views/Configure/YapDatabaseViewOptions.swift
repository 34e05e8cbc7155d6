/// Options of a view. A view copies its options when it is created.
///
/// A class, because programs of the original set the properties of a `let`.
public class YapDatabaseViewOptions {
    /// Whether the view is stored in the file (the default) or kept in memory only and filled again at every launch.
    public var isPersistent = true

    /// The collections whose rows the view may hold; nil for all.
    ///
    /// Rows of other collections are skipped without calling a block and, for a whitelist, without being read. That
    /// makes the first population of a view over a small part of a large file fast.
    public var allowedCollections: YapWhitelistBlacklist?

    /// Whether registration leaves the view empty. Rows then enter it as they are written.
    public var skipInitialViewPopulation = false

    /// Creates options of a view in the file, for all collections.
    public init() {}

    func copy() -> YapDatabaseViewOptions {
        let copy = YapDatabaseViewOptions()
        copy.isPersistent = isPersistent
        copy.allowedCollections = allowedCollections
        copy.skipInitialViewPopulation = skipInitialViewPopulation
        return copy
    }
}
