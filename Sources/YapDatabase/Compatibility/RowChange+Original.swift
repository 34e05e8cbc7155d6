import Foundation
import ListChanges

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
