import LiveTable

extension LabSession {
    /// Performs an edit: commits it and jumps, or collects it.
    ///
    /// - Returns: the outcome for the table; nil if the list is not affected yet.
    /// - Throws: `LabRefusal` if the edit is impossible.
    func perform(_ edit: LabEdit) throws -> Outcome? { try run(performing(edit)) }

    /// Commits the collected edits as one transaction, and jumps unless commits are held back.
    func commit() throws -> Outcome? { try run(committing()) }

    /// Makes calls on the mappings and lets the list follow.
    func configure(_ calls: [MappingsCall]) throws -> Outcome { try run(configuring(calls)) ?? .none }

    /// Shows the commits that were held back, in one jump.
    func jump() throws -> Outcome {
        guard !held.isEmpty else { throw LabRefusal("The list has seen every commit.") }
        return try takeStep(reconfigure: nil)
    }

    func performing(_ edit: LabEdit) throws -> LabWork {
        try checkEditable()
        let editor = LabEditor(rows: rows, groups: groups) { self.list.mappings.isReversed(forGroup: $0) }
        return performing(try editor.operations(for: edit, using: &random))
    }

    private func performing(_ operations: [RowOperation]) -> LabWork {
        // Collected edits must be committed before anything later.
        guard isCollecting || !collected.isEmpty else {
            return LabWork(
                commits: [operations],
                committed: { _, time in
                    self.hold(
                        LabChange(operations: operations, inverse: self.rows.perform(operations)), time: time)
                }, finish: showUnlessHolding)
        }
        return LabWork(finish: {
            self.collected.append(LabChange(operations: operations, inverse: self.rows.perform(operations)))
            return nil
        })
    }

    func committing() throws -> LabWork {
        guard !collected.isEmpty else { throw LabRefusal("No edits are collected.") }
        let change = LabChange(
            operations: collected.flatMap(\.operations), inverse: collected.reversed().flatMap(\.inverse))
        return LabWork(
            commits: [change.operations],
            committed: { _, time in
                self.hold(change, time: time)
                self.collected = []
            }, finish: showUnlessHolding)
    }

    /// Calls on the mappings. The sections change only at the next jump, so one follows at once, to a commit that
    /// records the calls in a row without a group.
    func configuring(_ calls: [MappingsCall]) throws -> LabWork {
        try checkNothingHeld()
        let note = LabRow(sort: position, text: "\(calls.json)")
        let operations: [RowOperation] = [.set(Self.note, note, metadata: nil)]
        return LabWork(
            commits: [operations],
            committed: { _, time in
                self.withoutCollected {
                    self.hold(
                        LabChange(operations: operations, inverse: self.rows.perform(operations)), time: time)
                }
            },
            finish: {
                // The list is still at the snapshot before the commit.
                try self.takeStep(reconfigure: calls, self.reconfigured(calls))
            })
    }

    /// - Throws: `LabRefusal` if the rows of the list are none that can be edited.
    func checkEditable() throws(LabRefusal) {
        guard stages.isEmpty else {
            throw LabRefusal("The rows of this list follow from others. Take the steps of its timeline: Right, or x.")
        }
    }

    /// In a collection from which nothing follows.
    private static let note = RowKey(collection: "lab", key: "mappings")

    private func showUnlessHolding() throws -> Outcome? { isHolding ? nil : try jump() }

    func checkNothingHeld() throws {
        guard held.isEmpty else {
            throw LabRefusal("Show the held commits first: mappings change between two jumps.")
        }
    }

    /// Runs the body on the committed rows, without collected edits.
    func withoutCollected<Value>(_ body: () throws -> Value) rethrows -> Value {
        let waiting = collected
        for change in waiting.reversed() { _ = rows.perform(change.inverse) }
        defer { collected = waiting.map { LabChange(operations: $0.operations, inverse: rows.perform($0.operations)) } }
        return try body()
    }
}
