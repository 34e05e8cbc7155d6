extension Mappings {
    /// Returns the mappings after a log, and the changes that a list must make to show them.
    ///
    /// ```swift
    /// let (after, outcome) = try before.advanced(by: [
    ///     .insertSection(group: "away"), .insertRow(group: "away", index: 0, key: key),
    /// ])
    /// ```
    ///
    /// - Parameters:
    ///   - log: the operations of all commits between the two snapshots, in order.
    ///   - groups: the groups after the log, for mappings with dynamic groups; nil if they are the same.
    ///   - counts: the number of rows of each group after the log. The count of a missing group follows from the log.
    /// - Throws: `LogMismatch` if the log cannot lead from these mappings to these counts.
    /// - Complexity: O(k log k) for k operations, plus the rows and groups that are named, whatever the groups'
    ///   lengths; O(1) without operations, groups and counts, unless a setting changed. Where a count changes, a list of n
    ///   groups costs a copy of about √n counts.
    public func advanced(
        by log: [RawOperation], groups: [String]? = nil, counts: [String: Int] = [:]
    ) throws(LogMismatch) -> (after: Mappings, outcome: Outcome) {
        try advanced(by: OperationLog(log), groups: groups, counts: ExactDictionary(counts))
    }

    package func advanced(
        by log: OperationLog, groups: [String]?, counts: ExactDictionary<Int>
    ) throws(LogMismatch) -> (after: Mappings, outcome: Outcome) {
        guard isUpdated else { throw .neverUpdated }
        let newGroups =
            groupsAreDynamic && groups?.hasSameBytes(as: allGroups) == false ? groups?.firstOccurrences : nil
        var replay = try Replay(
            log, setting: ReplaySetting(log, before: self, groupsAfter: newGroups, counts: counts))
        try check(counts, replay)
        guard !replay.groups.isEmpty || newGroups != nil || !isSettled else { return (self, .none) }
        includeUnsettled(in: &replay, newGroups)
        let after = after(replay, newGroups)
        guard after.keepsOrder(of: self) else { return (after, .reload) }
        let changes = changes(to: after, replay: &replay)
        return (after, changes.isEmpty ? .none : .changes(changes))
    }
}

extension Mappings {
    /// Adds to the replay every group whose rows on screen may change without an operation: each group that appears or disappears as a whole,
    /// and all groups if a setting changed.
    func includeUnsettled(in replay: inout Replay, _ newGroups: [String]?) {
        if !isSettled {
            for group in allGroups { _ = replay.slot(of: group) }
        }
        guard let newGroups else { return }
        let (old, new) = (allGroups.exact, newGroups.exact)
        for group in allGroups where !new.contains(ExactString(group)) { _ = replay.slot(of: group) }
        for group in newGroups where !old.contains(ExactString(group)) { _ = replay.slot(of: group) }
    }

    /// Checks that every given count agrees with the log.
    func check(_ given: ExactDictionary<Int>, _ replay: Replay) throws(LogMismatch) {
        for (group, count) in given {
            let replayed = replay.group(named: group)
            let expected = replayed.map { $0.isThere ? $0.rows.count : count } ?? counts[group] ?? count
            guard count == expected else { throw .countsDisagree(group: group, expected: expected, given: count) }
        }
    }

    /// Returns these mappings with the groups, counts and windows after the log.
    func after(_ replay: Replay, _ newGroups: [String]?) -> Mappings {
        var after = self
        if let newGroups {
            after.replaceGroups(newGroups)
            after.counts = SharedDictionary(after.allGroups.map { ($0, counts[$0] ?? 0) })
        }
        for slot in replay.groups.indices {
            let (name, count) = (replay.groups[slot].name, replay.groups[slot].rows.count)
            // An assignment copies the counts of all groups, and most groups keep their count.
            if replay.groups[slot].isThere, after.counts[name] != count { after.counts[name] = count }
            after.moveWindow(of: replay.groups[slot])
        }
        if newGroups != nil || after.needsNewSections(replay) { after.refreshVisibility() }
        after.isSettled = !replay.groups.contains(where: \.losesWindow)
        return after
    }

    /// Whether a section may appear or disappear. Most logs leave the sections alone.
    private func needsNewSections(_ replay: Replay) -> Bool {
        !isSettled || consolidationThreshold > 0
            || replay.groups.indices.contains { slot in
                isShown(replay.groups[slot].name) != (shownSections[replay.groups[slot].name] != nil)
            }
    }

    /// Whether the groups that both show are in the same order.
    func keepsOrder(of before: Mappings) -> Bool {
        guard groupsAreDynamic, !shownGroups.hasSameBytes(as: before.shownGroups) else { return true }
        let sections = shownGroups.compactMap { before.shownSections[$0] }
        return zip(sections, sections.dropFirst()).allSatisfy { $0 < $1 }
    }

    private mutating func moveWindow(of group: ReplayedGroup) {
        guard let setup = setups[group.name], let range = setup.range, let requested = setup.requestedRange else {
            return
        }
        let count = group.rows.count
        if range.isFixedRange {
            let length = requested.length(wanting: requested.length, count: count)
            setups[group.name]!.range = requested.with(length: length)
        } else if group.losesWindow, range.pin == .end {
            setups[group.name]!.range = range.opening(.nothing, count: count)
        } else if let window = window(of: group, requested: requested)?.fitted(to: range, count: count) {
            setups[group.name]!.range = range.opening(window, count: count)
        }
    }

    /// Returns the group's flexible window after the log, before it is fitted.
    private func window(of group: ReplayedGroup, requested: RangeOptions) -> RowWindow? {
        let wasKeptOut = group.isThere && !group.wasThere && group.countBefore > 0
        guard wasKeptOut else { return group.window?.window }
        let length = requested.length(wanting: requested.length, count: group.rows.count)
        return RowWindow(requested.with(length: length), count: group.rows.count)
    }
}

extension ReplayedGroup {
    /// Whether the group is new and the log also removed a row of it. Then a flexible window that is pinned to the group's end opens empty, as in
    /// the original, whose answers are the reference. The next change-set adds rows up to the window's minimum.
    fileprivate var losesWindow: Bool { isThere && !wasThere && countBefore == 0 && lostRows }
}
