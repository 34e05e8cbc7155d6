import Foundation
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

// Second names of single methods and properties.

extension YapDatabaseReadTransaction {
    /// The original's other name of ``ext(_:)``.
    public func `extension`(_ name: String) -> YapDatabaseExtensionTransaction? { ext(name) }
}

extension YapDatabaseConnection {
    /// The original's other name of ``ext(_:)``.
    public func `extension`(_ name: String) -> YapDatabaseExtensionConnection? { ext(name) }
}

extension YapDatabase {
    /// The original's form of the static property: the version of the SQLite library, such as `3.40.1`.
    public var sqliteVersion: String { Self.sqliteVersion }
}

extension YapDatabaseRelationshipTransaction {
    /// The name that Swift gave the original's ``addEdge(_:)``.
    public func add(_ edge: YapDatabaseRelationshipEdge) throws { try addEdge(edge) }

    /// The name that Swift gave the original's ``removeEdge(_:withProcessing:)``.
    public func remove(_ edge: YapDatabaseRelationshipEdge, withProcessing reason: YDB_NotifyReason) throws {
        try removeEdge(edge, withProcessing: reason)
    }
}

// The original counts with `UInt`. Chosen only where the context demands it: `let sections: UInt = mappings.numberOfSections()`.

extension YapDatabaseViewTransaction {
    /// The original's form of `numberOfGroups()`.
    @_disfavoredOverload public func numberOfGroups() -> UInt { UInt(numberOfGroups() as Int) }

    /// The original's form of `numberOfItems(inGroup:)`.
    @_disfavoredOverload public func numberOfItems(inGroup group: String) -> UInt {
        UInt(numberOfItems(inGroup: group) as Int)
    }

    /// The original's form of `numberOfItemsInAllGroups()`.
    @_disfavoredOverload public func numberOfItemsInAllGroups() -> UInt { UInt(numberOfItemsInAllGroups() as Int) }

    /// The original's form of `object(at:inGroup:)`.
    /// - Throws: as that.
    public func object(at index: UInt, inGroup group: String) throws -> Any? {
        try object(at: Int(index), inGroup: group)
    }
}

extension YapDatabaseViewMappings {
    /// The original's form of `numberOfSections()`.
    @_disfavoredOverload public func numberOfSections() -> UInt { UInt(numberOfSections() as Int) }

    /// The original's form of `numberOfItems(inSection:)`.
    public func numberOfItems(inSection section: UInt) -> UInt { UInt(numberOfItems(inSection: Int(section)) as Int) }

    /// The original's form of `numberOfItems(inGroup:)`.
    @_disfavoredOverload public func numberOfItems(inGroup group: String) -> UInt {
        UInt(numberOfItems(inGroup: group) as Int)
    }

    /// The original's form of `numberOfItemsInAllGroups()`.
    @_disfavoredOverload public func numberOfItemsInAllGroups() -> UInt { UInt(numberOfItemsInAllGroups() as Int) }
}

// The original's properties of changes. It counts with `UInt` and marks a missing position with `NSNotFound`; here a missing
// position is nil.

extension RowChange {
    /// The original's name of `flags`.
    public var changes: ChangeFlags { flags }
    /// The original's name of `key`.
    public var collectionKey: RowKey? { key }
    /// The row's path before the change; nil for inserts.
    public var indexPath: IndexPath? { before.map { IndexPath($0) } }
    /// The row's path after the change; nil for deletes, and for updates, for which the original gives only the path before.
    public var newIndexPath: IndexPath? { type == .update ? nil : after.map { IndexPath($0) } }
    /// The row's number in its section before the change; nil for inserts.
    public var originalIndex: Int? { before?.row }
    /// The row's number in its section after the change; nil for deletes.
    public var finalIndex: Int? { after?.row }
    /// The row's section before the change; nil for inserts.
    public var originalSection: Int? { before?.section }
    /// The row's section after the change; nil for deletes.
    public var finalSection: Int? { after?.section }
}

extension ChangeFlags {
    /// The original's name of `object`.
    public static let changedObject = ChangeFlags.object
    /// The original's name of `metadata`.
    public static let changedMetadata = ChangeFlags.metadata
    /// The original's name of `dependency`.
    public static let changedDependency = ChangeFlags.dependency
    /// The original's name of `snippets`.
    public static let changedSnippets = ChangeFlags.snippets
}
