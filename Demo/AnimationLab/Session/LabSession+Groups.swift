import LiveTable

extension LabSession {
    /// Shows other groups, or the same in another order.
    ///
    /// Groups are chosen when mappings are created. So this creates new ones with the same settings and computes the
    /// changes by comparing what both show.
    func regroup(_ groups: MappingsSetup.Groups) throws -> Outcome {
        try checkNothingHeld()
        return try withoutCollected {
            try begin(
                LabChapter(
                    setup: MappingsSetup(groups, like: state.mappings, names: groupsSetUp), initial: rows.operations))
        }
    }

    /// Begins a chapter with a step of the timeline.
    ///
    /// - Parameter again: whether it is already the next step of the timeline.
    func begin(_ chapter: LabChapter, again: Bool = false) throws -> Outcome {
        let start = ContinuousClock.now
        list = try LabList(chapter.setup, of: database)
        let after = try list.state()
        let outcome = Outcome(from: state.shown, to: after.shown)
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

    /// Restores the mappings of the chapter before.
    func leaveChapter() throws {
        chapterStart = steps[..<(chapterStart - 1)].lastIndex { $0.chapter != nil }.map { $0 + 1 } ?? 0
        list = try LabList(chapter.setup, of: database)
    }

    /// All known groups: of the mappings, of their settings, and of rows; those of a list in its order.
    var knownGroups: [String] {
        let first: [String] = if case .list(let names) = setup.groups { names } else { [] }
        let others = Set(state.mappings.allGroups).union(setup.groups.names ?? []).union(groupsOfRows).subtracting(
            first)
        return first + others.sorted()
    }

    /// The groups that may have settings.
    var groupsSetUp: [String] {
        let calls =
            chapter.setup.config + chapterSteps.prefix(position - chapterStart).flatMap { $0.step.reconfigure ?? [] }
        return Set(calls.compactMap(\.group)).sorted()
    }
}
