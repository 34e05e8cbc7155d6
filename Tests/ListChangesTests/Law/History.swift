import ListChanges

/// A random list with random mappings and random changes, all determined by a seed.
struct History {
    private var random: SplitMix64
    private(set) var list: ModelList
    private(set) var engine: Mappings
    private(set) var naive: NaiveMappings
    private var nextKey = 0
    private let isBig: Bool

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        let hasDynamicGroups = random.percent(20)
        isBig = random.percent(10)
        var groups: [[Int]] = [[], [], [], []]
        for group in 0..<4 where random.percent(75) {
            for _ in 0..<random.below(isBig ? 40 : 8) {
                groups[group].append(nextKey)
                nextKey += 1
            }
        }
        list = ModelList(groups)
        let held = Array(0..<(1 + random.below(3)))
        engine =
            hasDynamicGroups ? .withDynamicGroups() : Mappings(groups: held.map { ModelList.names[$0] })
        naive = NaiveMappings(isDynamic: hasDynamicGroups, groups: hasDynamicGroups ? [] : held)
        open()
    }

    /// Sometimes changes settings, then commits once or more and checks the jump over all commits. Sometimes the
    /// mappings only adopt the new counts.
    mutating func step() -> (problems: [String], scenario: String) {
        if random.percent(10) { for call in Self.calls(&random) { perform(call) } }
        let (engineBefore, rows) = (engine, list.groups)
        for _ in 0..<(random.percent(70) ? 1 : 1 + random.below(4)) {
            for _ in 0..<random.below(random.percent(10) ? 20 : 5) { edit() }
            list.commit()
        }
        if random.percent(3) {
            _ = list.takeLog()
            update()
            return ([], "")
        }
        let course = Course(rows: rows, log: list.takeLog(), newRows: list.groups)
        var jump = Jump(engine: engine, naive: naive, course: course, newGroups: randomGroups())
        let problems = jump.run()
        (engine, naive) = (jump.engine, jump.naive)
        guard !problems.isEmpty else { return ([], "") }
        return (problems, logScenario(engineBefore, course))
    }
}

extension History {
    private mutating func open() {
        let isLate = random.percent(20)
        if isLate { update() }
        for call in Self.calls(&random) { perform(call) }
        if !isLate { update() }
    }

    private mutating func update() {
        let groups = randomGroups()
        engine.update(groups: groups?.map { ModelList.names[$0] }, counts: list.counts)
        naive.update(groups, list.groups.map(\.count))
    }

    private mutating func perform(_ call: Scenario.Call) {
        engine.perform(call)
        naive.perform(call)
    }

    /// The answer of a group block: most groups that have rows, in one of two orders, nearly always the same.
    private mutating func randomGroups() -> [Int]? {
        guard naive.isDynamic else { return nil }
        let groups = (0..<4).filter { !list.groups[$0].isEmpty && !random.percent(5) }
        return random.percent(2) ? groups.reversed() : groups
    }

    private mutating func edit() {
        let group = random.below(random.percent(80) ? 3 : 4)
        let count = list.groups[group].count
        let flags = random.pick([ChangeFlags.object, .metadata, [.object, .metadata]])
        switch random.below(100) {
        case ..<35: insert(newKey(), in: group)
        case ..<50 where count > 0: list.remove(at: random.below(count), in: group)
        case ..<68 where count > 0: list.update(at: random.below(count), in: group, flags)
        case ..<85 where count > 0: insert(list.remove(at: random.below(count), in: group), in: group)
        case ..<97 where count > 0: insert(list.remove(at: random.below(count), in: group), in: random.below(4))
        case 97: for group in 0..<4 where !list.groups[group].isEmpty { list.reset(group) }
        case 98 where count > 0: list.reset(group)
        default:
            while !list.groups[group].isEmpty { list.remove(at: random.below(list.groups[group].count), in: group) }
        }
    }

    private mutating func insert(_ key: Int, in group: Int) {
        list.insert(key, at: random.below(list.groups[group].count + 1), in: group)
    }

    /// Returns a key that is in no group: mostly a new one, sometimes a deleted one.
    private mutating func newKey() -> Int {
        let old = nextKey > 0 ? random.below(nextKey) : 0
        if nextKey > 0, random.percent(20) || nextKey == ModelList.keys.count,
            !list.groups.contains(where: { $0.contains(old) })
        {
            return old
        }
        guard nextKey < ModelList.keys.count else {
            return (0...).first { key in !list.groups.joined().contains(key) }!
        }
        nextKey += 1
        return nextKey - 1
    }
}
