import Foundation
import ListChanges

public typealias YapDatabaseViewChangeType = ChangeType
public typealias YapDatabaseViewSectionChange = SectionChange
public typealias YapDatabaseViewRowChange = RowChange
public typealias YapDatabaseViewChangesBitMask = ChangeFlags
public typealias YapCollectionKey = RowKey

/// The names and shapes that the original's users know.
extension RowChange {
    public var changes: ChangeFlags { flags }
    public var collectionKey: RowKey? { key }
    /// Where the row was before; nil for inserts.
    public var indexPath: IndexPath? { before.map { IndexPath($0) } }
    /// Where the row is afterwards; nil for deletes, and for updates, which the original names only where they were.
    public var newIndexPath: IndexPath? { type == .update ? nil : after.map { IndexPath($0) } }
}

extension ChangeFlags {
    public static let changedObject = ChangeFlags.object
    public static let changedMetadata = ChangeFlags.metadata
    public static let changedDependency = ChangeFlags.dependency
    public static let changedSnippets = ChangeFlags.snippets
}
