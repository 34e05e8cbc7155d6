import LiveTable

extension LabSession {
    /// Returns whether the file has other rows than those committed here.
    func hasForeignRows() throws -> Bool { LabRows(try database.allRows()) != withoutCollected { rows } }

    /// Shows the commits of another program.
    ///
    /// They cannot be undone here: if they changed rows, a new timeline begins with the present rows and mappings.
    /// Collected edits stay collected; held commits are shown with the others.
    ///
    /// - Returns: the outcome for the table; nil if the rows are the same and the list is not affected.
    func followForeignCommit() throws -> Outcome? {
        if !held.isEmpty, try !hasForeignRows() { return nil }
        let before = state
        let advance = try list.advance()
        // From here on everything is of the state to which the list has jumped, although the other program may go on.
        let now = LabRows(try database.rowsOfReader())
        guard now != withoutCollected({ rows }) else { return advance.outcome == .none ? nil : advance.outcome }
        let reached = try list.state()
        let chapter = LabChapter(
            setup: MappingsSetup(setup.groups, like: reached.mappings, names: groupsSetUp), initial: now.operations)
        list = try LabList(chapter.setup, of: database, jumps: false)
        restart(chapter, rows: now, state: try list.state())
        let outcome =
            state.shown == reached.shown
            ? advance.outcome : Outcome(from: before.shown, to: state.shown)
        let result = DatabaseResult.Step(
            before: nil, after: state, notifications: advance.notifications, hasChanges: advance.hasChanges,
            outcome: outcome, log: advance.log)
        let step = LabStep(
            DatabaseScenario.Step(commits: []), inverse: [], before: before, result: result, advance: advance,
            commitTime: .zero,
            flaw: outcome == .reload ? nil : outcome.changeSet.flaw(from: before.shown, to: state.shown))
        lastMove = LabMove(
            step: step, way: .foreign, outcome: outcome, problem: step.flaw?.text, before: before,
            reached: before, after: state)
        return outcome
    }

    private func restart(_ chapter: LabChapter, rows: LabRows, state: ListState) {
        let waiting = collected.map(\.operations)
        opening = chapter
        steps = []
        (position, chapterStart) = (0, 0)
        held = []
        heldTime = .zero
        self.state = state
        self.rows = rows
        collected = waiting.map { LabChange(operations: $0, inverse: self.rows.perform($0)) }
    }
}
