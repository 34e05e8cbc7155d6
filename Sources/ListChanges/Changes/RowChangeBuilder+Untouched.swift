extension RowChangeBuilder {
    /// Adds the rows of a group that no operation named: those of a reset, those that slid across an edge of the
    /// window, those whose section was replaced, and those with a different neighbour.
    mutating func addUntouched(_ slot: Int, _ untouched: UnchangedRuns, _ replay: Replay) {
        if replay.groups[slot].wasReset {
            let old = groups[slot].before.window
            for index in stride(from: old.upper - 1, through: old.lower, by: -1) {
                addDelete(nil, [.object, .metadata], slot, index)
            }
        }
        guard needsUntouched(of: replay.groups[slot], slot) else { return }
        let group = replay.groups[slot]
        addSlid(slot, untouched, pin: group.pin)
        if isReplaced {
            addReplaced(slot, untouched)
        } else if !group.dependencies.isEmpty {
            addDependents(slot, untouched, group)
        }
    }

    /// Whether rows of the group that no operation named may be among the changes.
    func needsUntouched(of group: ReplayedGroup, _ slot: Int) -> Bool {
        isReplaced || !group.dependencies.isEmpty
            || groups[slot].before.window != RowWindow(all: group.countBefore)
            || groups[slot].after.window != RowWindow(all: group.rows.count)
    }

    /// Adds rows that are in only one of the two windows. First those that left: from the last row up if the window is
    /// pinned to the beginning, from the first row down if to the end. Then those that entered: pin side first, going
    /// inward.
    private mutating func addSlid(_ slot: Int, _ untouched: UnchangedRuns, pin: RangeOptions.Pin) {
        let (old, new) = (groups[slot].before.window, groups[slot].after.window)
        var left: [(index: Int, flags: ChangeFlags)] = []
        var (cameLow, cameHigh) = ([Int](), [Int]())
        for stretch in untouched.stretches {
            let (was, now) = (stretch.steps(before: old), stretch.steps(after: new))
            guard was != now else { continue }
            was.forEach(outside: now) { left.append((stretch.before + $0, stretch.flags)) }
            now.forEach(outside: was) { step in
                if stretch.before + step < old.lower {
                    cameLow.append(stretch.after + step)
                } else {
                    cameHigh.append(stretch.after + step)
                }
            }
        }
        cameHigh.reverse()
        if pin == .beginning { left.reverse() }
        for row in left { addDelete(nil, row.flags.isEmpty ? [.object, .metadata] : row.flags, slot, row.index) }
        for index in pin == .beginning ? cameLow + cameHigh : cameHigh + cameLow { addInsert(nil, [], slot, index) }
    }

    /// Adds the rows that are shown before and after, in sections that replace each other.
    private mutating func addReplaced(_ slot: Int, _ untouched: UnchangedRuns) {
        for stretch in untouched.stretches {
            for step in stretch.steps(staying: groups[slot]) {
                addStaying(
                    nil, stretch.flags, wasMoved: false, slot, stretch.before + step, slot, stretch.after + step)
            }
        }
    }
}

extension UnchangedRuns.Stretch {
    /// Returns the rows of the stretch, counted from its first, that a window before the log shows.
    func steps(before window: RowWindow) -> Range<Int> { steps(window, from: before) }

    /// Returns the rows of the stretch, counted from its first, that a window after the log shows.
    func steps(after window: RowWindow) -> Range<Int> { steps(window, from: after) }

    func steps(staying group: GroupOnScreen) -> Range<Int> {
        steps(before: group.before.window).clamped(to: steps(after: group.after.window))
    }

    private func steps(_ window: RowWindow, from first: Int) -> Range<Int> {
        (window.lower - first..<window.upper - first).clamped(to: 0..<length)
    }
}

extension Range<Int> {
    /// Calls `body` with the elements that are not in `other`, in order.
    func forEach(outside other: Range<Int>, _ body: (Int) -> Void) {
        guard !other.isEmpty else { return forEach(body) }
        for element in lowerBound..<Swift.max(Swift.min(upperBound, other.lowerBound), lowerBound) { body(element) }
        for element in Swift.min(Swift.max(lowerBound, other.upperBound), upperBound)..<upperBound { body(element) }
    }
}
