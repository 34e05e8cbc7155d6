import ListChanges

/// A row as a block sees it: its key, and as much of its content as the block needs.
///
/// A class, so that sorting and remembering rows copies one reference of each.
final class RowContent {
    let rowid: Int64
    let key: RowKey
    /// Only if the block needs it. Not an optional, of which each call of a block would copy the content.
    let object: Any
    let metadata: Any?
    /// The row's stored bytes; 0 if the block needs the key alone, or if the size is unknown.
    let size: Int
    /// What a typed sorting keeps of the object.
    var typed: AnyObject?
    /// The number of ``YapDatabaseViewSorting/prefix``, once it was asked for.
    private var knownPrefix: UInt64?
    /// Decides between rows that a sorting block calls equal.
    var rank = 0

    init(rowid: Int64, key: RowKey, object: Any?, metadata: Any?, size: Int) {
        self.rowid = rowid
        self.key = key
        self.object = object ?? ()
        self.metadata = metadata
        self.size = size
    }
}

extension RowContent {
    func prefix(_ make: (RowContent) throws -> UInt64) rethrows -> UInt64 {
        if let knownPrefix { return knownPrefix }
        let prefix = try make(self)
        knownPrefix = prefix
        return prefix
    }

    convenience init(_ row: ChangedRow, needs: RowNeeds) throws {
        self.init(
            rowid: row.rowid, key: row.key, object: needs.contains(.object) ? try row.object() : nil,
            metadata: needs.contains(.metadata) ? try row.metadata() : nil, size: needs.isEmpty ? 0 : row.size)
    }

    convenience init(_ row: ScannedRow, needs: RowNeeds) throws {
        self.init(
            rowid: row.rowid, key: row.key, object: needs.contains(.object) ? try row.object() : nil,
            metadata: needs.contains(.metadata) ? try row.metadata() : nil, size: needs.isEmpty ? 0 : row.size)
    }

    convenience init(_ row: DecodedRow, needs: RowNeeds) {
        self.init(
            rowid: row.rowid, key: row.key, object: needs.contains(.object) ? row.object : nil,
            metadata: needs.contains(.metadata) ? row.metadata : nil, size: needs.isEmpty ? 0 : row.size)
    }
}
