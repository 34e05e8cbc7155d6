import YapDatabase

extension ListContent {
    /// Returns a row of the list with its key alone. A row without a key, such as an edge, has no address.
    func keyRow(_ rowid: Int64, _ store: Store) throws -> BrowsedRow {
        if subject.hasRowsOfTheDatabase { return try snapshot.keyRow(rowid, store) }
        let row = try row(rowid, valueBytes: 0, store)
        return BrowsedRow(rowid: rowid, address: row.address, error: row.error)
    }
}

extension ListSubject {
    /// Whether the list's rows are rows of the row table, identified by its rowids.
    package var hasRowsOfTheDatabase: Bool {
        switch self {
        case .relationship, .smallValues: false
        default: true
        }
    }
}
