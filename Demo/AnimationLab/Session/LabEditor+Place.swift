import LiveTable

extension LabEditor {
    func insert(beside key: RowKey?, isBelow: Bool) throws(LabRefusal) -> [RowOperation] {
        guard let key else {
            guard let group = groups.first else { throw Self.noGroups }
            return insert(at: isBelow == isReversed(group) ? 0 : rows.keys(inGroup: group).count, inGroup: group)
        }
        guard let group = try content(key).row.group, let index = rows.keys(inGroup: group).firstIndex(of: key) else {
            throw LabRefusal("\(key.scenarioName) is in no group.")
        }
        return insert(at: isBelow == isReversed(group) ? index : index + 1, inGroup: group)
    }

    func insert(at index: Int, inGroup group: String) -> [RowOperation] {
        let name = LabNames.newKey(in: rows)
        let place = Place(at: index, among: rows.keys(inGroup: group), of: rows)
        let row = LabRow(group: group, sort: place.sort, text: LabNames.text(ofKey: name))
        return place.shifts + [.set(.lab(name), row, metadata: nil)]
    }

    func move(_ key: RowKey, down: Bool) throws(LabRefusal) -> [RowOperation] {
        var row = try content(key).row
        guard let group = row.group, let index = rows.keys(inGroup: group).firstIndex(of: key) else {
            throw LabRefusal("\(key.scenarioName) is in no group.")
        }
        let others = rows.keys(inGroup: group).filter { $0 != key }
        let target = down == isReversed(group) ? index - 1 : index + 1
        guard (0...others.count).contains(target) else {
            throw LabRefusal("\(key.scenarioName) is the \(down ? "last" : "first") of \(group) already.")
        }
        let place = Place(at: target, among: others, of: rows)
        row.sort = place.sort
        return place.shifts + [.replaceObject(key, row)]
    }

    func move(_ key: RowKey, byGroups distance: Int) throws(LabRefusal) -> [RowOperation] {
        var row = try content(key).row
        guard groups.count > 1 else { throw LabRefusal("There is no other group.") }
        guard let index = row.group.flatMap(groups.firstIndex(of:)), groups.indices.contains(index + distance) else {
            throw LabRefusal("There is no group \(distance < 0 ? "above" : "below") that of \(key.scenarioName).")
        }
        row.group = groups[index + distance]
        return [.replaceObject(key, row)]
    }

    /// A sort value that puts a row at an index, and the rows that must make room for it.
    private struct Place {
        /// The distance between a row at an end of the group and the next one, so that a few fit between.
        private static let gap = 1000
        var sort: Int
        var shifts: [RowOperation] = []

        init(at index: Int, among keys: [RowKey], of rows: LabRows) {
            let sorts = keys.map { (rows[$0]?.row.sort ?? 0).sensibleSort }
            guard index < keys.count else {
                sort = (sorts.last ?? 0) + Self.gap
                return
            }
            guard index > 0 else {
                sort = sorts[0] - Self.gap
                return
            }
            sort = sorts[index - 1] + max(1, (sorts[index] - sorts[index - 1]) / 2)
            var lowest = sort + 1
            for index in index..<keys.count {
                let key = keys[index]
                guard sorts[index] < lowest, var row = rows[key]?.row else { break }
                row.sort = lowest
                shifts.append(.replaceObject(key, row))
                lowest += 1
            }
        }
    }
}

extension Int {
    /// A scenario may use any number as sort value; this far from the limits there is room beside it.
    var sensibleSort: Int { Swift.min(Swift.max(self, -(1 << 60)), 1 << 60) }
}
