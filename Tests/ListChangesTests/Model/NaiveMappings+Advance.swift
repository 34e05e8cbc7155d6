import ListChanges

extension NaiveMappings {
    /// Adopts the groups, counts and windows after a log.
    mutating func advance(_ log: [Edit], groups newGroups: [Int]?, from oldCounts: [Int], to newCounts: [Int]) {
        let before = groups
        if let newGroups { setGroups(newGroups) }
        for (group, range) in ranges where before.contains(group) || groups.contains(group) {
            ranges[group] = range.moved(
                log.filter { $0.group == group }, from: oldCounts[group], to: newCounts[group],
                wasThere: before.contains(group), isThere: groups.contains(group))
        }
        for group in 0..<4 { counts[group] = groups.contains(group) ? newCounts[group] : 0 }
        decideSections()
    }
}

extension NaiveMappings.Range {
    /// The range after these edits of its group.
    fileprivate func moved(
        _ edits: [Edit], from oldCount: Int, to newCount: Int, wasThere: Bool, isThere: Bool
    ) -> NaiveMappings.Range {
        var range = self
        if isFixed {
            range.length = Swift.min(requestedLength, Swift.max(newCount - offset, 0))
            return range
        }
        if isThere, !wasThere, oldCount > 0, !edits.contains(where: { $0.kind == .reset }) {
            (range.length, range.offset) = (requestedLength, requestedOffset)
            range = range.opened(newCount)
            return range.fitted(range.window(newCount), newCount)
        }
        if isThere, !wasThere, pinnedToEnd, edits.afterReset.contains(where: { $0.kind == .delete }) {
            (range.length, range.offset) = (0, newCount)
            return range
        }
        let known = isThere && !wasThere ? 0 : oldCount
        range = range.opened(known)
        return range.fitted(range.replayed(edits, range.window(known), known), newCount)
    }

    /// Follows the edits one by one; a reset means deleting all rows from before the log.
    private func replayed(
        _ edits: [Edit], _ window: (lower: Int, upper: Int), _ count: Int
    ) -> (lower: Int, upper: Int) {
        var (lower, upper) = window
        let growsLow = pinnedToEnd ? growsAwayFromPin : growsAtPin
        let growsHigh = pinnedToEnd ? growsAtPin : growsAwayFromPin
        var wasEmpty = lower == upper
        let resets = edits.contains { $0.kind == .reset }
        let deletes = resets ? (0..<count).reversed().map { Edit(kind: .delete, group: 0, index: $0) } : []
        for edit in deletes + edits.afterReset {
            if edit.kind == .delete {
                if edit.index < lower { lower -= 1 }
                if edit.index < upper { upper -= 1 }
            } else if edit.kind == .insert {
                if growsLow || wasEmpty {
                    if edit.index < lower { lower += 1 }
                } else if edit.index <= lower {
                    lower += 1
                }
                if growsHigh || wasEmpty {
                    if edit.index <= upper { upper += 1 }
                } else if edit.index < upper {
                    upper += 1
                }
            }
            if lower == upper { wasEmpty = true }
        }
        return (lower, upper)
    }

    /// Cuts and fills the window row by row.
    func fitted(_ window: (lower: Int, upper: Int), _ count: Int) -> NaiveMappings.Range {
        var range = self
        var (lower, upper) = window
        if upper > lower || (min > 0 && count > 0) {
            lower = Swift.min(Swift.max(lower, 0), count)
            upper = Swift.min(Swift.max(upper, lower), count)
            while upper - lower > max { if pinnedToEnd { lower += 1 } else { upper -= 1 } }
            while upper - lower < min, pinnedToEnd ? upper < count : lower > 0 {
                if pinnedToEnd { upper += 1 } else { lower -= 1 }
            }
            while upper - lower < min, pinnedToEnd ? lower > 0 : upper < count {
                if pinnedToEnd { lower -= 1 } else { upper += 1 }
            }
        }
        range.length = upper - lower
        range.offset = pinnedToEnd ? count - upper : lower
        return range
    }
}

extension [Edit] {
    /// The edits after the last reset, or all.
    var afterReset: ArraySlice<Edit> {
        lastIndex { $0.kind == .reset }.map { self[($0 + 1)...] } ?? self[...]
    }
}
