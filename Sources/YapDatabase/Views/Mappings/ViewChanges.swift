import Foundation
import ListChanges

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

/// The original's names and types.
extension RowChange {
    /// Which parts of the row changed: `flags` under the original's name.
    public var changes: ChangeFlags { flags }
    /// The row's identity: `key` under the original's name.
    public var collectionKey: RowKey? { key }
    /// The row's path before the change; nil for inserts.
    public var indexPath: IndexPath? { before.map { IndexPath($0) } }
    /// The row's path after the change; nil for deletes, and for updates, for which the original gives only the path
    /// before.
    public var newIndexPath: IndexPath? { type == .update ? nil : after.map { IndexPath($0) } }
}

extension ChangeFlags {
    /// `object` under the original's name.
    public static let changedObject = ChangeFlags.object
    /// `metadata` under the original's name.
    public static let changedMetadata = ChangeFlags.metadata
    /// `dependency` under the original's name.
    public static let changedDependency = ChangeFlags.dependency
    /// `snippets` under the original's name.
    public static let changedSnippets = ChangeFlags.snippets
}
