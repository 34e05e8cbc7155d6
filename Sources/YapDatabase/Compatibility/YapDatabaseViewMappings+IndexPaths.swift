import Foundation
import ListChanges

// Look-ups by index path, or by row and section, for `groupAndIndex(at:)`, `path(forIndex:inGroup:)` and
// `nearestPath(forRow:inGroup:)`.
extension YapDatabaseViewMappings {
    /// The original's form of ``groupAndIndex(at:)``.
    public func groupAndIndex(for indexPath: IndexPath) -> (group: String, index: Int)? {
        groupAndIndex(at: RowPath(indexPath))
    }

    /// The original's form of ``groupAndIndex(at:)``.
    public func groupAndIndex(forRow row: Int, inSection section: Int) -> (group: String, index: Int)? {
        groupAndIndex(at: RowPath(section: section, row: row))
    }

    /// The original's form of ``path(forIndex:inGroup:)``.
    public func indexPath(for index: Int, inGroup group: String) -> IndexPath? {
        path(forIndex: index, inGroup: group).map { IndexPath($0) }
    }

    /// The original's name of ``row(forIndex:inGroup:)``.
    public func row(for index: Int, inGroup group: String) -> Int? { row(forIndex: index, inGroup: group) }

    /// The original's form of ``nearestPath(forRow:inGroup:)``.
    public func nearestIndexPath(forRow row: Int, inGroup group: String) -> IndexPath? {
        nearestPath(forRow: row, inGroup: group).map { IndexPath($0) }
    }
}
