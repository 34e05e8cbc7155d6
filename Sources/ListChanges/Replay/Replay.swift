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

extension Replay {
    /// Checks that the group has the index that an operation names.
    func check(
        _ index: Int, below limit: Int, _ slot: Int, _ position: Int
    ) throws(LogMismatch) {
        guard index < 0 || index >= limit else { return }
        throw .indexOutOfRange(
            position: position, group: groups[slot].name, index: index, count: groups[slot].rows.count)
    }

    /// Sets the key of a touched row, or checks that it is the one it has.
    mutating func name(
        _ touch: Int32, _ key: RowKey, _ index: Int, _ slot: Int, _ position: Int
    ) throws(LogMismatch) {
        if let known = self.key(of: touch), known != key {
            throw .wrongRow(position: position, group: groups[slot].name, index: index, named: key, found: known)
        }
        touches[Int(touch)].named(at: position)
    }

    /// Returns the key of the row; nil if only a dependency touched it.
    func key(of touch: Int32) -> RowKey? {
        let source = touches[Int(touch)].source
        return source < 0 ? nil : log[Int(source)].key
    }

    /// Returns the row with this key, if it was removed earlier and is to be inserted again.
    mutating func absentTouch(_ key: RowKey) -> Int32? {
        if let (touch, position) = lastRemoved, log[Int(position)].key == key {
            lastRemoved = nil
            return touch
        }
        return absent.isEmpty ? nil : absent.removeValue(forKey: key)
    }

    /// Moves the row that was removed last to the dictionary, because another one is removed now.
    mutating func rememberLastRemoved() {
        guard let (touch, position) = lastRemoved, let key = log[Int(position)].key else { return }
        // The rows of a large transaction are all removed before the first is inserted again.
        if absent.capacity == 0 { absent.reserveCapacity(log.count / 4) }
        absent[key] = touch
    }
}

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
