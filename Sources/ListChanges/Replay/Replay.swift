/// A log replayed on the counts before it: the fate of every touched row, and the present order of the rest.
struct Replay {
    let log: [RawOperation]
    var groups: [ReplayedGroup] = []
    var touches: [Touch] = []
    /// The groups in the order of the log's section operations.
    var sectionOrder: [String] = []

    private let setting: ReplaySetting
    private var slots: [String: Int] = [:]
    private var latest: (name: String, slot: Int?)?
    /// The rows that were removed and not inserted again, except for the last one: most are inserted again at once.
    var absent: [RowKey: Int32] = [:]
    var lastRemoved: (touch: Int32, position: Int32)?

    /// Replays a log.
    /// - Complexity: O(k log k) for k operations; the groups' lengths do not matter.
    init(_ log: [RawOperation], setting: ReplaySetting) throws(LogMismatch) {
        self.log = log
        self.setting = setting
        touches.reserveCapacity((log.count + 1) / 2)
        for position in log.indices {
            switch log[position] {
            case .insertRow(let group, let index, let key): try insert(key, at: index, in: group, position)
            case .deleteRow(let group, let index, let key): try delete(key, at: index, in: group, position)
            case .updateRow(let group, let index, let key, let flags):
                try update(key, flags, at: index, in: group, position)
            case .resetSection(let group): reset(group, position)
            case .insertSection(let group), .deleteSection(let group): sectionOrder.append(group)
            }
        }
    }

    /// Returns the index of the group in `groups`, adding it if necessary; nil if the mappings hold it neither before
    /// nor after.
    mutating func slot(of name: String) -> Int? {
        if let latest, latest.name == name { return latest.slot }
        var slot = slots[name]
        let share = log.count / (groups.count + 1)
        if slot == nil, let group = setting.group(named: name, operations: share) {
            slot = groups.count
            slots[name] = slot
            groups.append(group)
        }
        latest = (name, slot)
        return slot
    }

    /// Returns the group in its present state; nil if its slot was never requested.
    func group(named name: String) -> ReplayedGroup? { slots[name].map { groups[$0] } }
}
