/// The row changes of a change-set under construction.
struct RowChangeBuilder {
    /// The groups' positions on screen, in the order of the replay's groups.
    let groups: [GroupOnScreen]
    /// Whether all sections are replaced, because the groups start or stop being consolidated.
    let isReplaced: Bool
    /// Whether the groups are one section before and after.
    let staysConsolidated: Bool
    private(set) var changes: [RowChange] = []

    init(groups: [GroupOnScreen], isReplaced: Bool, staysConsolidated: Bool) {
        self.groups = groups
        self.isReplaced = isReplaced
        self.staysConsolidated = staysConsolidated
    }

    /// Adds the rows that operations named, in the order of the log.
    mutating func addTouched(_ replay: Replay) {
        changes.reserveCapacity(replay.touches.count)
        for (index, touch) in replay.touches.enumerated() where touch.hasKey {
            let key = replay.key(of: Int32(index))
            let (old, new) = (Int(touch.groupBefore), Int(touch.groupAfter))
            let isOld = old >= 0 && groups[old].before.window.contains(touch.before)
            let isNew = new >= 0 && groups[new].after.window.contains(touch.after)
            switch (isOld, isNew) {
            case (true, true):
                addStaying(key, touch.flags, wasMoved: touch.wasRemoved, old, touch.before, new, touch.after)
            case (true, false): addDelete(key, touch.flags, old, touch.before)
            case (false, true): addInsert(key, touch.wasRemoved || old < 0 ? touch.flags : [], new, touch.after)
            case (false, false): break
            }
        }
    }

    mutating func addDelete(_ key: RowKey?, _ flags: ChangeFlags, _ slot: Int, _ index: Int) {
        changes.append(
            RowChange(
                type: .delete, flags: flags, key: key.flatMap { $0.isUnknown ? nil : $0 },
                before: groups[slot].before.path(index), after: nil,
                originalGroup: groups[slot].before.name, finalGroup: nil))
    }

    mutating func addInsert(_ key: RowKey?, _ flags: ChangeFlags, _ slot: Int, _ index: Int) {
        changes.append(
            RowChange(
                type: .insert, flags: flags.union([.object, .metadata]), key: key, before: nil,
                after: groups[slot].after.path(index), originalGroup: nil, finalGroup: groups[slot].after.name))
    }

    /// Adds a row that is shown before and after. It is a move if it was removed and inserted again, or if its section
    /// (or, among consolidated groups, its row) has another number now; otherwise an update.
    mutating func addStaying(
        _ key: RowKey?, _ flags: ChangeFlags, wasMoved: Bool, _ oldSlot: Int, _ old: Int, _ newSlot: Int, _ new: Int
    ) {
        let (oldPath, newPath) = (groups[oldSlot].before.path(old), groups[newSlot].after.path(new))
        let isMove =
            wasMoved || isReplaced || groups[oldSlot].before.place != groups[newSlot].after.place
            || (staysConsolidated && oldPath.row != newPath.row)
        changes.append(
            RowChange(
                type: isMove ? .move : .update, flags: flags, key: key, before: oldPath, after: newPath,
                originalGroup: groups[oldSlot].before.name, finalGroup: groups[newSlot].after.name))
    }
}
