import ListChanges

/// A row of a view that changed, and its place from before.
struct ChangedPlace {
    let row: ChangedRow
    let place: RowPlace
}

extension ViewPages {
    /// Of rows that changed all at once, finds those that are still in order. To place a row by a search, all others must be in order: so
    /// those that are not are taken out first.
    ///
    /// - Parameters:
    ///   - changed: rows of one group, in any order.
    ///   - isBetween: whether a row may stand between two rows of the group, nil at its ends.
    /// - Returns: the rows that may stay, in the order of the list. O(k) calls for k rows.
    func staying(
        _ changed: [ChangedPlace], isBetween: (_ place: ChangedPlace, _ before: Int64?, _ after: Int64?) throws -> Bool
    ) throws -> [ChangedPlace] {
        let changed = changed.sorted { $0.place.index < $1.place.index }
        // The next row after each that has not changed.
        var next = changed.map { $0.place.index + 1 }
        for index in changed.indices.dropLast().reversed() where next[index] == changed[index + 1].place.index {
            next[index] = next[index + 1]
        }
        var staying: [ChangedPlace] = []
        var before: (index: Int, position: Int) = (-1, -1)
        for (index, one) in changed.enumerated() {
            let group = one.place.group
            // The row before it that stays: its neighbour, unless that changed too; then the one that was found for that.
            let isNeighbour = index > 0 && changed[index - 1].place.index == one.place.index - 1
            let position = isNeighbour ? before.position : one.place.index - 1
            let isInOrder = try isBetween(
                one, position < 0 ? nil : rowid(at: position, inGroup: group), rowid(at: next[index], inGroup: group))
            before = (index, isInOrder ? one.place.index : position)
            if isInOrder { staying.append(one) }
        }
        return staying
    }
}
