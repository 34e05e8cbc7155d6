/// Options of a view, as a value: which rows it may have, and whether it is stored.
///
/// ```swift
/// let mail = YapViewOptions(allowedCollections: YapWhitelistBlacklist(whitelist: ["mail"]))
/// ```
public struct YapViewOptions: Sendable {
    /// Whether the view is stored in the file (the default) or kept in memory only and filled again at every launch.
    public var isPersistent: Bool

    /// The collections whose rows the view may hold; nil for all.
    ///
    /// Rows of other collections are skipped without calling a block and, for a whitelist, without being read. That
    /// makes the first population of a view over a small part of a large file fast.
    public var allowedCollections: YapWhitelistBlacklist?

    /// Whether registration leaves the view empty. Rows then enter it as they are written.
    public var skipInitialViewPopulation: Bool

    /// Creates options; without arguments, of a view in the file, for all collections.
    ///
    /// - Parameters:
    ///   - isPersistent: whether the view is stored in the file.
    ///   - allowedCollections: the collections whose rows the view may hold; nil for all.
    ///   - skipInitialViewPopulation: whether registration leaves the view empty.
    public init(
        isPersistent: Bool = true, allowedCollections: YapWhitelistBlacklist? = nil,
        skipInitialViewPopulation: Bool = false
    ) {
        self.isPersistent = isPersistent
        self.allowedCollections = allowedCollections
        self.skipInitialViewPopulation = skipInitialViewPopulation
    }
}

/// The options of a view in the original's form: ``YapViewOptions`` that are changed in place. A view copies them when it is created.
///
/// A class, because programs of the original set the properties of a `let`, and therefore not `Sendable`: a constant of the program, which
/// all tasks see, is a ``YapViewOptions``.
@dynamicMemberLookup
public class YapDatabaseViewOptions {
    /// The options as a value.
    public var value: YapViewOptions

    /// Creates options of a view in the file, for all collections.
    public init() { value = YapViewOptions() }

    /// Creates options with the properties of a value.
    public init(_ value: YapViewOptions) { self.value = value }

    /// A property of the options: `isPersistent`, `allowedCollections`, `skipInitialViewPopulation`.
    public subscript<T>(dynamicMember member: WritableKeyPath<YapViewOptions, T>) -> T {
        get { value[keyPath: member] }
        set { value[keyPath: member] = newValue }
    }
}
