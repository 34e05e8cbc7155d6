import ListChanges

/// What a block looks at.
struct RowNeeds: OptionSet, Sendable {
    let rawValue: Int

    static let object = RowNeeds(rawValue: 1 << 0)
    static let metadata = RowNeeds(rawValue: 1 << 1)
}

/// A row as a block sees it: its key, and as much of its content as the block needs.
struct RowContent {
    let rowid: Int64
    let key: RowKey
    /// Nil only where the block does not look at it.
    let object: Any?
    let metadata: Any?
}

extension RowContent {
    init(_ row: ChangedRow, needs: RowNeeds) throws {
        rowid = row.rowid
        key = row.key
        object = needs.contains(.object) ? try row.object() : nil
        metadata = needs.contains(.metadata) ? try row.metadata() : nil
    }

    init(rowid: Int64, needs: RowNeeds, view: String, transaction: YapDatabaseReadTransaction) throws {
        guard let key = try transaction.key(forRowid: rowid) else {
            throw YapDatabaseError.damagedView(view, "row \(rowid) does not exist")
        }
        self.rowid = rowid
        self.key = key
        object = needs.contains(.object) ? try transaction.object(forRowid: rowid, key: key) : nil
        metadata = needs.contains(.metadata) ? try transaction.metadata(forRowid: rowid, key: key) : nil
    }
}
