import YapDatabase

/// The effect of a log on a list.
package struct LogResult: Hashable, Sendable {
    package let before: Mappings
    package let mappings: Mappings
    package let outcome: Outcome
}

extension LogScenario {
    /// Runs the rules on the log.
    ///
    /// - Throws: `ScenarioError` if the log cannot lead from the counts to the final counts.
    package func replayed() throws(ScenarioError) -> LogResult {
        var before = Mappings(mappings.groups)
        let groupsBefore = mappings.groups.choose(from: counts.namesOfGroups)
        if mappings.configAfterUpdate { before.update(groups: groupsBefore, counts: counts) }
        before.perform(mappings.config)
        if !mappings.configAfterUpdate { before.update(groups: groupsBefore, counts: counts) }
        do {
            let (after, outcome) = try before.advanced(
                by: log, groups: mappings.groups.choose(from: countsAfter.namesOfGroups), counts: finalCounts ?? [:])
            return LogResult(before: before, mappings: after, outcome: Outcome(outcome))
        } catch {
            throw error.scenarioError
        }
    }

    /// The number of rows of every group after the log, unless the scenario gives it.
    private var countsAfter: [String: Int] {
        var counts = counts
        for operation in log {
            switch operation {
            case .insertRow(let group, _, _): counts[group, default: 0] += 1
            case .deleteRow(let group, _, _): counts[group, default: 0] -= 1
            case .resetSection(let group): counts[group] = 0
            case .updateRow, .insertSection, .deleteSection: break
            }
        }
        return counts.merging(finalCounts ?? [:]) { $1 }
    }
}

extension Mappings {
    package init(_ groups: MappingsSetup.Groups) {
        switch groups {
        case .list(let names): self.init(groups: names)
        case .dynamic: self = .withDynamicGroups()
        }
    }
}

extension [String: Int] {
    /// The groups of a view with these counts: those with rows.
    fileprivate var namesOfGroups: [String] { filter { $0.value > 0 }.map(\.key) }
}

extension LogMismatch {
    fileprivate var scenarioError: ScenarioError {
        switch self {
        case .neverUpdated: ScenarioError("\(self)")
        case .indexOutOfRange(let position, let group, let index, let count):
            ScenarioError("should be an index of group \"\(group)\", which has \(count) rows then, not \(index)")
                .inside("index").inside("[\(position)]").inside("log")
        case .wrongRow(let position, let group, let index, let named, let found):
            ScenarioError(
                "should be \(found.scenarioName), which is at index \(index) of group \"\(group)\" then, not \(named.scenarioName)"
            ).inside("key").inside("[\(position)]").inside("log")
        case .countsDisagree(let group, let expected, let given):
            ScenarioError("should be \(expected), which follows from the log, not \(given)")
                .inside(group).inside("finalCounts")
        }
    }
}

extension LogResult {
    package var json: JSON {
        let names = mappings.allGroups + [mappings.consolidatedGroupName].compactMap(\.self)
        let items = names.map { JSON.Member($0, mappings.numberOfItems(inGroup: $0).json) }
        return .object(
            outcome.changeMembers + [
                JSON.Member("ranges", mappings.rangesJSON), JSON.Member("visibleGroups", mappings.visibleGroups.json),
                JSON.Member("numberOfItems", .object(items)),
            ] + mappings.consolidationMembers + [JSON.Member("outcome", outcome.json)])
    }
}
