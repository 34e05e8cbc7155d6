extension Replay {
    mutating func insert(
        _ key: RowKey, at index: Int, in group: String, _ position: Int
    ) throws(LogMismatch) {
        guard let slot = slot(of: group), position > groups[slot].lastReset else { return }
        try check(index, below: groups[slot].rows.count + 1, slot, position)
        let touch = absentTouch(key) ?? append(Touch())
        touches[Int(touch)].named(at: position)
        touches[Int(touch)].flags.formUnion([.object, .metadata])
        touches[Int(touch)].groupAfter = Int32(slot)
        groups[slot].insert(touch, at: index)
        touchDependents(on: index, isDelete: false, slot)
    }

    mutating func delete(
        _ key: RowKey, at index: Int, in group: String, _ position: Int
    ) throws(LogMismatch) {
        guard let slot = slot(of: group), position > groups[slot].lastReset else { return }
        try check(index, below: groups[slot].rows.count, slot, position)
        let piece = groups[slot].remove(at: index)
        let touch = piece.touch ?? append(Touch(groupBefore: Int32(slot), before: piece.source))
        try name(touch, key, index, slot, position)
        touches[Int(touch)].flags.formUnion([.object, .metadata])
        touches[Int(touch)].wasRemoved = true
        touches[Int(touch)].groupAfter = -1
        rememberLastRemoved()
        lastRemoved = (touch, Int32(position))
        touchDependents(on: index, isDelete: true, slot)
    }

    mutating func update(
        _ key: RowKey, _ flags: ChangeFlags, at index: Int, in group: String, _ position: Int
    ) throws(LogMismatch) {
        guard let slot = slot(of: group), position > groups[slot].lastReset else { return }
        try check(index, below: groups[slot].rows.count, slot, position)
        let touch = touchRow(at: index, slot)
        try name(touch, key, index, slot, position)
        touches[Int(touch)].flags.formUnion(flags)
        touchDependents(on: index, isDelete: false, slot)
    }

    mutating func reset(_ group: String, _ position: Int) {
        sectionOrder.append(group)
        guard let slot = slot(of: group), position == groups[slot].lastReset else { return }
        groups[slot].reset()
    }

    /// Marks the cells that depend on the row of an operation: at `index - offset` and, after a delete, one nearer if
    /// they come after it.
    private mutating func touchDependents(on index: Int, isDelete: Bool, _ slot: Int) {
        for offset in groups[slot].dependencies {
            let dependent = index - offset - (isDelete && offset < 0 ? 1 : 0)
            guard dependent >= 0, dependent < groups[slot].rows.count else { continue }
            touches[Int(touchRow(at: dependent, slot))].flags.formUnion(.dependency)
        }
    }

    private mutating func touchRow(at index: Int, _ slot: Int) -> Int32 {
        let next = Int32(touches.count)
        var created: Touch?
        let touch = groups[slot].rows.touch(at: index) { before in
            created = Touch(groupBefore: Int32(slot), groupAfter: Int32(slot), before: before)
            return next
        }
        if let created { touches.append(created) }
        return touch
    }

    private mutating func append(_ touch: Touch) -> Int32 {
        touches.append(touch)
        return Int32(touches.count - 1)
    }
}
