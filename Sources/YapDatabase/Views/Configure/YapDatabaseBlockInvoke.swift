import ListChanges

/// When a view calls a block again for a row that the block has already answered for.
///
/// A block that looks only at the key is never called again; one that looks at the object is called again when the
/// object was set or touched. That is the default of each kind of block.
public struct YapDatabaseBlockInvoke: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Never again: the block is called once for a row.
    public static let onInsertOnly: YapDatabaseBlockInvoke = []
    /// When the object was set, also to an equal one.
    public static let ifObjectModified = YapDatabaseBlockInvoke(rawValue: 1 << 1)
    /// When the metadata were set, also to equal ones.
    public static let ifMetadataModified = YapDatabaseBlockInvoke(rawValue: 1 << 2)
    /// When the object was touched.
    public static let ifObjectTouched = YapDatabaseBlockInvoke(rawValue: 1 << 3)
    /// When the metadata were touched.
    public static let ifMetadataTouched = YapDatabaseBlockInvoke(rawValue: 1 << 4)
    /// After every change of the row.
    public static let any: YapDatabaseBlockInvoke = [
        .ifObjectModified, .ifMetadataModified, .ifObjectTouched, .ifMetadataTouched,
    ]

    /// Whether the block must be called again after this change of the row.
    func includes(_ row: ChangedRow) -> Bool {
        let object: YapDatabaseBlockInvoke = row.isTouch ? .ifObjectTouched : .ifObjectModified
        let metadata: YapDatabaseBlockInvoke = row.isTouch ? .ifMetadataTouched : .ifMetadataModified
        return row.flags.contains(.object) && contains(object) || row.flags.contains(.metadata) && contains(metadata)
    }

    /// Whether the block is called after every change of what it needs, so that its last answer is that for the row as it is.
    func follows(_ needs: RowNeeds) -> Bool {
        (!needs.contains(.object) || contains(.ifObjectModified))
            && (!needs.contains(.metadata) || contains(.ifMetadataModified))
    }
}
