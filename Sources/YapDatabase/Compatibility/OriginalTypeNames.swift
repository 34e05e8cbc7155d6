import ListChanges

// The original's names of types.

/// The original's name of ``ListChanges/ChangeType``.
public typealias YapDatabaseViewChangeType = ChangeType
/// The original's name of ``ListChanges/SectionChange``.
public typealias YapDatabaseViewSectionChange = SectionChange
/// The original's name of ``ListChanges/RowChange``.
public typealias YapDatabaseViewRowChange = RowChange
/// The original's name of ``ListChanges/ChangeFlags``.
public typealias YapDatabaseViewChangesBitMask = ChangeFlags
/// The original's name of ``ListChanges/RowKey``.
public typealias YapCollectionKey = RowKey
/// The original's name of ``ListChanges/RangeOptions/Pin``.
public typealias YapDatabaseViewPin = RangeOptions.Pin
/// The original's name of ``ListChanges/RangeOptions/GrowOptions``.
public typealias YapDatabaseViewGrowOptions = RangeOptions.GrowOptions
/// The original's name of ``ListChanges/RangePosition``.
public typealias YapDatabaseViewRangePosition = RangePosition
/// The original's name of ``YapDatabaseColumnHandler``, for a secondary index.
public typealias YapDatabaseSecondaryIndexHandler = YapDatabaseColumnHandler
/// The original's name of ``YapDatabaseColumnHandler``, for a full-text search.
public typealias YapDatabaseFullTextSearchHandler = YapDatabaseColumnHandler
/// An earlier name of ``ListChanges/Outcome``.
public typealias YapDatabaseViewOutcome = Outcome

extension RowKey {
    /// The original's form, in which a collection of nil is the collection `""`.
    public init(collection: String?, key: String) { self.init(collection: collection ?? "" as String, key: key) }
}
