import Foundation
import ListChanges

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
