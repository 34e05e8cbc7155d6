import LiveTable

/// One step of a scenario side by side: the rows before, the result of our change-set, the rows of a plain reload, and
/// the result of another change-set.
struct Comparison: Hashable, Sendable {
    let before: ListState
    /// The rows of a plain reload.
    let after: ListState
    let ours: AppliedChanges
    /// Nil if there is no other answer.
    let other: AppliedChanges?
}

extension Comparison {
    init(from before: ListState, to after: ListState, changes: ChangeSet, other: OtherAnswer.Answer? = nil) {
        self.before = before
        self.after = after
        ours = AppliedChanges(changes, to: before.shown, after: after.shown)
        self.other =
            switch other {
            case nil: nil
            case .endless: AppliedChanges(changes: ChangeSet(), rows: nil, verdict: .endless, wrongPaths: [])
            case .changes(let others): AppliedChanges(others, to: before.shown, after: after.shown, needed: changes)
            }
    }
}

extension GalleryEntry {
    /// Returns the steps side by side, from a replay on a database.
    func comparisons(of result: DatabaseResult) -> [Comparison] {
        var before = result.initial
        return zip(steps, result.steps).map { words, step in
            defer { before = step.after }
            return Comparison(
                from: step.before ?? before, to: step.after, changes: step.outcome.changeSet,
                other: words.other?.answer)
        }
    }

    /// Runs the scenario and returns its steps side by side.
    func comparisons(in folder: ScratchFolder) throws -> [Comparison] {
        try folder.withDatabaseURL { comparisons(of: try scenario.replayed(at: $0)) }
    }
}
