/// A log replayed on the counts before it: the fate of every touched row, and the present order of the rest.
struct Replay {
    let log: OperationLog
    var groups: [ReplayedGroup] = []
    var touches: [Touch] = []
    /// The groups in the order of the log's section operations.
    var sectionOrder: [String] = []

    private let setting: ReplaySetting
    /// The groups by name, once there are more than a few.
    private var slots = ExactDictionary<Int>()
    private static let few = 3
    private var latest: (group: UInt32, slot: Int?)?
    /// The rows that were removed and not inserted again, except for the last one: most are inserted again at once.
    var absent: [RowKey: Int32] = [:]
    var lastRemoved: (touch: Int32, key: UInt32)?

    /// Replays a log.
    /// - Complexity: O(k log k) for k operations; the groups' lengths do not matter.
    init(_ log: OperationLog, setting: ReplaySetting) throws(LogMismatch) {
        self.log = log
        self.setting = setting
        sectionOrder = log.sectionGroups
        touches.reserveCapacity((log.count + 1) / 2)
        for position in log.indices {
            let step = log.step(at: position)
            switch step.kind {
            case .insertRow: try insert(step, position)
            case .deleteRow: try delete(step, position)
            case .updateRow: try update(step, position)
            case .resetSection: reset(step.group, position)
            case .insertSection, .deleteSection: break
            }
        }
    }

    /// - Parameter group: its place in the log's list.
    mutating func slot(of group: UInt32) -> Int? {
        if let latest, latest.group == group { return latest.slot }
        let slot = slot(of: log.groups[Int(group)])
        latest = (group, slot)
        return slot
    }

    /// Returns the index of the group in `groups`, adding it if necessary; nil if the mappings hold it neither before
    /// nor after.
    mutating func slot(of name: String) -> Int? {
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
        _ touch: Int32, _ step: OperationLog.Step, _ slot: Int, _ position: Int
    ) throws(LogMismatch) {
        guard let known = touches[Int(touch)].key else { return touches[Int(touch)].key = step.key }
        if !isSameRow(known, step.key) {
            throw .wrongRow(
                position: position, group: groups[slot].name, index: step.index, named: log.keys[step.key],
                found: log.keys[known])
        }
    }

    private func isSameRow(_ one: UInt32, _ other: UInt32) -> Bool { one == other || log.keys[one] == log.keys[other] }

    /// Returns the key of the row; nil if only a dependency touched it.
    func key(of touch: Int32) -> RowKey? { touches[Int(touch)].key.map { log.keys[$0] } }

    /// Returns the row with this key, if it was removed earlier and is to be inserted again.
    mutating func absentTouch(_ key: UInt32) -> Int32? {
        if let (touch, removed) = lastRemoved, isSameRow(removed, key) {
            lastRemoved = nil
            return touch
        }
        return absent.isEmpty ? nil : absent.removeValue(forKey: log.keys[key])
    }

    /// Moves the row that was removed last to the dictionary, because another one is removed now.
    mutating func rememberLastRemoved() {
        guard let (touch, key) = lastRemoved else { return }
        // The rows of a large transaction are all removed before the first is inserted again.
        if absent.capacity == 0 { absent.reserveCapacity(log.count / 4) }
        absent[log.keys[key]] = touch
    }
}

extension Replay {
    mutating func insert(_ step: OperationLog.Step, _ position: Int) throws(LogMismatch) {
        guard let slot = slot(of: step.group), position > groups[slot].lastReset else { return }
        try check(step.index, below: groups[slot].rows.count + 1, slot, position)
        let touch = absentTouch(step.key) ?? append(Touch())
        touches[Int(touch)].key = touches[Int(touch)].key ?? step.key
        touches[Int(touch)].flags.formUnion([.object, .metadata])
        touches[Int(touch)].groupAfter = Int32(slot)
        groups[slot].insert(touch, at: step.index)
        touchDependents(on: step.index, isDelete: false, slot)
    }

    mutating func delete(_ step: OperationLog.Step, _ position: Int) throws(LogMismatch) {
        guard let slot = slot(of: step.group), position > groups[slot].lastReset else { return }
        try check(step.index, below: groups[slot].rows.count, slot, position)
        let piece = groups[slot].remove(at: step.index)
        let touch = piece.touch ?? append(Touch(groupBefore: Int32(slot), before: piece.source))
        try name(touch, step, slot, position)
        touches[Int(touch)].flags.formUnion([.object, .metadata])
        touches[Int(touch)].wasRemoved = true
        touches[Int(touch)].groupAfter = -1
        rememberLastRemoved()
        lastRemoved = (touch, step.key)
        touchDependents(on: step.index, isDelete: true, slot)
    }

    mutating func update(_ step: OperationLog.Step, _ position: Int) throws(LogMismatch) {
        guard let slot = slot(of: step.group), position > groups[slot].lastReset else { return }
        try check(step.index, below: groups[slot].rows.count, slot, position)
        let touch = touchRow(at: step.index, slot)
        try name(touch, step, slot, position)
        touches[Int(touch)].flags.formUnion(step.flags)
        touchDependents(on: step.index, isDelete: false, slot)
    }

    mutating func reset(_ group: UInt32, _ position: Int) {
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
