/// The input of a replay: the mappings before the log, the groups after it, and what the whole log says of each group.
struct ReplaySetting {
    private let countsBefore: SharedDictionary<Int>
    private let setups: SharedDictionary<GroupSetup>
    private let groupsAfter: Set<ExactString>?
    private let counts: ExactDictionary<Int>
    private var lastResets = ExactDictionary<Int>()
    /// The rows that the log adds to each group that the mappings did not hold before; the counts before follow from
    /// them.
    private var additions = ExactDictionary<Int>()

    init(_ log: OperationLog, before: borrowing Mappings, groupsAfter: [String]?, counts: ExactDictionary<Int>) {
        countsBefore = before.counts
        setups = before.setups
        self.groupsAfter = groupsAfter.map(\.exact)
        self.counts = counts
        for position in log.indices {
            let step = log.step(at: position)
            if step.kind == .resetSection { lastResets[log.groups[Int(step.group)]] = position }
        }
        if groupsAfter?.contains(where: { before.counts[$0] == nil }) == true {
            additions = log.counts(from: ExactDictionary())
        }
    }

    /// Returns the group as it was before the log, with capacity for about `operations` operations; nil if the mappings
    /// hold it neither before nor after.
    func group(named name: String, operations: Int) -> ReplayedGroup? {
        let count = countsBefore[name]
        let isThere = groupsAfter?.contains(ExactString(name)) ?? (count != nil)
        guard count != nil || isThere else { return nil }
        let lastReset = lastResets.isEmpty ? nil : lastResets[name]
        return ReplayedGroup(
            name: name, setup: setups[name], wasThere: count != nil, isThere: isThere,
            countBefore: count ?? countBefore(ofNewGroup: name), lastReset: lastReset ?? -1, operations: operations)
    }

    /// Returns the count that the group must have had before, if the log leads to its given count; at least what the
    /// log removes.
    private func countBefore(ofNewGroup name: String) -> Int {
        guard lastResets[name] == nil else { return 0 }
        let addition = additions[name] ?? 0
        guard let count = counts[name], count >= 0 else { return max(-addition, 0) }
        return max(min(count, Mappings.maxRows) - addition, 0)
    }
}
