extension RowChangeBuilder {
    /// Adds the untouched rows that are shown before and after and depend on a neighbour that is a different row now,
    /// was itself set or touched, or came into the window or left it. Inside a stretch all neighbours stay the same, so only the rows near its
    /// two ends and near the edges of the windows are examined.
    mutating func addDependents(_ slot: Int, _ untouched: UnchangedRuns, _ group: ReplayedGroup) {
        let reach = Reach(of: group.dependencies)
        let (before, after) = (groups[slot].before.window, groups[slot].after.window)
        for stretch in untouched.stretches {
            var next = 0
            for part in stretch.steps(near: reach, before, after, staying: groups[slot]) {
                for step in max(part.lowerBound, next)..<max(part.upperBound, next) {
                    let (old, new) = (stretch.before + step, stretch.after + step)
                    let changed = group.dependencies.contains { offset in
                        before.contains(old + offset) != after.contains(new + offset)
                            || untouched.row(at: new + offset, count: group.rows.count)
                                != Neighbour(at: old + offset, count: group.countBefore)
                    }
                    if changed { addStaying(nil, .dependency, wasMoved: false, slot, old, slot, new) }
                }
                next = max(next, part.upperBound)
            }
        }
    }
}

/// How far cells depend on others.
private struct Reach {
    let back: Int
    let ahead: Int

    /// - Parameter offsets: ascending.
    init(of offsets: [Int]) {
        back = -min(offsets.first ?? 0, 0)
        ahead = max(offsets.last ?? 0, 0)
    }
}

extension UnchangedRuns.Stretch {
    /// Returns the rows, counted from the first of the stretch, that are shown before and after and whose neighbours may be outside the
    /// stretch or a window: ranges by their beginnings, which may overlap.
    fileprivate func steps(
        near reach: Reach, _ before: RowWindow, _ after: RowWindow, staying group: GroupOnScreen
    ) -> [Range<Int>] {
        let staying = steps(staying: group)
        func edges(_ lower: Int, _ upper: Int) -> [Range<Int>] {
            [lower..<lower + reach.back, upper - reach.ahead..<upper]
        }
        let parts =
            edges(0, length) + edges(before.lower - self.before, before.upper - self.before)
            + edges(after.lower - self.after, after.upper - self.after)
        return parts.map { $0.clamped(to: staying) }.filter { !$0.isEmpty }.sorted { $0.lowerBound < $1.lowerBound }
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

extension UnchangedRuns {
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
