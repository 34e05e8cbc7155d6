/// Options of a view. A view copies its options when it is created.
public final class YapDatabaseViewOptions {
    struct Settings: Sendable {
        var isPersistent = true
        var allowedCollections: YapWhitelistBlacklist?
        var skipInitialViewPopulation = false
    }

    var settings: Settings

    public convenience init() { self.init(Settings()) }

    init(_ settings: Settings) { self.settings = settings }

    /// Whether the view is stored in the file (the default) or kept in memory only and filled again at every launch.
    public var isPersistent: Bool {
        get { settings.isPersistent }
        set { settings.isPersistent = newValue }
    }

    /// The collections whose rows the view may hold; nil for all.
    ///
    /// Rows of other collections are skipped without calling a block and, for a whitelist, without being read. That
    /// makes the first population of a view over a small part of a large file fast.
    public var allowedCollections: YapWhitelistBlacklist? {
        get { settings.allowedCollections }
        set { settings.allowedCollections = newValue }
    }

    /// Whether registration leaves the view empty. Rows then enter it as they are written.
    public var skipInitialViewPopulation: Bool {
        get { settings.skipInitialViewPopulation }
        set { settings.skipInitialViewPopulation = newValue }
    }
}
