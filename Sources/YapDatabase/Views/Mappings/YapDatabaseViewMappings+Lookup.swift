import Foundation
import ListChanges

// Sections and rows are those on screen, an index is a position in the whole group of the view.
extension YapDatabaseViewMappings {
    /// The groups of the list, also those that have no section now.
    public var allGroups: [String] { value.allGroups }

    /// The group of each section, in order; the consolidated name alone while that is in use.
    public func visibleGroups() -> [String] { value.visibleGroups }

    public func isEmpty() -> Bool { value.isEmpty }
    public func isUsingConsolidatedGroup() -> Bool { value.isUsingConsolidatedGroup }

    public func numberOfSections() -> Int { value.numberOfSections }
    public func numberOfItems(inSection section: Int) -> Int { value.numberOfItems(inSection: section) }
    public func numberOfItems(inSection section: UInt) -> Int { value.numberOfItems(inSection: Int(section)) }
    /// The number of rows that the list shows of a group, or of the consolidated name.
    public func numberOfItems(inGroup group: String) -> Int { value.numberOfItems(inGroup: group) }
    public func numberOfItemsInAllGroups() -> Int { value.numberOfItemsInAllGroups }

    public func group(forSection section: Int) -> String? { value.group(forSection: section) }
    public func section(forGroup group: String) -> Int? { value.section(forGroup: group) }

    /// The group and the index that a row on screen stands for, or nil for a path that is not on screen.
    public func groupAndIndex(for indexPath: IndexPath) -> (group: String, index: Int)? {
        value.groupAndIndex(at: RowPath(indexPath))
    }

    public func groupAndIndex(forRow row: Int, inSection section: Int) -> (group: String, index: Int)? {
        value.groupAndIndex(at: RowPath(section: section, row: row))
    }

    public func index(forRow row: Int, inSection section: Int) -> Int? { value.index(forRow: row, inSection: section) }
    public func index(forRow row: Int, inGroup group: String) -> Int? { value.index(forRow: row, inGroup: group) }

    /// Where on screen an index of a group is, or nil when it is outside of the range.
    public func indexPath(for index: Int, inGroup group: String) -> IndexPath? {
        value.path(forIndex: index, inGroup: group).map { IndexPath($0) }
    }

    public func row(for index: Int, inGroup group: String) -> Int? { value.row(forIndex: index, inGroup: group) }

    /// How many rows are before and after the range, in the order of the screen, and in it.
    public func rangePosition(forGroup group: String) -> RangePosition { value.rangePosition(forGroup: group) }

    /// Where to go when a row is gone: the same row of the group or its last, else the last row of the closest section
    /// before, else the first row of the closest after, else nil.
    public func nearestIndexPath(forRow row: Int, inGroup group: String) -> IndexPath? {
        value.nearestPath(forRow: row, inGroup: group).map { IndexPath($0) }
    }
}
