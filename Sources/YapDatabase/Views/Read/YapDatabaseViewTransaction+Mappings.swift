import Foundation
import ListChanges

// Look-ups by position on screen. They throw `.mismatchedMappings` when the mappings are not on the transaction's snapshot.
extension YapDatabaseViewTransaction {
    /// Returns the key of the row at a position on screen, or nil if there is none.
    public func rowKey(at path: RowPath, with mappings: YapDatabaseViewMappings) throws -> RowKey? {
        try row(at: path, with: mappings)?.key
    }

    /// Returns the object of the row at a position on screen, or nil if there is none.
    public func object(at path: RowPath, with mappings: YapDatabaseViewMappings) throws -> Any? {
        try row(at: path, with: mappings).map { try object(of: $0) }
    }

    /// Returns the metadata of the row at a position on screen, or nil if there are none.
    public func metadata(at path: RowPath, with mappings: YapDatabaseViewMappings) throws -> Any? {
        try row(at: path, with: mappings).flatMap { try metadata(of: $0) }
    }

    /// Returns a row's position on screen, or nil if it is not in the view or not in a range.
    public func path(of key: RowKey, with mappings: YapDatabaseViewMappings) throws -> RowPath? {
        try requireSameSnapshot(mappings)
        return try getGroupIndex(forKey: key.key, inCollection: key.collection).flatMap { group, index in
            mappings.value.path(forIndex: index, inGroup: group)
        }
    }

    /// Resolves a position on screen to its row, for any number of reads of the row in this transaction.
    package func row(at path: RowPath, with mappings: YapDatabaseViewMappings) throws -> ViewRow? {
        try requireSameSnapshot(mappings)
        return try mappings.value.groupAndIndex(at: path).flatMap { try row(at: $0.index, inGroup: $0.group) }
    }

    private func requireSameSnapshot(_ mappings: YapDatabaseViewMappings) throws {
        guard mappings.markOfLastUpdate != transaction.snapshot.mark else { return }
        throw YapDatabaseError(
            .mismatchedMappings,
            """
            The mappings of "\(name)" are on snapshot \(mappings.snapshotOfLastUpdate.map { "\($0)" } ?? "none"), the \
            transaction on \(transaction.snapshot.number). After each jump of their connection, advance them with \
            getChanges(forNotifications:withMappings:), or call update(with:) and reload the list.
            """)
    }

    // MARK: The original's names

    /// Returns collection and key of the row at a position on screen, or nil if there is none.
    public func getCollectionKey(
        atIndexPath indexPath: IndexPath, withMappings mappings: YapDatabaseViewMappings
    ) throws -> (String, String)? {
        try rowKey(at: RowPath(indexPath), with: mappings).map { ($0.collection, $0.key) }
    }

    /// Returns collection and key of the row at a position on screen, or nil if there is none.
    public func getCollectionKey(
        forRow row: Int, section: Int, withMappings mappings: YapDatabaseViewMappings
    ) throws -> (String, String)? {
        try rowKey(at: RowPath(section: section, row: row), with: mappings).map { ($0.collection, $0.key) }
    }

    /// Returns the object of the row at a position on screen, or nil if there is none.
    public func object(at indexPath: IndexPath, with mappings: YapDatabaseViewMappings) throws -> Any? {
        try object(at: RowPath(indexPath), with: mappings)
    }

    /// Returns the object of the row at a position on screen, or nil if there is none.
    public func object(
        atRow row: Int, inSection section: Int, with mappings: YapDatabaseViewMappings
    ) throws -> Any? {
        try object(at: RowPath(section: section, row: row), with: mappings)
    }

    /// Returns the object of the row at a position on screen, or nil if there is none.
    public func object(
        atRow row: Int, inSection section: Int, withMappings mappings: YapDatabaseViewMappings
    ) throws -> Any? {
        try object(at: RowPath(section: section, row: row), with: mappings)
    }

    /// Returns the metadata of the row at a position on screen, or nil if there are none.
    public func metadata(at indexPath: IndexPath, with mappings: YapDatabaseViewMappings) throws -> Any? {
        try metadata(at: RowPath(indexPath), with: mappings)
    }

    /// Returns the metadata of the row at a position on screen, or nil if there are none.
    public func metadata(
        atRow row: Int, inSection section: Int, with mappings: YapDatabaseViewMappings
    ) throws -> Any? {
        try metadata(at: RowPath(section: section, row: row), with: mappings)
    }

    /// Returns a row's position on screen, or nil if it is not in the view or not in a range.
    public func indexPath(
        forKey key: String, inCollection collection: String?, with mappings: YapDatabaseViewMappings
    ) throws -> IndexPath? {
        try path(of: RowKey(collection: collection ?? "", key: key), with: mappings).map { IndexPath($0) }
    }

    /// Returns a row's position on screen as two numbers, or nil if it is not in the view or not in a range.
    public func getRow(
        forKey key: String, inCollection collection: String?, with mappings: YapDatabaseViewMappings
    ) throws -> (row: Int, section: Int)? {
        try path(of: RowKey(collection: collection ?? "", key: key), with: mappings).map { ($0.row, $0.section) }
    }
}
