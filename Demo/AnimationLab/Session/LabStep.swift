import LiveTable

/// One step of the timeline: what was done between two looks at the view, and what came of it.
///
/// It keeps what changed, not the rows: a timeline is long, and a list may be. What was shown before is found again by going
/// there, and told by its fingerprint.
struct LabStep {
    let step: DatabaseScenario.Step
    /// The chapter that begins with the step; nil when the groups are those of before.
    var chapter: LabChapter?
    /// What takes the step's operations back.
    let inverse: [RowOperation]
    /// The mappings before.
    let mappings: Mappings
    /// What was shown before and after, as hash values.
    let fingerprints: (before: Int, after: Int)
    /// After reconfiguring and before the commits; nil where nothing else was shown then than before.
    let reconfigured: ListState?
    let advance: LabList.Advance
    /// What a table that shows the list before has to do to show the list after.
    ///
    /// Ranges and reversal show at once, before any change-set: then the way is found by comparing both lists.
    let outcome: YapDatabaseViewOutcome
    let commitTime: Duration
    /// How the law is broken; nil when it holds.
    let flaw: Flaw?
}

extension LabStep {
    /// - Parameter result: what came of the step, as a replay tells it.
    init(
        _ step: DatabaseScenario.Step, chapter: LabChapter? = nil, inverse: [RowOperation], before: ListState,
        result: DatabaseResult.Step, advance: LabList.Advance, commitTime: Duration, flaw: Flaw?
    ) {
        let isSeen = result.before.map { $0.shown != before.shown } ?? false
        self.init(
            step: step, chapter: chapter, inverse: inverse, mappings: before.mappings,
            fingerprints: (before.hashValue, result.after.hashValue), reconfigured: isSeen ? result.before : nil,
            advance: advance,
            outcome: isSeen ? YapDatabaseViewOutcome(from: before.shown, to: result.after.shown) : result.outcome,
            commitTime: commitTime, flaw: flaw)
    }

    /// The operations of all commits, in order.
    var operations: [RowOperation] { step.commits.flatMap { $0 } }
}
