import LiveTable

extension LabScreen {
    /// Runs commits and calls back on the main actor.
    typealias Commit =
        @MainActor (
            LabDatabase, [RowOperation], @escaping @MainActor @Sendable (Result<Duration, any Error>) -> Void
        ) -> Void

    /// Commits before the call returns, for tests.
    static let commitAtOnce: Commit = { database, operations, done in
        let start = ContinuousClock.now
        done(Result { try database.commit(operations) }.map { .now - start })
    }

    static let commitInBackground: Commit = { $0.commit($1, then: $2) }

    /// Lets the session do work, then calls `finish` with the outcome for the table.
    func begin(_ work: LabWork, finish: @escaping (Outcome?) throws -> Void) {
        state.work = LabWaiting(start: now())
        commit(work, from: 0, finish)
    }

    private func commit(
        _ work: LabWork, from index: Int, _ finish: @escaping (Outcome?) throws -> Void
    ) {
        guard index < work.commits.count else { return end { try finish(work.finish()) } }
        let next = Next(work: work, index: index, finish: finish)
        write(session.database, work.commits[index]) { [weak self] result in self?.committed(next, result) }
    }

    /// The continuation after a commit.
    @MainActor private final class Next {
        let work: LabWork
        let index: Int
        let finish: (Outcome?) throws -> Void

        init(work: LabWork, index: Int, finish: @escaping (Outcome?) throws -> Void) {
            (self.work, self.index, self.finish) = (work, index, finish)
        }
    }

    private func committed(_ next: Next, _ result: Result<Duration, any Error>) {
        do {
            try next.work.committed(next.index, try result.get())
        } catch {
            state.failedCommit = error
            return end { throw error }
        }
        commit(next.work, from: next.index + 1, next.finish)
    }

    /// Handles the waiting keys. After a failure they are dropped, because they referred to a result that does not
    /// exist.
    private func end(_ finish: () throws -> Void) {
        guard let ended = state.work else { return }
        state.work = nil
        let before = state.screen.message
        state.screen.message = nil
        attempt(finish)
        let failure = state.screen.message.flatMap { $0.isFailure ? $0.text : nil }
        if state.screen.message == nil { state.screen.message = before }
        if ended.hasForeignCommit { followForeignCommit(of: session.database.database) }
        if let failure, !ended.keys.isEmpty {
            show(failure: "\(failure) The keys typed since then were dropped.")
        } else {
            for event in ended.keys { if state.work == nil { handle(event) } else { state.work?.wait(event) } }
        }
        state.screen.redraw()
    }
}
