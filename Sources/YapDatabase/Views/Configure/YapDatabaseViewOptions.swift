/// How a view is kept. A view copies its options when it is made.
public final class YapDatabaseViewOptions {
    struct Settings: Sendable {
        var isPersistent = true
        var allowedCollections: YapWhitelistBlacklist?
        var skipInitialViewPopulation = false
    }

    var settings: Settings

    public convenience init() { self.init(Settings()) }

    init(_ settings: Settings) { self.settings = settings }

    /// Whether the view is in the file (the default) or in memory only, where it is made anew at every launch.
    public var isPersistent: Bool {
        get { settings.isPersistent }
        set { settings.isPersistent = newValue }
    }

    /// The collections that the view may hold rows of; nil is all.
    ///
    /// Rows of other collections are passed over without asking a block and, where this is a whitelist, without
    /// reading them: that makes the first population of a view over a small part of a large file fast.
    public var allowedCollections: YapWhitelistBlacklist? {
        get { settings.allowedCollections }
        set { settings.allowedCollections = newValue }
    }

    /// Whether registering leaves the view empty; rows enter as they are written from then on.
    public var skipInitialViewPopulation: Bool {
        get { settings.skipInitialViewPopulation }
        set { settings.skipInitialViewPopulation = newValue }
    }
}
