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
        try advanced(by: log, groups: groups, counts: ExactDictionary(counts))
    }

    package func advanced(
        by log: [RawOperation], groups: [String]?, counts: ExactDictionary<Int>
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
