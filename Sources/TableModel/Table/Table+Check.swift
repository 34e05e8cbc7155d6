import ListChanges

extension Table {
    /// The most changed rows outside the screen whose keys are checked. A key may have to be read from a file, and a
    /// wrong change-set is rarely wrong in one row only.
    private static let sampledKeys = 256

    /// Checks that the visible rows and the changed rows are where the change-set says: O((k + visible) log k). Of very
    /// many changes all places are checked, but only a sample of the keys.
    func check(_ changes: ChangeSet, _ map: PathMap, _ after: any TableSource) throws(MisfitReason) {
        let step = max(1, changes.rowChanges.count / Self.sampledKeys)
        for (index, change) in changes.rowChanges.enumerated() {
            try check(change, map, after, withKey: index.isMultiple(of: step))
            if change.type != .insert, let path = change.before, let key = change.key,
                let shown = items.item(at: .row(path))?.key, shown != key
            {
                throw MisfitReason("\(path) was \(shown), the change-set calls it \(key)")
            }
        }
        try checkVisible(map, after)
        if let selection, let place = selectedPath.flatMap(map.after) { try expect(selection, at: place, after) }
    }

    private func check(
        _ change: RowChange, _ map: PathMap, _ after: any TableSource, withKey: Bool
    ) throws(MisfitReason) {
        if change.type == .update {
            guard let before = change.before, counts.contains(before), let place = map.after(before) else {
                throw MisfitReason("an updated row is deleted or was not there")
            }
            guard change.after == nil || change.after == place else {
                throw MisfitReason("the updated row \(before) should be at \(place)")
            }
            if withKey, let key = change.key { try expect(key, at: place, after) }
        } else if withKey, change.type != .delete, let key = change.key, let place = change.after {
            try expect(key, at: place, after)
        }
    }

    /// Most visible rows stay neighbours, and are asked for together.
    private func checkVisible(_ map: PathMap, _ after: any TableSource) throws(MisfitReason) {
        var keys: [RowKey] = []
        keys.reserveCapacity(items.count)
        var first: RowPath?
        // By index, here and in drawing: a copy of an item counts all that it refers to.
        for index in items.indices {
            guard let place = items[index].place.path.flatMap(map.after), let key = items[index].key else { continue }
            if let first, place.section == first.section, place.row == first.row + keys.count {
                keys.append(key)
                continue
            }
            if let first { try expect(keys, from: first, after) }
            first = place
            keys.removeAll(keepingCapacity: true)
            keys.append(key)
        }
        if let first { try expect(keys, from: first, after) }
    }

    private func expect(_ key: RowKey, at place: RowPath, _ after: any TableSource) throws(MisfitReason) {
        try expect([key], from: place, after)
    }

    /// Checks the keys of neighbouring rows.
    private func expect(_ keys: [RowKey], from first: RowPath, _ after: any TableSource) throws(MisfitReason) {
        let rows = first.row..<first.row + keys.count
        let count = first.section < after.numberOfSections ? after.numberOfRows(in: first.section) : 0
        guard rows.upperBound <= count else {
            throw MisfitReason("there is no row \(RowPath(section: first.section, row: max(count, first.row)))")
        }
        let found = keys.count == 1 ? [after.key(at: first)] : after.keys(of: rows, inSection: first.section)
        guard found != keys else { return }
        for (index, key) in keys.enumerated() where index >= found.count || found[index] != key {
            let place = RowPath(section: first.section, row: first.row + index)
            let other = index < found.count ? "\(found[index])" : "none"
            throw MisfitReason("\(place) should be \(key) and is \(other)")
        }
    }
}
