import LiveTable

/// Work of a session: commits, which may have to wait for other programs, and their effects.
///
/// The caller runs `committed` after each commit, in order, and `finish` at the end. If a commit fails, the rest is not
/// done, and the session is in the state after the commits before.
struct LabWork {
    var commits: [[RowOperation]] = []
    /// Called with the number of the commit and its duration.
    var committed: (Int, Duration) throws -> Void = { _, _ in }
    /// Returns the outcome for the table; nil if the list is not affected yet.
    var finish: () throws -> Outcome? = { nil }
}

extension LabSession {
    /// Does the work before returning.
    @discardableResult
    func run(_ work: LabWork) throws -> Outcome? {
        for (index, operations) in work.commits.enumerated() {
            let start = ContinuousClock.now
            try database.commit(operations)
            try work.committed(index, .now - start)
        }
        return try work.finish()
    }

    /// Records a commit that the list has not seen.
    func hold(_ change: LabChange, time: Duration) {
        heldTime += time
        held.append(change)
    }
}
