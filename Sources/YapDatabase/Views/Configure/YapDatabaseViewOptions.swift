/// How a view is kept.
public struct YapDatabaseViewOptions: Sendable {
    /// Whether the view is in the file (the default) or in memory only, where it is made anew at every launch.
    public var isPersistent = true

    /// The collections that the view may hold rows of; nil is all.
    ///
    /// Rows of other collections are passed over without asking a block and, where this is a whitelist, without
    /// reading them: that makes the first population of a view over a small part of a large file fast.
    public var allowedCollections: YapWhitelistBlacklist?

    /// Whether registering leaves the view empty; rows enter as they are written from then on.
    public var skipInitialViewPopulation = false

    public init() {}
}
