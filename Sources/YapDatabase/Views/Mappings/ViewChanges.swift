import Foundation
import ListChanges

public typealias YapDatabaseViewChangeType = ChangeType
public typealias YapDatabaseViewSectionChange = SectionChange
public typealias YapDatabaseViewRowChange = RowChange
public typealias YapDatabaseViewChangesBitMask = ChangeFlags
public typealias YapCollectionKey = RowKey

/// The original's names and types.
extension RowChange {
    public var changes: ChangeFlags { flags }
    public var collectionKey: RowKey? { key }
    /// The row's path before the change; nil for inserts.
    public var indexPath: IndexPath? { before.map { IndexPath($0) } }
    /// The row's path after the change; nil for deletes, and for updates, for which the original gives only the path
    /// before.
    public var newIndexPath: IndexPath? { type == .update ? nil : after.map { IndexPath($0) } }
}

extension ChangeFlags {
    public static let changedObject = ChangeFlags.object
    public static let changedMetadata = ChangeFlags.metadata
    public static let changedDependency = ChangeFlags.dependency
    public static let changedSnippets = ChangeFlags.snippets
}
