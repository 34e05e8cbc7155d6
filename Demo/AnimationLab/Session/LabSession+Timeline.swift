import LiveTable

extension LabSession {
    /// Undoes the last action: a collected edit, a held commit, or a step.
    ///
    /// - Returns: the outcome for the table; nil if the list was not affected yet.
    func undo() throws -> Outcome? { try run(undoing()) }

    /// Goes one step back along the timeline.
    func stepBack() throws -> Outcome { try run(steppingBack()) ?? .none }

    /// Takes the next step of the timeline again.
    func stepForward() throws -> Outcome { try run(steppingForward()) ?? .none }

    func undoing() throws -> LabWork {
        guard collected.isEmpty else {
            return LabWork(finish: {
                if let change = self.collected.popLast() { _ = self.rows.perform(change.inverse) }
                return nil
            })
        }
        guard !held.isEmpty else { return try steppingBack() }
        let kept = held.dropLast().map(\.operations)
        let inverse = held.reversed().flatMap(\.inverse)
        let mappings = state.mappings
        return LabWork(
            commits: [inverse] + kept,
            committed: { index, time in
                guard index == 0 else {
                    let operations = kept[index - 1]
                    return self.hold(
                        LabChange(operations: operations, inverse: self.rows.perform(operations)), time: time)
                }
                try self.retreat(inverse, to: mappings)
                self.held = []
                self.heldTime = .zero
            })
    }

    func steppingBack() throws -> LabWork {
        try checkSettled()
        guard position > 0 else { throw LabRefusal("This is the beginning.") }
        let step = steps[position - 1]
        return LabWork(commits: [step.inverse], finish: { try self.wentBack(step) })
    }

    private func wentBack(_ step: LabStep) throws -> Outcome {
        let after = state
        if step.chapter != nil { try leaveChapter() }
        try retreat(step.inverse, to: step.mappings)
        position -= 1
        state = try list.state()
        lastMove = LabMove(
            step: step, way: .backwards, outcome: step.advance.outcome.inverted,
            problem: problemBack(step, after), before: state, reached: step.reconfigured ?? state, after: after)
        return step.outcome.inverted
    }

    func steppingForward() throws -> LabWork {
        try checkSettled()
        guard position < steps.count else { throw LabRefusal("This is the end of the timeline.") }
        let step = steps[position]
        guard let chapter = step.chapter else { return performing(step.step, again: true) }
        return LabWork(finish: { try self.begin(chapter, again: true) })
    }

    /// Goes to a position of the timeline, step by step.
    func go(to place: Int) throws {
        while position > place { _ = try stepBack() }
        while position < place { _ = try stepForward() }
    }

    private func checkSettled() throws {
        guard collected.isEmpty, held.isEmpty else {
            throw LabRefusal("Commit and show the waiting edits, or undo them, before you go along the timeline.")
        }
    }

    /// Returns an error unless the step back leads to exactly what was shown before.
    private func problemBack(_ step: LabStep, _ after: ListState) -> String? {
        guard state.hashValue == step.fingerprints.before else {
            return "going back does not lead to what was shown before"
        }
        let reached = step.reconfigured ?? state
        guard case .changes(let changes) = step.advance.outcome.inverted else { return nil }
        do {
            let applied = try changes.applying(to: after.shown) { reached.shown[$0] }
            return applied.firstDifference(from: reached.shown)
        } catch {
            return "\(error)"
        }
    }

    /// Jumps to a commit that undid others, and restores the value of the mappings.
    private func retreat(_ inverse: [RowOperation], to mappings: Mappings) throws {
        _ = rows.perform(inverse)
        try list.retreat(to: mappings)
    }
}
