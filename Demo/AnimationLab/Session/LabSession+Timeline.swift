import LiveTable

extension LabSession {
    /// Takes back the last thing done: a collected edit, a held commit, or a step.
    ///
    /// - Returns: what the table has to do; nil while the list has seen nothing of it.
    func undo() throws -> YapDatabaseViewOutcome? {
        if let change = collected.popLast() {
            _ = rows.perform(change.inverse)
            return nil
        }
        guard !held.isEmpty else { return try stepBack() }
        let kept = held.dropLast()
        try restore(held, state.mappings)
        held = []
        heldTime = .zero
        for change in kept {
            try database.commit(change.operations)
            held.append(LabChange(operations: change.operations, inverse: rows.perform(change.operations)))
        }
        return nil
    }

    /// Goes one step back along the timeline.
    func stepBack() throws -> YapDatabaseViewOutcome {
        try checkSettled()
        guard position > 0 else { throw LabRefusal("This is the beginning.") }
        let step = steps[position - 1]
        let after = state
        if step.chapter != nil { try leaveChapter() }
        try restore([LabChange(operations: step.operations, inverse: step.inverse)], step.mappings)
        position -= 1
        state = try list.state()
        lastMove = LabMove(
            step: step, way: .backwards, outcome: step.advance.outcome.inverted,
            problem: problemBack(step, after), before: state, reached: step.reconfigured ?? state, after: after)
        return step.outcome.inverted
    }

    /// Takes the next step of the timeline again.
    func stepForward() throws -> YapDatabaseViewOutcome {
        try checkSettled()
        guard position < steps.count else { throw LabRefusal("This is the end of the timeline.") }
        let step = steps[position]
        return try step.chapter.map { try begin($0, again: true) } ?? take(step.step, again: true)
    }

    /// Goes to a place of the timeline, step by step.
    func go(to place: Int) throws {
        while position > place { _ = try stepBack() }
        while position < place { _ = try stepForward() }
    }

    private func checkSettled() throws {
        guard collected.isEmpty, held.isEmpty else {
            throw LabRefusal("Commit and show what is waiting, or take it back, before you go along the timeline.")
        }
    }

    /// The way back must lead to exactly what was shown before.
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

    /// Takes commits back: the rows by another commit, the mappings by giving them the value that they had.
    private func restore(_ changes: [LabChange], _ mappings: Mappings) throws {
        let inverse = changes.reversed().flatMap(\.inverse)
        try database.commit(inverse)
        _ = rows.perform(inverse)
        try list.retreat(to: mappings)
    }
}
