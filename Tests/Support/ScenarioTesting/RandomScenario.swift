import ChangeScenarios
import SeededRandom

extension DatabaseScenario {
    /// Returns the scenario of a seed: any mappings, and rows that are inserted, deleted, moved and changed.
    package static func random(seed: UInt64) -> DatabaseScenario {
        var random = SplitMix64(seed: seed)
        var maker = ScenarioMaker(rows: 2 + random.below(12))
        return DatabaseScenario(
            id: "seed-\(seed)", mappings: maker.mappings(&random), isPersistent: random.percent(70),
            initial: maker.operations(random.below(20), &random),
            steps: (0..<3 + random.below(4)).map { _ in maker.step(&random) })
    }
}

extension DatabaseScenario {
    /// Returns the scenario of a seed with a list over related rows: one to three stages.
    package static func randomRelated(seed: UInt64) -> DatabaseScenario {
        var random = SplitMix64(seed: seed)
        let list = (0..<1 + random.below(3)).map { _ in random.pick(ListStage.allCases) }
        var maker = ScenarioMaker(rows: 2 + random.below(12), list: list)
        return DatabaseScenario(
            id: "related-\(seed)", list: list, mappings: maker.mappings(&random),
            initial: maker.operations(random.below(30), &random),
            steps: (0..<3 + random.below(4)).map { _ in maker.step(&random) })
    }
}

extension [ListStage] {
    /// Groups that such a list may have.
    fileprivate var groups: [String] {
        switch last {
        case nil, .joined, .each: ["A", "B", "C"]
        case .groups: ["all"]
        case .dated: ["yesterday", "today", "tomorrow"]
        }
    }
}

/// Makes the parts of a scenario.
private struct ScenarioMaker {
    /// Few enough to change the same rows repeatedly.
    let rows: Int
    let list: [ListStage]
    private var texts = 0

    init(rows: Int, list: [ListStage] = []) { (self.rows, self.list) = (rows, list) }

    mutating func mappings(_ random: inout SplitMix64) -> MappingsSetup {
        MappingsSetup(
            groups: .random(of: list.groups, using: &random),
            config: (0..<random.below(6)).map { _ in call(&random) }, configAfterUpdate: random.percent(20))
    }

    mutating func step(_ random: inout SplitMix64) -> DatabaseScenario.Step {
        let reconfigure = random.percent(15) ? (0..<1 + random.below(2)).map { _ in call(&random) } : nil
        let commits = (0..<random.pick([0, 1, 1, 1, 2, 3])).map { _ in
            operations(random.percent(10) ? random.below(25) : random.below(6), &random)
        }
        return DatabaseScenario.Step(reconfigure: reconfigure, commits: commits)
    }

    mutating func operations(_ count: Int, _ random: inout SplitMix64) -> [RowOperation] {
        (0..<count).map { _ in operation(&random) }
    }

    private mutating func operation(_ random: inout SplitMix64) -> RowOperation {
        if list.contains(.dated), random.percent(10) { return .clock(random.below(200) - 100) }
        let key = RowKey(collection: collection(&random), key: key(&random))
        switch random.below(100) {
        case ..<58: return .set(key, row(&random), metadata: random.percent(30) ? text() : nil)
        case ..<66: return .replaceObject(key, row(&random))
        case ..<71: return .replaceMetadata(key, text())
        case ..<82: return .remove(key)
        case ..<85: return .removeMany((0..<3).map { _ in "k\(random.below(rows))" }, collection: key.collection)
        case ..<86: return .removeCollection(key.collection)
        case ..<88: return .removeAll
        case ..<92: return .touch(key)
        case ..<96: return .touchMetadata(key)
        default: return .touchRow(key)
        }
    }

    /// In a list over related rows, groups name rows, too.
    private func key(_ random: inout SplitMix64) -> String {
        !list.isEmpty && random.percent(15) ? random.pick(["A", "B", "C"]) : "k\(random.below(rows))"
    }

    private func collection(_ random: inout SplitMix64) -> String {
        random.percent(list.isEmpty ? 90 : 60) ? "c" : list.isEmpty || random.percent(5) ? "other" : "others"
    }

    private mutating func row(_ random: inout SplitMix64) -> LabRow {
        let groups: [String?] = ["A", "B", "C", "A", "A", "Z", nil]
        var row = LabRow(group: random.pick(groups), sort: random.below(10), text: text())
        guard !list.isEmpty else { return row }
        row.sort = random.below(200) - 100
        row.other = random.percent(15) ? nil : key(&random)
        row.tags =
            random.percent(15) ? nil : (0..<random.below(4)).map { _ in random.pick(["A", "B", "C", "", "3:k"]) }
        return row
    }

    private mutating func text() -> String {
        texts += 1
        return "t\(texts)"
    }

    private func call(_ random: inout SplitMix64) -> MappingsCall { .random(of: list.groups, using: &random) }
}

extension MappingsSetup.Groups {
    package static func random(
        of groups: [String] = ["A", "B", "C"], using random: inout SplitMix64
    ) -> Self {
        let isDynamic = random.percent(25)
        let names = Array(groups.prefix(1 + random.below(3)))
        guard isDynamic else { return .list(random.percent(20) ? names.reversed() : names) }
        return .dynamic(filter: random.percent(50) ? names : nil, order: random.pick([.ascending, .descending]))
    }
}

extension MappingsCall {
    package static func random(
        of groups: [String] = ["A", "B", "C"], using random: inout SplitMix64
    ) -> MappingsCall {
        let group = random.pick(groups)
        switch random.below(18) {
        case ..<3: return .dynamicSection(random.percent(75), group: group)
        case ..<4: return .dynamicSectionAll(random.percent(75))
        case ..<7: return .reverse(random.percent(75), group: group)
        case ..<8: return .removeRange(group: group)
        case ..<11:
            return .dependencies(
                (0..<1 + random.below(2)).map { _ in random.pick([-1, 1, -2, 2, 5, 0]) }, group: group)
        case ..<12: return .consolidate(threshold: random.pick([0, 3, 6, 10]), name: random.pick(["all", "A"]))
        default: return .range(.random(using: &random), group: group)
        }
    }
}

extension RangeSetup {
    fileprivate static func random(using random: inout SplitMix64) -> RangeSetup {
        RangeSetup(
            kind: random.pick([.fixed, .flexible, .flexible]), length: 1 + random.below(5),
            offset: random.pick([0, 0, 0, 1, 2, 4]), from: random.pick([.beginning, .end]),
            max: random.percent(30) ? 1 + random.below(7) : nil, min: random.percent(30) ? 1 + random.below(4) : nil,
            grow: random.pick([nil, .pin, .nonpin, .both, .inrange]))
    }
}
