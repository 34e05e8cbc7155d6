import ListChanges
import Testing

@Suite struct VectorTests {
    /// Until the original breaks the law, its states and changes equal ours; after that only the law counts.
    @Test(arguments: StoredVectors.families)
    func everyScenarioEndsAsTheOriginalOrTheLawSays(family: String) throws {
        for vector in try Vector.all(of: family) {
            let differences = try play(vector)
            #expect(differences == [], "\(vector.scenario.id)")
        }
    }

    private func play(_ vector: Vector) throws -> [String] {
        let scenario = vector.scenario
        let trusted = vector.expected.error == nil ? vector.originalProblems.map(\.step).min() ?? Int.max : 0
        var database = ModelDatabase()
        database.perform(scenario.initial)
        _ = database.takeLog()
        var mappings = scenario.openMappings(database.view)
        var differences: [String] = []
        if let expected = vector.expected.initial, trusted >= 0 {
            differences += expected.differences(from: mappings, database.view).map { "initially: \($0)" }
        }
        for (number, step) in scenario.steps.enumerated() {
            for call in step.reconfigure ?? [] { mappings.perform(call) }
            let shown = ListSnapshot(mappings, database.view)
            if number < trusted, let expected = vector.expected.steps?[number].before {
                differences += expected.differences(from: mappings, database.view).map { "before \(number): \($0)" }
            }
            for commit in step.commits { database.perform(commit) }
            let log = database.takeLog()
            let (after, outcome) = try mappings.advanced(
                by: log, groups: scenario.groups(of: database.view), counts: database.view.counts)
            let changes = try #require(outcome.changeSet)
            let lawful = try changes.applying(to: shown) { ListSnapshot(after, database.view)[$0] }
            if lawful != ListSnapshot(after, database.view) { differences.append("step \(number): wrong rows") }
            if number < trusted, let expected = vector.expected.steps?[number] {
                let found = expected.after.differences(from: after, database.view) + expected.differences(from: changes)
                differences += found.map { "step \(number): \($0)" }
            }
            mappings = after
        }
        return differences
    }
}

extension Scenario {
    func openMappings(_ view: ModelView) -> Mappings {
        var result = mappings.dynamicGroups == true ? Mappings.withDynamicGroups() : Mappings(groups: mappings.groups!)
        if mappings.configAfterUpdate == true { result.update(groups: groups(of: view), counts: view.counts) }
        for call in mappings.config { result.perform(call) }
        if mappings.configAfterUpdate != true { result.update(groups: groups(of: view), counts: view.counts) }
        return result
    }

    func groups(of view: ModelView) -> [String]? {
        guard mappings.dynamicGroups == true else { return nil }
        let filtered = view.groupNames.filter { mappings.groups?.contains($0) ?? true }
        return mappings.groupSort == "desc" ? filtered.reversed() : filtered
    }
}

extension ListSnapshot {
    init(_ mappings: Mappings, _ view: ModelView) {
        self.init(mappings) { view.groups[$0]![$1] }
    }
}
