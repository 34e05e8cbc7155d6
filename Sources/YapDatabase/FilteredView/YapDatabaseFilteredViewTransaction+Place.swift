import ListChanges

// Where a row of the parent belongs: between the same rows as there.
extension YapDatabaseFilteredViewTransaction {
    /// Neighbours in the parent that are looked up before a binary search.
    private static let reach = 3

    /// Brings a row that the parent placed to its place here, or out of the view.
    func place(_ row: ChangedRow, from former: String?, in parent: YapDatabaseViewTransaction) throws {
        guard let parentPlace = try parent.settledPages().place(ofRowid: row.rowid) else {
            throw YapDatabaseError.damagedView(parent.name, "row \(row.rowid) is missing")
        }
        // A row that was not in the parent is not here.
        let place = try former == nil ? nil : settledPages().place(ofRowid: row.rowid)
        let group = parentPlace.group
        let isAsked = !group.isName(former) || filtering.invoke.includes(row) || place == nil && isLeftOut(row.rowid)
        let isIncluded = try isAsked ? isIncluded(row, group) : place != nil
        switch place {
        case nil where !isIncluded: return
        case nil: try insert(row, from: nil, parentPlace, parent)
        case let place? where !isIncluded: try remove(row.rowid, row.key, at: place)
        case let place?:
            if place.group.hasSameBytes(as: group), try isInOrder(place, parentPlace, parent) {
                return try noteUpdate(row, at: place)
            }
            try settledPages().remove(row.rowid, key: row.key, at: place)
            try insert(row, from: place.group, parentPlace, parent)
        }
    }

    private func isIncluded(_ row: ChangedRow, _ group: String) throws -> Bool {
        let needs = filtering.needs
        let content = try decoding(row.rowid, row.key, needs) { try checked(RowContent(row, needs: needs)) }
        return try content.map { try isIncluded($0, group) } ?? false
    }

    private func insert(
        _ row: ChangedRow, from former: String?, _ parentPlace: RowPlace, _ parent: YapDatabaseViewTransaction
    ) throws {
        let index = try index(of: parentPlace, in: parent)
        try settledPages().insert(row.rowid, key: row.key, inGroup: parentPlace.group, at: index)
        try notifyFollowers(.placed(row, from: former))
    }

    /// Whether a row that is in both views stands between its neighbours as in the parent.
    private func isInOrder(
        _ place: RowPlace, _ parentPlace: RowPlace, _ parent: YapDatabaseViewTransaction
    ) throws -> Bool {
        if place.index > 0, try parentIndex(place.index - 1, place.group, parent) > parentPlace.index { return false }
        guard place.index + 1 < settledPages().count(inGroup: place.group) else { return true }
        return try parentIndex(place.index + 1, place.group, parent) > parentPlace.index
    }

    /// The index here of a row that is only in the parent. O(log n).
    private func index(of parentPlace: RowPlace, in parent: YapDatabaseViewTransaction) throws -> Int {
        let (group, count) = (parentPlace.group, settledPages().count(inGroup: parentPlace.group))
        if count == 0 { return 0 }
        for distance in 1...Self.reach {
            if let before = try place(ofParentIndex: parentPlace.index - distance, group, parent) { return before + 1 }
            if let after = try place(ofParentIndex: parentPlace.index + distance, group, parent) { return after }
        }
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if try parentIndex(middle, group, parent) < parentPlace.index { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func place(
        ofParentIndex index: Int, _ group: String, _ parent: YapDatabaseViewTransaction
    ) throws -> Int? {
        guard let rowid = try parent.settledPages().rowid(at: index, inGroup: group),
            let place = try settledPages().place(ofRowid: rowid), place.group.hasSameBytes(as: group)
        else { return nil }
        return place.index
    }

    /// The place in the parent of the row at a position here.
    private func parentIndex(_ index: Int, _ group: String, _ parent: YapDatabaseViewTransaction) throws -> Int {
        guard let rowid = try settledPages().rowid(at: index, inGroup: group),
            let place = try parent.settledPages().place(ofRowid: rowid), place.group.hasSameBytes(as: group)
        else {
            throw YapDatabaseError.damagedView(
                name, "row \(index) of the group \"\(group)\" is not in that group of its parent \"\(parent.name)\"")
        }
        return place.index
    }
}
