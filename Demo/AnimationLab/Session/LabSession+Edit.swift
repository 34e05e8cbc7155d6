import LiveTable

extension LabSession {
    /// Does an edit: commits it and jumps, or collects it.
    ///
    /// - Returns: what the table has to do; nil while the list sees nothing of it.
    /// - Throws: `LabRefusal` when the edit makes no sense.
    func perform(_ edit: LabEdit) throws -> YapDatabaseViewOutcome? {
        let editor = LabEditor(rows: rows, groups: groups) { self.list.mappings.isReversed(forGroup: $0) }
        return try perform(try editor.operations(for: edit, using: &random))
    }

    func perform(_ operations: [RowOperation]) throws -> YapDatabaseViewOutcome? {
        // What was collected must be committed before anything that came later.
        guard isCollecting || !collected.isEmpty else { return try commit(operations) }
        collected.append(LabChange(operations: operations, inverse: rows.perform(operations)))
        return nil
    }

    /// Commits the collected edits as one transaction, and jumps unless commits are held back.
    func commit() throws -> YapDatabaseViewOutcome? {
        guard !collected.isEmpty else { throw LabRefusal("No edits are collected.") }
        let change = LabChange(
            operations: collected.flatMap(\.operations), inverse: collected.reversed().flatMap(\.inverse))
        try write(change)
        collected = []
        return isHolding ? nil : try jump()
    }

    /// Shows the commits that were held back, in one jump.
    func jump() throws -> YapDatabaseViewOutcome {
        guard !held.isEmpty else { throw LabRefusal("The list has seen every commit.") }
        return try takeStep(reconfigure: nil)
    }

    /// Does calls on the mappings, and has the list follow.
    ///
    /// Which sections there are is found out at the next jump. So one comes right behind: to a commit that writes down
    /// the calls in a row that is in no group.
    func configure(_ calls: [MappingsCall]) throws -> YapDatabaseViewOutcome {
        try checkNothingHeld()
        let key = RowKey.lab("mappings")
        let note = LabRow(group: nil, sort: position, text: "\(calls.json)")
        return try withoutCollected {
            let reconfigured = try reconfigured(calls)
            let operations: [RowOperation] = [.set(key, note, metadata: nil)]
            try write(LabChange(operations: operations, inverse: rows.perform(operations)))
            return try takeStep(reconfigure: calls, reconfigured)
        }
    }

    func checkNothingHeld() throws {
        guard held.isEmpty else {
            throw LabRefusal("Show the held commits first: mappings are set up between two jumps.")
        }
    }

    /// Does something to the rows that are committed, as if no edits were collected.
    func withoutCollected<Value>(_ body: () throws -> Value) rethrows -> Value {
        let waiting = collected
        for change in waiting.reversed() { _ = rows.perform(change.inverse) }
        defer { collected = waiting.map { LabChange(operations: $0.operations, inverse: rows.perform($0.operations)) } }
        return try body()
    }

    private func commit(_ operations: [RowOperation]) throws -> YapDatabaseViewOutcome? {
        var after = rows
        let inverse = after.perform(operations)
        try write(LabChange(operations: operations, inverse: inverse))
        rows = after
        return isHolding ? nil : try jump()
    }

    private func write(_ change: LabChange) throws {
        let start = ContinuousClock.now
        try database.commit(change.operations)
        heldTime += .now - start
        held.append(change)
    }
}
