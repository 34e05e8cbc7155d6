/// A log replayed on the counts before it: the fate of every touched row, and the present order of the rest.
struct Replay {
    let log: [RawOperation]
    var groups: [ReplayedGroup] = []
    var touches: [Touch] = []
    /// The groups in the order of the log's section operations.
    var sectionOrder: [String] = []

    private let setting: ReplaySetting
    /// The groups by name, once there are more than a few.
    private var slots = ExactDictionary<Int>()
    private static let few = 3
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
        if let latest, latest.name.hasSameBytes(as: name) { return latest.slot }
        var slot = knownSlot(of: name)
        let share = log.count / (groups.count + 1)
        if slot == nil, let group = setting.group(named: name, operations: share) {
            slot = groups.count
            groups.append(group)
            if groups.count == Self.few + 1 {
                for index in groups.indices { slots[groups[index].name] = index }
            } else if groups.count > Self.few {
                slots[name] = slot
            }
        }
        latest = (name, slot)
        return slot
    }

    private func knownSlot(of name: String) -> Int? {
        groups.count > Self.few ? slots[name] : groups.indices.first { groups[$0].name.hasSameBytes(as: name) }
    }

    /// Returns the group in its present state; nil if its slot was never requested.
    func group(named name: String) -> ReplayedGroup? { knownSlot(of: name).map { groups[$0] } }
}
