import ListChanges

extension Table {
    /// Checks that the rows on the screen and the changed rows are where the change-set says: O(k + visible).
    func check(_ changes: ChangeSet, _ map: PathMap, _ after: any TableSource) throws(MisfitReason) {
        let visible = Dictionary(items.compactMap { item in item.place.path.map { ($0, item.key) } }) { first, _ in
            first
        }
        for change in changes.rowChanges {
            try check(change, map, after)
            if let path = change.before, let key = change.key, let shown = visible[path], shown != key {
                throw MisfitReason("\(path) was \(shown.map(\.description) ?? "?"), the change-set calls it \(key)")
            }
        }
        for section in Set(items.map(\.place.section)) {
            guard let sectionAfter = map.sections.after(section), !map.touches(section) else { continue }
            guard counts[section] == after.numberOfRows(in: sectionAfter) else {
                throw MisfitReason(
                    "section \(sectionAfter) should have \(counts[section]) rows and has "
                        + "\(after.numberOfRows(in: sectionAfter))")
            }
        }
        for (path, key) in visible {
            guard let key, let place = map.after(path) else { continue }
            try expect(key, at: place, after)
        }
        if let selection, let place = selectedPath.flatMap(map.after) { try expect(selection, at: place, after) }
    }

    private func check(_ change: RowChange, _ map: PathMap, _ after: any TableSource) throws(MisfitReason) {
        if change.type == .update {
            guard let before = change.before, counts.contains(before), let place = map.after(before) else {
                throw MisfitReason("an updated row is deleted or was not there")
            }
            guard change.after == nil || change.after == place else {
                throw MisfitReason("the updated row \(before) should be at \(place)")
            }
            if let key = change.key { try expect(key, at: place, after) }
        } else if let key = change.key, let place = change.after {
            try expect(key, at: place, after)
        }
    }

    private func expect(_ key: RowKey, at place: RowPath, _ after: any TableSource) throws(MisfitReason) {
        guard place.row < after.numberOfRows(in: place.section) else { throw MisfitReason("there is no row \(place)") }
        let found = after.key(at: place)
        guard found == key else { throw MisfitReason("\(place) should be \(key) and is \(found)") }
    }
}
