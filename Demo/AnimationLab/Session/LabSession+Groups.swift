import LiveTable

extension LabSession {
    /// Has the list show other groups, or the same in another order.
    ///
    /// Groups are chosen when mappings are made. So new ones are made, set up like those before, and the way to them is
    /// found by comparing what both show.
    func regroup(_ groups: MappingsSetup.Groups) throws -> YapDatabaseViewOutcome {
        try checkNothingHeld()
        return try withoutCollected {
            try begin(
                LabChapter(
                    setup: MappingsSetup(groups, like: state.mappings, names: groupsSetUp), initial: rows.operations))
        }
    }

    /// Begins a chapter with a step of the timeline.
    ///
    /// - Parameter again: it is the next step of the timeline already.
    func begin(_ chapter: LabChapter, again: Bool = false) throws -> YapDatabaseViewOutcome {
        let start = ContinuousClock.now
        list = try LabList(chapter.setup, of: database)
        let after = try list.state()
        let outcome = YapDatabaseViewOutcome(from: state.shown, to: after.shown)
        let snapshot = database.reader.snapshot
        let advance = LabList.Advance(
            notifications: 0, hasChanges: false, log: [], outcome: outcome, snapshots: (snapshot, snapshot),
            jumpTime: .zero, changesTime: .now - start)
        let result = DatabaseResult.Step(
            before: nil, after: after, notifications: 0, hasChanges: false, outcome: outcome)
        let flaw = outcome == .reload ? nil : outcome.changeSet.flaw(from: state.shown, to: after.shown)
        place(
            LabStep(
                DatabaseScenario.Step(commits: []), chapter: chapter, inverse: [], before: state, result: result,
                advance: advance, commitTime: .zero, flaw: flaw), result, again: again)
        chapterStart = position
        return outcome
    }

    /// Goes back to the mappings of the chapter before.
    func leaveChapter() throws {
        chapterStart = steps[..<(chapterStart - 1)].lastIndex { $0.chapter != nil }.map { $0 + 1 } ?? 0
        list = try LabList(chapter.setup, of: database)
    }

    /// Every group that one may ask for: of the mappings, of their setup, and of rows; those of a list in its order.
    var knownGroups: [String] {
        let first: [String] = if case .list(let names) = setup.groups { names } else { [] }
        let others = Set(state.mappings.allGroups).union(setup.groups.names ?? []).union(rows.groups).subtracting(first)
        return first + others.sorted()
    }

    /// The groups for which something may be set up.
    var groupsSetUp: [String] {
        let calls =
            chapter.setup.config + chapterSteps.prefix(position - chapterStart).flatMap { $0.step.reconfigure ?? [] }
        return Set(calls.compactMap(\.group)).sorted()
    }
}
