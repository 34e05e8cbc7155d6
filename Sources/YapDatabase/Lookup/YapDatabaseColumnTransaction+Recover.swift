import ListChanges

// Rows that changed while the extension was not told of it.
extension YapDatabaseColumnTransaction {
    /// Stores the columns that rows should have. A row that cannot be decoded has none.
    func placeAgain(_ rows: RowsToPlace) throws {
        // A state that is completed in memory has the table as it is: a write brings it up to date.
        guard (transaction as? YapDatabaseReadWriteTransaction)?.isCompleting == false else { return }
        let store = transaction.store
        if rows.isAllGone { try didRemoveAll() }
        // Their keys may be unknown.
        try store.remove(rowids: rows.removed.lazy.map(\.rowid), from: table)
        for row in rows.changed where isAllowed(row.key) {
            if let values = try values(row.rowid, row.key, { try RowContent(row, needs: index.columnHandler.needs) }) {
                try store.set(values, rowid: row.rowid, in: table)
            } else {
                try store.remove(rowids: CollectionOfOne(row.rowid), from: table)
            }
        }
    }

    /// As in a write, but nothing is noted of a row that cannot be decoded.
    private func knownValues(_ row: () throws -> RowContent) throws -> [SQLValue]? {
        do {
            let row = try row()
            return try values(row, declared: declaredColumns(of: row))
        } catch let error as YapDatabaseError where error.code == .decodingFailed {
            return nil
        }
    }

    /// Compares the table with all rows; nil if it does not keep the values.
    func misplacedRows(_ check: () throws -> Void) throws -> FoundRows? {
        if table.layout.storesNoValues { return nil }
        var (found, count) = (FoundRows(), 0)
        let needs = index.columnHandler.needs
        try transaction.enumerateRows(
            allowedCollections: index.allowed, columns: needs.isEmpty ? .keys : .values
        ) { row, _ in
            if count % 256 == 0 { try check() }
            count += 1
            let values = try knownValues { try RowContent(row, needs: needs) }
            if try transaction.store.difference(of: table, rowid: row.rowid, from: values) != nil {
                found.misplaced.append(row.key)
            }
        }
        found.gone = try goneRows()
        return found
    }
}
