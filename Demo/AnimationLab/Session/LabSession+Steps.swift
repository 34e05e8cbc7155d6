import LiveTable

extension LabSession {
    /// Takes the step of a scenario as if the user had done it.
    ///
    /// - Parameter again: whether it is already the next step of the timeline.
    func perform(_ step: DatabaseScenario.Step, again: Bool = false) throws -> Outcome {
        try run(performing(step, again: again)) ?? .none
    }

    func performing(_ step: DatabaseScenario.Step, again: Bool = false) -> LabWork {
        LabWork(
            commits: step.commits,
            committed: { index, time in
                let operations = step.commits[index]
                self.hold(LabChange(operations: operations, inverse: self.rows.perform(operations)), time: time)
            },
            finish: {
                let reconfigured = try step.reconfigure.map { try self.reconfigured($0) }
                return try self.takeStep(reconfigure: step.reconfigure, reconfigured, again: again)
            })
    }

    /// Makes the calls and returns what the list shows then, before it jumps.
    func reconfigured(_ calls: [MappingsCall]) throws -> ListState {
        list.reconfigure(calls)
        return try list.state()
    }

    /// Jumps to the committed state: a step of the timeline.
    func takeStep(
        reconfigure: [MappingsCall]?, _ reconfigured: ListState? = nil, again: Bool = false
    ) throws -> Outcome {
        let advance = try list.advance()
        let result = DatabaseResult.Step(
            before: reconfigured, after: try list.state(), notifications: advance.notifications,
            hasChanges: advance.hasChanges, outcome: advance.outcome, log: advance.log)
        let step = LabStep(
            DatabaseScenario.Step(reconfigure: reconfigure, commits: held.map(\.operations)),
            inverse: held.reversed().flatMap(\.inverse), before: state, result: result, advance: advance,
            commitTime: heldTime, flaw: result.flaws(from: reconfigured ?? state, named: advance.log.rows).first)
        held = []
        heldTime = .zero
        place(step, result, again: again)
        return step.outcome
    }

    /// Puts a step on the timeline: it replaces all steps that were undone or, if it is taken again, itself.
    func place(_ step: LabStep, _ result: DatabaseResult.Step, again: Bool) {
        if again {
            steps[position] = step
        } else {
            steps.removeSubrange(position...)
            steps.append(step)
        }
        position += 1
        lastResult = result
        lastMove = LabMove(
            step: step, way: .forwards, outcome: step.advance.outcome, problem: step.flaw?.text, before: state,
            reached: result.before ?? state, after: result.after)
        state = result.after
    }
}
