import ListChanges

/// How lists of rows became others.
enum SequenceDifference {
    /// Returns the raw operations that lead from `before` to `after`: first the removals, from the last row to the
    /// first, then the insertions. A row in both is a move. The number of moves is minimal. O(n log n).
    /// - Parameter reused: the rowids that stand for another row in `after` than in `before`. The one is removed, under
    ///   a key that no list has, and the other inserted.
    /// - Returns: nil if a row appears twice in a group, so that its two places cannot be told apart.
    static func operations(
        from before: [RowSequence], to after: [RowSequence], reused: Set<Int64> = []
    ) -> [RawOperation]? {
        let old = ExactDictionary(before.map { ($0.group, $0.rowids) })
        let new = ExactDictionary(after.map { ($0.group, $0.rowids) })
        var leaving: [RawOperation] = []
        var coming: [RawOperation] = []
        for sequence in before {
            guard let change = GroupChange(from: sequence.rowids, to: new[sequence.group] ?? [], reused: reused) else {
                return nil
            }
            leaving += change.leaving(sequence.group, reused)
            if new[sequence.group] == nil { leaving.append(.deleteSection(group: sequence.group)) }
        }
        for sequence in after {
            guard let change = GroupChange(from: old[sequence.group] ?? [], to: sequence.rowids, reused: reused) else {
                return nil
            }
            if old[sequence.group] == nil { coming.append(.insertSection(group: sequence.group)) }
            coming += change.coming(sequence.group)
        }
        return leaving + coming
    }
}

/// What changed inside one group.
struct GroupChange {
    private let before: ArraySlice<Int64>
    private let after: ArraySlice<Int64>
    /// The rows between the common beginning and the common end that keep their order.
    private let staying: Set<Int64>

    /// - Parameter reused: the rowids that stand for another row in `new` than in `old`.
    /// - Returns: nil if a rowid appears twice.
    init?(from old: [Int64], to new: [Int64], reused: Set<Int64> = []) {
        func isSame(_ one: Int64, _ other: Int64) -> Bool { one == other && !reused.contains(one) }
        let prefix = zip(old, new).prefix(while: isSame).count
        let suffix = zip(old.dropFirst(prefix).reversed(), new.dropFirst(prefix).reversed()).prefix(while: isSame).count
        before = old[prefix..<old.count - suffix]
        after = new[prefix..<new.count - suffix]
        var places: [Int64: Int] = [:]
        for (place, rowid) in zip(before.indices, before) where places.updateValue(place, forKey: rowid) != nil {
            return nil
        }
        guard Set(after).count == after.count else { return nil }
        let common = after.compactMap { rowid in
            reused.contains(rowid) ? nil : places[rowid].map { (rowid: rowid, place: $0) }
        }
        staying = Set(common.longestRising(\.place).map(\.rowid))
    }

    /// The places of rows that leave theirs in the group before, and those of rows that come to theirs in the group after. A row in both
    /// moves.
    var places: (leaving: [Int], coming: [Int]) {
        (before.indices.filter { !staying.contains(before[$0]) }, after.indices.filter { !staying.contains(after[$0]) })
    }

    fileprivate func leaving(_ group: String, _ reused: Set<Int64>) -> [RawOperation] {
        before.indices.reversed().filter { !staying.contains(before[$0]) }.map { place in
            let rowid = before[place]
            return .deleteRow(
                group: group, index: place, key: reused.contains(rowid) ? .unknown(rowid: rowid) : .of(rowid: rowid))
        }
    }

    fileprivate func coming(_ group: String) -> [RawOperation] {
        after.indices.filter { !staying.contains(after[$0]) }.map {
            .insertRow(group: group, index: $0, key: .of(rowid: after[$0]))
        }
    }
}
