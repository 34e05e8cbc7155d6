import YapDatabase

@testable import ChangeScenarios

extension Judge {
    /// The law for change-sets that a deliberately wrong rule has changed.
    init(in folder: ScratchFolder, spoiling spoil: @escaping (inout ChangeSet) -> Void) {
        self.init(
            flaw: { scenario in
                do {
                    return try scenario.flaw(in: folder, spoiling: spoil)
                } catch {
                    return Flaw(kind: .error, text: "\(error)")
                }
            }, answer: { try $0.answer(in: folder) })
    }
}

extension Scenario {
    fileprivate func flaw(in folder: ScratchFolder, spoiling spoil: (inout ChangeSet) -> Void) throws -> Flaw? {
        switch self {
        case .log(let scenario):
            let result = try scenario.replayed()
            let spoilt = LogResult(
                before: result.before, mappings: result.mappings, outcome: result.outcome.spoilt(spoil))
            return try spoilt.flaw(of: scenario)
        case .database(let scenario):
            let result = try folder.withDatabaseURL { try scenario.replayed(at: $0) }
            let steps = result.steps.map { step in
                DatabaseResult.Step(
                    before: step.before, after: step.after, notifications: step.notifications,
                    hasChanges: step.hasChanges, outcome: step.outcome.spoilt(spoil))
            }
            return DatabaseResult(initial: result.initial, steps: steps).flaws(of: scenario).first
        }
    }
}

extension Outcome {
    fileprivate func spoilt(_ spoil: (inout ChangeSet) -> Void) -> Outcome {
        guard case .changes(var changes) = self else { return self }
        spoil(&changes)
        return changes.isEmpty ? .none : .changes(changes)
    }
}

/// The first trap: a move from a path to the same path becomes an update.
func moveToTheSamePathAsUpdate(_ changes: inout ChangeSet) {
    for index in changes.rowChanges.indices
    where changes.rowChanges[index].type == .move && changes.rowChanges[index].before == changes.rowChanges[index].after
    {
        changes.rowChanges[index].type = .update
    }
}

/// The second defect of the original: rows that slide out of a window are not reported.
func slidingRowsForgotten(_ changes: inout ChangeSet) {
    changes.rowChanges.removeAll { $0.type == .delete && $0.key == nil }
}
