import ListChanges

extension YapDatabaseReadTransaction {
    /// Reads, with one query, what a block needs of a row; nil if there is no such row. Leaves the connection's caches
    /// alone, because they belong to the application.
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
