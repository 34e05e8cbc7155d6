import ListChanges

extension Table {
    /// The most changed rows outside the screen whose keys are checked. A key may have to be read from a file, and a
    /// wrong change-set is rarely wrong in one row only.
    private static let sampledKeys = 512

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

    private func checkVisible(_ map: PathMap, _ after: any TableSource) throws(MisfitReason) {
        for item in items {
            if let key = item.key, let place = item.place.path.flatMap(map.after) { try expect(key, at: place, after) }
        }
    }

    private func expect(_ key: RowKey, at place: RowPath, _ after: any TableSource) throws(MisfitReason) {
        guard place.section < after.numberOfSections, place.row < after.numberOfRows(in: place.section) else {
            throw MisfitReason("there is no row \(place)")
        }
        let found = after.key(at: place)
        guard found == key else { throw MisfitReason("\(place) should be \(key) and is \(found)") }
    }
}
