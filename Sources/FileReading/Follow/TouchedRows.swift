/// The rows that commits may have changed: those on the pages that were written.
///
/// Deleted rows are not included, because a freed page is not written. A walk over the rows of the newer state meets
/// every row that was added or changed here.
package enum TouchedRows: Hashable, Sendable {
    /// Unknown, so any row may have changed.
    case all
    /// The rowids, in any table, including unchanged rows on the same page as a changed one.
    case some(Set<Int64>)

    package static let none = TouchedRows.some([])

    package func contains(_ rowid: Int64) -> Bool {
        if case .some(let rowids) = self { rowids.contains(rowid) } else { true }
    }

    package func union(_ other: TouchedRows) -> TouchedRows {
        guard case .some(let mine) = self, case .some(let others) = other else { return .all }
        return .some(mine.union(others))
    }
}
