import ListChanges

extension YapDatabaseReadTransaction {
    /// A row with what a block needs of it, with one query; nil when there is no such row. Leaves the connection's caches
    /// as they are, for they are the application's.
    func content(ofRowid rowid: Int64, needs: RowNeeds) throws -> RowContent? {
        try store.row(rowid) { key, row in
            RowContent(
                rowid: rowid, key: key,
                object: needs.contains(.object) ? try caches.object(key) ?? decodeObject(row, key) : nil,
                metadata: needs.contains(.metadata) ? try decodeMetadata(row, key) : nil,
                size: needs.isEmpty ? 0 : row.size)
        }
    }
}
