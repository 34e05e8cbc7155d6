/// A log, replayed on the counts before it: what became of every row that it touches, and how the rest lies now.
struct Replay {
    let log: [RawOperation]
    var groups: [ReplayedGroup] = []
    var touches: [Touch] = []
    /// The groups in the order of the log's section operations.
    private(set) var sectionOrder: [String] = []

    private let setting: ReplaySetting
    private var slots: [String: Int] = [:]
    private var latest: (name: String, slot: Int?)?
    /// The rows that were taken out and not put back, but for the last one: most are put back at once.
    private var absent: [RowKey: Int32] = [:]
    private var lastRemoved: (touch: Int32, position: Int32)?

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

    /// The place of the group among `groups`, where it is put if need be; nil if the mappings hold it neither before
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
}

extension Replay {
    private mutating func insert(
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

    private mutating func delete(
        _ key: RowKey, at index: Int, in group: String, _ position: Int
    ) throws(LogMismatch) {
        guard let slot = slot(of: group), position > groups[slot].lastReset else { return }
        try check(index, below: groups[slot].rows.count, slot, position)
        let piece = groups[slot].remove(at: index)
        let touch = piece.touch ?? append(Touch(groupBefore: Int32(slot), before: piece.before))
        try name(touch, key, index, slot, position)
        touches[Int(touch)].flags.formUnion([.object, .metadata])
        touches[Int(touch)].wasRemoved = true
        touches[Int(touch)].groupAfter = -1
        rememberLastRemoved()
        lastRemoved = (touch, Int32(position))
        touchDependents(on: index, isDelete: true, slot)
    }

    private mutating func update(
        _ key: RowKey, _ flags: ChangeFlags, at index: Int, in group: String, _ position: Int
    ) throws(LogMismatch) {
        guard let slot = slot(of: group), position > groups[slot].lastReset else { return }
        try check(index, below: groups[slot].rows.count, slot, position)
        let touch = touchRow(at: index, slot)
        try name(touch, key, index, slot, position)
        touches[Int(touch)].flags.formUnion(flags)
        touchDependents(on: index, isDelete: false, slot)
    }

    private mutating func reset(_ group: String, _ position: Int) {
        sectionOrder.append(group)
        guard let slot = slot(of: group), position == groups[slot].lastReset else { return }
        groups[slot].reset()
    }

    /// Marks the cells that look at the row of an operation: at `index - offset`, and where a row went away, one
    /// nearer if they lie behind it.
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

extension Replay {
    private func check(
        _ index: Int, below limit: Int, _ slot: Int, _ position: Int
    ) throws(LogMismatch) {
        guard index < 0 || index >= limit else { return }
        throw .indexOutOfRange(
            position: position, group: groups[slot].name, index: index, count: groups[slot].rows.count)
    }

    /// Gives the touched row its key, or makes sure that it is the one it has.
    private mutating func name(
        _ touch: Int32, _ key: RowKey, _ index: Int, _ slot: Int, _ position: Int
    ) throws(LogMismatch) {
        if let known = self.key(of: touch), known != key {
            throw .wrongRow(position: position, group: groups[slot].name, index: index, named: key, found: known)
        }
        touches[Int(touch)].named(at: position)
    }

    /// The key of the row; nil if only a dependency touched it.
    func key(of touch: Int32) -> RowKey? {
        let source = touches[Int(touch)].source
        return source < 0 ? nil : log[Int(source)].key
    }

    private mutating func absentTouch(_ key: RowKey) -> Int32? {
        if let (touch, position) = lastRemoved, log[Int(position)].key == key {
            lastRemoved = nil
            return touch
        }
        return absent.isEmpty ? nil : absent.removeValue(forKey: key)
    }

    private mutating func rememberLastRemoved() {
        guard let (touch, position) = lastRemoved, let key = log[Int(position)].key else { return }
        absent[key] = touch
    }
}
