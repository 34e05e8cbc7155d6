import LiveTable

/// One step of the timeline: what was done between two looks at the view, and what came of it.
struct LabStep {
    let step: DatabaseScenario.Step
    /// The chapter that begins with the step; nil when the groups are those of before.
    var chapter: LabChapter?
    /// What takes the step's operations back.
    let inverse: [RowOperation]
    let before: ListState
    /// What came of it, as a replay tells it.
    let result: DatabaseResult.Step
    let advance: LabList.Advance
    let commitTime: Duration
    /// How the law is broken; nil when it holds.
    let flaw: Flaw?
}

extension LabStep {
    /// After reconfiguring and before the commits; nil if nothing was reconfigured.
    var reconfigured: ListState? { result.before }

    var after: ListState { result.after }

    /// What a table that shows the list before has to do to show the list after.
    ///
    /// Ranges and reversal show at once, before any change-set: then the way is found by comparing both lists.
    var outcome: YapDatabaseViewOutcome {
        reconfigured.map { $0.shown == before.shown } ?? true
            ? advance.outcome : YapDatabaseViewOutcome(from: before.shown, to: after.shown)
    }

    /// The operations of all commits, in order.
    var operations: [RowOperation] { step.commits.flatMap { $0 } }
}
