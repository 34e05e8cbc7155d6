import FileEngine

extension ListContent {
    /// A row of the list with its key alone. One that has no key, as an edge, has no address.
    func keyRow(_ rowid: Int64, _ store: Store) throws -> BrowsedRow {
        if subject.hasRowsOfTheDatabase { return try snapshot.keyRow(rowid, store) }
        let row = try row(rowid, valueBytes: 0, store)
        return BrowsedRow(rowid: rowid, address: row.address, error: row.error)
    }
}

extension ListSubject {
    /// Whether its rows are rows of the row table, and their numbers the rowids there.
    package var hasRowsOfTheDatabase: Bool {
        switch self {
        case .relationship, .smallValues: false
        default: true
        }
    }
}
