import ObjectDecoding
import FileEngine

/// One row of a file from state to state, by its key.
///
/// Each line has `snapshot`, the number of the last commit included, and `change`: `insert`, `update` or `delete`. Then follows the row as it
/// is now, or as it was before it was deleted.
package struct FollowedRow {
    private let collection: StoredText
    private let key: StoredText
    private var row: BrowsedRow?

    /// - Throws: ``YapDatabaseError`` if the row cannot be looked for.
    package init(_ collection: StoredText, _ key: StoredText, _ snapshot: FileSnapshot) throws {
        (self.collection, self.key) = (collection, key)
        row = try Self.read(collection, key, snapshot)
    }

    /// Goes on to another state.
    /// - Returns: the line of the change, with its line break; nil if the row is as it was.
    package mutating func advance(to snapshot: FileSnapshot) throws -> [UInt8]? {
        let (before, after) = (row, try Self.read(collection, key, snapshot))
        row = after
        guard before != after, let shown = after ?? before else { return nil }
        let change = before == nil ? "insert" : after == nil ? "delete" : "update"
        return ChangeReport.line(change, snapshot, ListedRow(shown, decoder: RowDecoder()))
    }

    private static func read(_ collection: StoredText, _ key: StoredText, _ snapshot: FileSnapshot) throws
        -> BrowsedRow?
    {
        guard let rowid = try snapshot.rowid(collection, key) else { return nil }
        return try snapshot.row(rowid, valueBytes: FileSnapshot.wholeValues)
    }
}
