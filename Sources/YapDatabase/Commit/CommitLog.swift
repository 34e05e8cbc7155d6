import Synchronization

/// The last commits of this process, in order and without a gap.
///
/// A writer publishes its record before it says `COMMIT` and withdraws it if that fails; so whoever reads number n in
/// the file finds record n here, unless another process wrote it.
final class CommitLog: Sendable {
    /// Commits to remember for a reader that does not move. One that is further behind learns only that much changed.
    static let commitLimit = 4_096
    /// Changed rows to remember, over all commits: about 100 bytes each.
    static let rowLimit = 200_000

    private let state: Mutex<State>

    private struct State {
        /// Consecutive numbers, oldest first; never empty.
        var commits: [Commit]
        /// Sum of their `changes.count`.
        var rows: Int
    }

    init(base: Commit) { state = Mutex(State(commits: [base], rows: base.changes.count)) }

    /// The newest snapshot of this process, which may be about to be committed.
    var latest: Snapshot { state.withLock { $0.commits[$0.commits.count - 1].snapshot } }

    /// Adds the record of the commit that is about to be made.
    func publish(_ commit: Commit) {
        state.withLock { state in
            precondition(
                state.commits[state.commits.count - 1].snapshot.number + 1 == commit.snapshot.number,
                "A commit builds on the commit before it.")
            state.commits.append(commit)
            state.rows += commit.changes.count
        }
    }

    /// Takes the newest record out again, because its commit failed.
    func withdraw(_ commit: Commit) {
        state.withLock { state in
            precondition(state.commits.count > 1 && state.commits.last === commit, "Only the newest commit can fail.")
            state.commits.removeLast()
            state.rows -= commit.changes.count
        }
    }

    /// Starts the log anew at a snapshot that another process made.
    /// - Returns: the record for it: `commit`, or the one that another connection was first to put here.
    func adopt(_ commit: Commit) -> Commit {
        state.withLock { state in
            let newest = state.commits[state.commits.count - 1]
            if newest.snapshot.number == commit.snapshot.number { return newest }
            if newest.snapshot.number > commit.snapshot.number { return commit }
            state = State(commits: [commit], rows: 0)
            return commit
        }
    }

    /// The record of one snapshot, nil when it is not remembered or not of this process.
    func commit(_ number: Int) -> Commit? {
        state.withLock { state in
            let index = number - state.commits[0].snapshot.number
            return state.commits.indices.contains(index) ? state.commits[index] : nil
        }
    }

    /// The commits that lead from one snapshot to a later one, in order; nil when there is a link missing.
    func commits(after before: Int, through after: Int) -> [Commit]? {
        state.withLock { state in
            let first = state.commits[0].snapshot.number
            let start = before + 1 - first
            let end = after + 1 - first
            guard start >= 0, end >= start, end <= state.commits.count else { return nil }
            return Array(state.commits[start..<end])
        }
    }

    /// Forgets the commits that every reader has seen, and the oldest where there are too many.
    func trim(keepingAfter number: Int) {
        state.withLock { state in
            var drop = 0
            var rows = state.rows
            while drop < state.commits.count - 1 {
                let oldest = state.commits[drop]
                let isOver = state.commits.count - drop > Self.commitLimit || rows > Self.rowLimit
                guard isOver || oldest.snapshot.number <= number else { break }
                rows -= oldest.changes.count
                drop += 1
            }
            state.commits.removeFirst(drop)
            state.rows = rows
        }
    }
}
