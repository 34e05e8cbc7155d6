import ListChanges

/// The changes that the law, completeness and minimality determine, found by comparing every row.
struct NaiveChanges {
    let before: NaiveMappings
    let after: NaiveMappings
    let replay: NaiveReplay
    private let oldNames: [String]
    private let newNames: [String]
    private let oldPaths: [Int: RowPath]
    private let newPaths: [Int: RowPath]

    init(before: NaiveMappings, after: NaiveMappings, replay: NaiveReplay) {
        (self.before, self.after, self.replay) = (before, after, replay)
        let (old, new) = (before.screen(replay.before), after.screen(replay.after))
        (oldNames, newNames) = (old.map(\.name), new.map(\.name))
        (oldPaths, newPaths) = (Self.paths(old), Self.paths(new))
    }

    private static func paths(_ screen: [(name: String, rows: [Int])]) -> [Int: RowPath] {
        var paths: [Int: RowPath] = [:]
        for (section, content) in screen.enumerated() {
            for (place, row) in content.rows.enumerated() { paths[row] = RowPath(section: section, row: place) }
        }
        return paths
    }

    private var isReplaced: Bool { before.shownAs != after.shownAs }

    /// The inserted and deleted sections, unordered.
    var sections: Set<SectionChange> {
        Set(
            oldNames.enumerated().filter { isReplaced || !newNames.contains($0.element) }
                .map { SectionChange(type: .delete, index: $0.offset, group: $0.element) }
                + newNames.enumerated().filter { isReplaced || !oldNames.contains($0.element) }
                .map { SectionChange(type: .insert, index: $0.offset, group: $0.element) })
    }

    /// The changes of the rows, unordered.
    var rows: [RowChange] {
        replay.rows.indices.compactMap { row in
            switch (oldPaths[row], newPaths[row]) {
            case (nil, nil): nil
            case (let old?, nil): leaving(row, old)
            case (nil, let new?): coming(row, new)
            case (let old?, let new?): staying(row, old, new)
            }
        }
    }

    private func leaving(_ row: Int, _ old: RowPath) -> RowChange {
        RowChange(
            type: .delete, flags: replay.rows[row].isNamed ? replay.rows[row].flags : [.object, .metadata],
            key: key(row), before: old, after: nil, originalGroup: name(of: row, before, replay.before),
            finalGroup: nil)
    }

    private func coming(_ row: Int, _ new: RowPath) -> RowChange {
        RowChange(
            type: .insert, flags: [.object, .metadata], key: key(row), before: nil, after: new, originalGroup: nil,
            finalGroup: name(of: row, after, replay.after))
    }

    private func staying(_ row: Int, _ old: RowPath, _ new: RowPath) -> RowChange? {
        let (oldGroup, newGroup) = (group(of: row, replay.before), group(of: row, replay.after))
        let staysConsolidated = before.shownAs != nil && !isReplaced
        let isNamed = replay.rows[row].isNamed
        guard isNamed || isReplaced || looksAtAnother(row, oldGroup) else { return nil }
        let isMove =
            replay.rows[row].wasRemoved || isReplaced
            || before.shown.firstIndex(of: oldGroup) != after.shown.firstIndex(of: newGroup)
            || (staysConsolidated && old.row != new.row)
        return RowChange(
            type: isMove ? .move : .update, flags: isNamed ? replay.rows[row].flags : [], key: key(row), before: old,
            after: new, originalGroup: name(of: row, before, replay.before),
            finalGroup: name(of: row, after, replay.after))
    }

    /// Whether a neighbour of the row, in the whole group, is a different row than before, was named, or came on the screen or left it.
    private func looksAtAnother(_ row: Int, _ group: Int) -> Bool {
        let (old, new) = (replay.before[group], replay.after[group])
        let (oldIndex, newIndex) = (old.firstIndex(of: row)!, new.firstIndex(of: row)!)
        return (before.dependencies[group] ?? []).contains { offset in
            let was = old.indices.contains(oldIndex + offset) ? old[oldIndex + offset] : nil
            let now = new.indices.contains(newIndex + offset) ? new[newIndex + offset] : nil
            let (wasShown, isShown) = (was.map { oldPaths[$0] != nil }, now.map { newPaths[$0] != nil })
            return was != now || wasShown != isShown || now.map { replay.rows[$0].isNamed } ?? false
        }
    }

    private func key(_ row: Int) -> RowKey? {
        replay.rows[row].isNamed ? ModelList.keys[replay.rows[row].key] : nil
    }

    private func group(of row: Int, _ groups: [[Int]]) -> Int { groups.firstIndex { $0.contains(row) }! }

    private func name(of row: Int, _ mappings: NaiveMappings, _ groups: [[Int]]) -> String {
        mappings.shownAs ?? ModelList.names[group(of: row, groups)]
    }
}
