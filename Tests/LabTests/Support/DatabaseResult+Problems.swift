import ListChanges
import YapDatabase

@testable import AnimationLab

extension DatabaseResult {
    /// What is wrong with the result, whatever anybody else says of the scenario: states that are not what the rows say,
    /// change-sets that do not lead from one to the next, rows that were set and not reported.
    func problems(of scenario: DatabaseScenario) -> [String] {
        var model = ModelRows()
        model.perform(scenario.initial)
        _ = model.takeNamed()
        var problems = initial.problems(model, scenario.mappings).map { "initially \($0)" }
        var before = initial
        for (number, (step, result)) in zip(scenario.steps, steps).enumerated() {
            var found = result.before?.problems(model, scenario.mappings).map { "before: \($0)" } ?? []
            step.commits.forEach { model.perform($0) }
            found += result.after.problems(model, scenario.mappings)
            found += result.problems(from: result.before ?? before, named: model.takeNamed())
            problems += found.map { "step \(number): \($0)" }
            before = result.after
        }
        return problems
    }
}

extension ListState {
    fileprivate func problems(_ model: ModelRows, _ setup: MappingsSetup) -> [String] {
        let groups = model.groups
        if let chosen = setup.groups.choose(from: groups.keys), chosen != mappings.allGroups {
            return ["has the groups \(mappings.allGroups) instead of \(chosen)"]
        }
        for group in mappings.allGroups where mappings.fullCount(inGroup: group) != groups[group]?.count ?? 0 {
            return ["counts \(mappings.fullCount(inGroup: group)) rows in \(group) instead of \(groups[group] ?? [])"]
        }
        let expected = ListSnapshot(mappings) { groups[$0]![$1] }
        return shown == expected ? [] : ["shows \(shown) instead of \(expected)"]
    }
}

extension DatabaseResult.Step {
    fileprivate func problems(from before: ListState, named: Set<RowKey>) -> [String] {
        if outcome == .reload { return ["reloads, although the groups stay in order"] }
        if outcome == .changes(ChangeSet()) { return ["has changes that are none"] }
        do {
            let applied = try outcome.changeSet.applying(to: before.shown) { after.shown[$0] }
            guard applied == after.shown else {
                return ["leads to \(applied) instead of \(after.shown): \(outcome.changeSet)"]
            }
        } catch {
            return ["\(error)"]
        }
        let (old, new) = (before.shown.paths, after.shown.paths)
        let reported = Set(outcome.changeSet.rowChanges.compactMap(\.before))
        return named.filter { key in new[key] != nil && old[key].map { !reported.contains($0) } ?? false }
            .map { "does not report \($0)" }
    }
}

extension ListSnapshot {
    fileprivate var paths: [RowKey: RowPath] {
        var paths: [RowKey: RowPath] = [:]
        for (section, rows) in sections.map(\.rows).enumerated() {
            for (row, key) in rows.enumerated() { paths[key] = RowPath(section: section, row: row) }
        }
        return paths
    }
}
