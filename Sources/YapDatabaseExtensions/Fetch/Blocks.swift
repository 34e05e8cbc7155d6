import YapDatabase

// The original wraps each kind of block in an enumeration. The library's own types choose the kind already; these are the
// enumerations' names for them.

extension YapDatabaseViewGrouping {
    /// The same as `withKeyBlock(_:)`.
    public static func byKey(_ block: @escaping KeyBlock) -> Self { withKeyBlock(block) }
    /// The same as `withObjectBlock(_:)`.
    public static func byObject(_ block: @escaping ObjectBlock) -> Self { withObjectBlock(block) }
    /// The same as `withMetadataBlock(_:)`.
    public static func byMetadata(_ block: @escaping MetadataBlock) -> Self { withMetadataBlock(block) }
    /// The same as `withRowBlock(_:)`.
    public static func byRow(_ block: @escaping RowBlock) -> Self { withRowBlock(block) }
}

extension YapDatabaseViewSorting {
    /// The same as `withKeyBlock(_:)`.
    public static func byKey(_ block: @escaping KeyBlock) -> Self { withKeyBlock(block) }
    /// The same as `withObjectBlock(_:)`.
    public static func byObject(_ block: @escaping ObjectBlock) -> Self { withObjectBlock(block) }
    /// The same as `withMetadataBlock(_:)`.
    public static func byMetadata(_ block: @escaping MetadataBlock) -> Self { withMetadataBlock(block) }
    /// The same as `withRowBlock(_:)`.
    public static func byRow(_ block: @escaping RowBlock) -> Self { withRowBlock(block) }
}

extension YapDatabaseViewFiltering {
    /// The same as `withKeyBlock(_:)`.
    public static func byKey(_ block: @escaping KeyBlock) -> Self { withKeyBlock(block) }
    /// The same as `withObjectBlock(_:)`.
    public static func byObject(_ block: @escaping ObjectBlock) -> Self { withObjectBlock(block) }
    /// The same as `withMetadataBlock(_:)`.
    public static func byMetadata(_ block: @escaping MetadataBlock) -> Self { withMetadataBlock(block) }
    /// The same as `withRowBlock(_:)`.
    public static func byRow(_ block: @escaping RowBlock) -> Self { withRowBlock(block) }
}

/// For full-text searches and for secondary indexes.
extension YapDatabaseColumnHandler {
    /// The same as `withKeyBlock(_:)`.
    public static func byKey(_ block: @escaping KeyBlock) -> Self { withKeyBlock(block) }
    /// The same as `withObjectBlock(_:)`.
    public static func byObject(_ block: @escaping ObjectBlock) -> Self { withObjectBlock(block) }
    /// The same as `withMetadataBlock(_:)`.
    public static func byMetadata(_ block: @escaping MetadataBlock) -> Self { withMetadataBlock(block) }
    /// The same as `withRowBlock(_:)`.
    public static func byRow(_ block: @escaping RowBlock) -> Self { withRowBlock(block) }
}
