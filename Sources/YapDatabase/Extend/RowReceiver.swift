/// Takes every row of the database while an extension is registered. The core reads the rows once for all extensions that are
/// registered together, and decodes each value at most once.
protocol RowReceiver: AnyObject {
    /// The collections whose rows it takes; nil for all.
    var allowedCollections: YapWhitelistBlacklist? { get }
    /// Whether it looks at more than the keys.
    var needsValues: Bool { get }

    func receive(_ row: ScannedRow) throws
    /// Called after the last row.
    func end() throws
}
