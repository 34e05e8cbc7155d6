/// Which rows commits may have changed: those on the pages that were written.
///
/// Of rows that are gone it says nothing, for a page that is freed is not written. Whoever goes through the rows of the
/// newer state meets every row that was added or changed here.
package enum TouchedRows: Hashable, Sendable {
    /// Nobody knows which.
    case all
    /// The rowids, in whatever table; rows that stand on the same page as a changed one are among them.
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
