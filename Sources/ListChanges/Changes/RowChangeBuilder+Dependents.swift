extension RowChangeBuilder {
    /// Adds the untouched rows that are shown before and after and depend on a neighbour that is a different row now,
    /// or was itself set or touched. Inside a stretch all neighbours stay the same, so only the rows near its two ends
    /// are examined.
    mutating func addDependents(_ slot: Int, _ untouched: UntouchedRows, _ group: ReplayedGroup) {
        let reachBack = -min(group.dependencies.first ?? 0, 0)
        let reachAhead = max(group.dependencies.last ?? 0, 0)
        for stretch in untouched.stretches {
            let steps = stretch.steps(staying: groups[slot])
            let head = (0..<min(reachBack, stretch.length)).clamped(to: steps)
            let tail = (max(stretch.length - reachAhead, head.upperBound, 0)..<stretch.length).clamped(to: steps)
            for part in [head, tail] {
                for step in part {
                    let (old, new) = (stretch.before + step, stretch.after + step)
                    let changed = group.dependencies.contains {
                        untouched.row(at: new + $0, count: group.rows.count)
                            != Neighbour(at: old + $0, count: group.countBefore)
                    }
                    guard changed else { continue }
                    addStaying(nil, .dependency, wasMoved: false, slot, old, slot, new)
                }
            }
        }
    }
}

/// A row's neighbour: none, a row from before the log that no operation named, or another row.
private enum Neighbour: Equatable {
    case outside
    case untouched(before: Int)
    case touched

    /// Creates the neighbour at an index before the log, assuming that no operation touched it.
    init(at index: Int, count: Int) {
        self = index >= 0 && index < count ? .untouched(before: index) : .outside
    }
}

extension UntouchedRows {
    /// Returns the row that is now at `index` of the group.
    fileprivate func row(at index: Int, count: Int) -> Neighbour {
        guard index >= 0, index < count else { return .outside }
        var (lower, upper) = (0, stretches.count)
        while lower < upper {
            let middle = (lower + upper) / 2
            if stretches[middle].after <= index { lower = middle + 1 } else { upper = middle }
        }
        guard lower > 0 else { return .touched }
        let stretch = stretches[lower - 1]
        let step = index - stretch.after
        return step < stretch.length ? .untouched(before: stretch.before + step) : .touched
    }
}
