import ListChanges

/// A log followed with plain arrays: every row is a number that stays the same wherever the row moves.
struct NaiveReplay {
    struct Row {
        var key: Int
        var isNamed = false
        var wasRemoved = false
        var flags: ChangeFlags = []
    }

    private(set) var rows: [Row] = []
    /// The rows of each group before and after.
    let before: [[Int]]
    private(set) var after: [[Int]]
    /// Rows that are in no group, by key.
    private var absent: [Int: Int] = [:]
    /// The group of each row before.
    private var home: [Int: Int] = [:]

    init(_ groups: [[Int]], _ log: [Edit]) {
        var rows: [Row] = []
        var home: [Int: Int] = [:]
        before = groups.indices.map { group in
            groups[group].map { key in
                home[rows.count] = group
                rows.append(Row(key: key))
                return rows.count - 1
            }
        }
        self.rows = rows
        self.home = home
        after = before
        for edit in log { perform(edit) }
    }

    private mutating func perform(_ edit: Edit) {
        switch edit.kind {
        case .insert:
            let row = absent.removeValue(forKey: edit.key) ?? newRow(edit.key)
            name(row, [.object, .metadata])
            after[edit.group].insert(row, at: edit.index)
        case .delete:
            let row = after[edit.group].remove(at: edit.index)
            name(row, [.object, .metadata])
            rows[row].wasRemoved = true
            absent[edit.key] = row
        case .update: name(after[edit.group][edit.index], edit.flags)
        case .reset: reset(edit.group)
        case .open, .close: break
        }
    }

    /// Drops the changes of a group: its earlier rows become deletes without a name, and one of them that is elsewhere
    /// now has no origin.
    private mutating func reset(_ group: Int) {
        for row in after[group] where home[row] != group && home[row] != nil {
            absent[rows[row].key] = row
            rows[row].wasRemoved = true
        }
        after[group] = []
        for row in before[group] {
            for other in after.indices {
                guard let index = after[other].firstIndex(of: row) else { continue }
                after[other][index] = newRow(rows[row].key)
                name(after[other][index], [.object, .metadata])
            }
            if absent[rows[row].key] == row { absent[rows[row].key] = nil }
            rows[row].isNamed = false
        }
    }

    private mutating func newRow(_ key: Int) -> Int {
        rows.append(Row(key: key))
        return rows.count - 1
    }

    private mutating func name(_ row: Int, _ flags: ChangeFlags) {
        rows[row].isNamed = true
        rows[row].flags.formUnion(flags)
    }
}
