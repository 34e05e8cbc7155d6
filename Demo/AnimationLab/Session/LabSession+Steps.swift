import LiveTable

extension LabSession {
    /// Takes the step of a scenario as if it had been done by hand.
    func take(_ step: DatabaseScenario.Step) throws -> YapDatabaseViewOutcome {
        let reconfigured = try step.reconfigure.map { try self.reconfigured($0) }
        try hold(step.commits)
        return try takeStep(reconfigure: step.reconfigure, reconfigured)
    }

    /// Does the calls; what the list shows then, before it jumps.
    func reconfigured(_ calls: [MappingsCall]) throws -> ListState {
        list.reconfigure(calls)
        return try list.state()
    }

    /// Jumps to what was committed: a step of the timeline.
    func takeStep(
        reconfigure: [MappingsCall]?, _ reconfigured: ListState? = nil
    ) throws -> YapDatabaseViewOutcome {
        let advance = try list.advance()
        let after = try list.state()
        let result = DatabaseResult.Step(
            before: reconfigured, after: after, notifications: advance.notifications, hasChanges: advance.hasChanges,
            outcome: advance.outcome, log: advance.log)
        let step = LabStep(
            step: DatabaseScenario.Step(reconfigure: reconfigure, commits: held.map(\.operations)),
            inverse: held.reversed().flatMap(\.inverse), before: state, result: result, advance: advance,
            commitTime: heldTime, flaw: result.flaws(from: reconfigured ?? state, named: advance.log.rows).first)
        held = []
        heldTime = .zero
        append(step)
        return step.outcome
    }

    /// Puts a step on the timeline in place of all that was taken back.
    func append(_ step: LabStep) {
        steps.removeSubrange(position...)
        steps.append(step)
        position += 1
        state = step.after
        lastMove = LabMove(step: step, way: .forwards, outcome: step.advance.outcome, problem: step.flaw?.text)
    }

    private func hold(_ commits: [[RowOperation]]) throws {
        for operations in commits {
            let start = ContinuousClock.now
            try database.commit(operations)
            heldTime += .now - start
            held.append(LabChange(operations: operations, inverse: rows.perform(operations)))
        }
    }
}
