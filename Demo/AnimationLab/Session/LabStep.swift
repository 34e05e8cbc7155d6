import LiveTable

/// One step of the timeline: what was done between two jumps, and its result.
///
/// It keeps the changes, not the rows, because timelines and lists may be long. The rows before are restored by going
/// back there and are checked by their fingerprint.
struct LabStep {
    let step: DatabaseScenario.Step
    /// The chapter that begins with the step; nil if the groups stay the same.
    var chapter: LabChapter?
    /// The inverse of the step's operations.
    let inverse: [RowOperation]
    /// The mappings before the step.
    let mappings: Mappings
    /// Hash values of the lists before and after.
    let fingerprints: (before: Int, after: Int)
    /// The state after reconfiguring and before the commits; nil if it equals the state before.
    let reconfigured: ListState?
    let advance: LabList.Advance
    /// The changes that lead a table from the list before to the list after.
    ///
    /// Ranges and reversal take effect at once, before any change-set: the changes are then computed by comparing both
    /// lists.
    let outcome: Outcome
    let commitTime: Duration
    /// How the law is broken; nil if it holds.
    let flaw: Flaw?
}

extension LabStep {
    /// - Parameter result: the result of the step, in the form of a replay.
    init(
        _ step: DatabaseScenario.Step, chapter: LabChapter? = nil, inverse: [RowOperation], before: ListState,
        result: DatabaseResult.Step, advance: LabList.Advance, commitTime: Duration, flaw: Flaw?
    ) {
        let isSeen = result.before.map { $0.shown != before.shown } ?? false
        self.init(
            step: step, chapter: chapter, inverse: inverse, mappings: before.mappings,
            fingerprints: (before.hashValue, result.after.hashValue), reconfigured: isSeen ? result.before : nil,
            advance: advance,
            outcome: isSeen ? Outcome(from: before.shown, to: result.after.shown) : result.outcome,
            commitTime: commitTime, flaw: flaw)
    }
}
