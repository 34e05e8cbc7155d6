import ListChanges

// The original's names of types.

/// The original's name of ``ChangeType``.
public typealias YapDatabaseViewChangeType = ChangeType
/// The original's name of ``SectionChange``.
public typealias YapDatabaseViewSectionChange = SectionChange
/// The original's name of ``RowChange``.
public typealias YapDatabaseViewRowChange = RowChange
/// The original's name of ``ChangeFlags``.
public typealias YapDatabaseViewChangesBitMask = ChangeFlags
/// The original's name of ``RowKey``.
public typealias YapCollectionKey = RowKey
/// The original's name of ``RangeOptions/Pin``.
public typealias YapDatabaseViewPin = RangeOptions.Pin
/// The original's name of ``RangeOptions/GrowOptions``.
public typealias YapDatabaseViewGrowOptions = RangeOptions.GrowOptions
/// The original's name of ``RangePosition``.
public typealias YapDatabaseViewRangePosition = RangePosition
/// The original's name of ``YapDatabaseColumnHandler``, for a secondary index.
public typealias YapDatabaseSecondaryIndexHandler = YapDatabaseColumnHandler
/// The original's name of ``YapDatabaseColumnHandler``, for a full-text search.
public typealias YapDatabaseFullTextSearchHandler = YapDatabaseColumnHandler
/// An earlier name of ``Outcome``.
public typealias YapDatabaseViewOutcome = Outcome

extension RowKey {
    /// The original's form, in which a collection of nil is the collection `""`.
    public init(collection: String?, key: String) { self.init(collection: collection ?? "" as String, key: key) }
}
