import ListChanges

/// When a block of a view is asked again about a row that it has answered for already.
///
/// A block that looks only at the key never has to be asked again; one that looks at the object has to be asked when
/// the object was set or touched. The default of each kind of block is just that.
public struct YapDatabaseBlockInvoke: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let onInsertOnly: YapDatabaseBlockInvoke = []
    public static let ifObjectModified = YapDatabaseBlockInvoke(rawValue: 1 << 1)
    public static let ifMetadataModified = YapDatabaseBlockInvoke(rawValue: 1 << 2)
    public static let ifObjectTouched = YapDatabaseBlockInvoke(rawValue: 1 << 3)
    public static let ifMetadataTouched = YapDatabaseBlockInvoke(rawValue: 1 << 4)
    public static let any: YapDatabaseBlockInvoke = [
        .ifObjectModified, .ifMetadataModified, .ifObjectTouched, .ifMetadataTouched,
    ]

    /// Whether a row that was set or touched in this way has to be asked about again.
    func includes(_ row: ChangedRow) -> Bool {
        let object: YapDatabaseBlockInvoke = row.isTouch ? .ifObjectTouched : .ifObjectModified
        let metadata: YapDatabaseBlockInvoke = row.isTouch ? .ifMetadataTouched : .ifMetadataModified
        return row.flags.contains(.object) && contains(object) || row.flags.contains(.metadata) && contains(metadata)
    }
}
