/// Which parts of a row changed. The raw values are those of the original's `YapDatabaseViewChangesBitMask`.
public struct ChangeFlags: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The row's object was set or touched.
    public static let object = ChangeFlags(rawValue: 1 << 0)
    /// The row's metadata was set or touched.
    public static let metadata = ChangeFlags(rawValue: 1 << 1)
    /// A neighbour that the row's cell depends on is a different row now, or was itself set or touched.
    public static let dependency = ChangeFlags(rawValue: 1 << 2)
    /// The search snippet of the row changed.
    public static let snippets = ChangeFlags(rawValue: 1 << 3)
}
