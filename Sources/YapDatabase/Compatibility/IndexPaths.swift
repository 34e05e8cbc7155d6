import Foundation
import ListChanges

#if !canImport(UIKit) && !canImport(AppKit)
/// The part of UIKit's `IndexPath` that other platforms lack.
extension IndexPath {
    /// Creates the path of a row.
    public init(row: Int, section: Int) { self = [section, row] }

    /// The section.
    public var section: Int { self[0] }
    /// The number of the row in its section.
    public var row: Int { self[1] }
}
#endif

extension IndexPath {
    /// Creates the path of a row from its position.
    public init(_ path: RowPath) { self.init(row: path.row, section: path.section) }
}

extension RowPath {
    /// Creates a position from a path of two indexes: section and row.
    public init(_ indexPath: IndexPath) { self.init(section: indexPath.section, row: indexPath.row) }
}

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

// Look-ups by index path, or by row and section, for `rowKey(at:with:)`, `object(at:with:)`, `metadata(at:with:)` and
// `path(of:with:)`. They throw what these throw.
extension YapDatabaseViewTransaction {
    /// The original's form of ``rowKey(at:with:)``.
    public func getCollectionKey(
        atIndexPath indexPath: IndexPath, withMappings mappings: YapDatabaseViewMappings
    ) throws -> (String, String)? {
        try rowKey(at: RowPath(indexPath), with: mappings).map { ($0.collection, $0.key) }
    }

    /// The original's form of ``rowKey(at:with:)``.
    public func getCollectionKey(
        forRow row: Int, section: Int, withMappings mappings: YapDatabaseViewMappings
    ) throws -> (String, String)? {
        try rowKey(at: RowPath(section: section, row: row), with: mappings).map { ($0.collection, $0.key) }
    }

    /// The original's form of `object(at:with:)`.
    public func object(at indexPath: IndexPath, with mappings: YapDatabaseViewMappings) throws -> Any? {
        try object(at: RowPath(indexPath), with: mappings)
    }

    /// The original's form of `object(at:with:)`.
    public func object(
        atRow row: Int, inSection section: Int, with mappings: YapDatabaseViewMappings
    ) throws -> Any? {
        try object(at: RowPath(section: section, row: row), with: mappings)
    }

    /// The form of `object(at:with:)` in the original's documents.
    public func object(
        atRow row: Int, inSection section: Int, withMappings mappings: YapDatabaseViewMappings
    ) throws -> Any? {
        try object(at: RowPath(section: section, row: row), with: mappings)
    }

    /// The original's form of `metadata(at:with:)`.
    public func metadata(at indexPath: IndexPath, with mappings: YapDatabaseViewMappings) throws -> Any? {
        try metadata(at: RowPath(indexPath), with: mappings)
    }

    /// The original's form of `metadata(at:with:)`.
    public func metadata(
        atRow row: Int, inSection section: Int, with mappings: YapDatabaseViewMappings
    ) throws -> Any? {
        try metadata(at: RowPath(section: section, row: row), with: mappings)
    }

    /// The original's form of ``path(of:with:)``.
    public func indexPath(
        forKey key: String, inCollection collection: String?, with mappings: YapDatabaseViewMappings
    ) throws -> IndexPath? {
        try path(of: RowKey(collection: collection, key: key), with: mappings).map { IndexPath($0) }
    }

    /// The original's form of ``path(of:with:)``.
    public func getRow(
        forKey key: String, inCollection collection: String?, with mappings: YapDatabaseViewMappings
    ) throws -> (row: Int, section: Int)? {
        try path(of: RowKey(collection: collection, key: key), with: mappings).map { ($0.row, $0.section) }
    }
}
