import LiveTable

/// Something that a session does: commits, which may have to wait for other programs, and what each of them leads to.
///
/// Who does it calls `committed` behind each commit, in order, and `finish` at the end. Where a commit fails, nothing of what
/// comes behind it is done, and the session is as the commits before left it.
struct LabWork {
    var commits: [[RowOperation]] = []
    /// With the number of the commit and the time that it took.
    var committed: (Int, Duration) throws -> Void = { _, _ in }
    /// What the table has to do then; nil while the list sees nothing of it.
    var finish: () throws -> YapDatabaseViewOutcome? = { nil }
}

extension LabSession {
    /// Does it here and now.
    @discardableResult
    func run(_ work: LabWork) throws -> YapDatabaseViewOutcome? {
        for (index, operations) in work.commits.enumerated() {
            let start = ContinuousClock.now
            try database.commit(operations)
            try work.committed(index, .now - start)
        }
        return try work.finish()
    }

    /// Takes note of a commit that the list has not seen.
    func hold(_ change: LabChange, time: Duration) {
        heldTime += time
        held.append(change)
    }
}
