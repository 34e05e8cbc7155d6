import ListChanges

/// The last commits of this process, in order and without a gap.
///
/// A writer publishes its record before it says `COMMIT` and withdraws it if that fails; so whoever reads number n in
/// the file finds record n here, unless another process wrote it.
final class CommitLog: Sendable {
    /// Commits to remember for a reader that does not move. One that is further behind learns only that much changed.
    static let commitLimit = 4_096
    /// Bytes of records to remember, over all commits, as ``Commit/size`` estimates them.
    static let sizeLimit = 20 << 20

    /// Bytes of shared values to keep, as they are stored, over all commits: readers find the others in the file.
    static let sharedLimit = 4 << 20

    private let state: Locked<State>

    private struct State {
        /// Consecutive numbers, oldest first; never empty.
        var commits: [Commit]
        /// Sum of their `size`.
        var size: Int
        /// Sum of their `shared.size`.
        var sharedSize = 0
        /// Commits at the beginning whose shared values are gone.
        var valueless = 0
        /// The record that is published, but not yet known to be committed: the last one, unless the log has started anew
        /// since.
        var pending: Commit?
        /// What nobody was told of yet, in the order in which it came into the log.
        var unannounced: [Commit] = []

        var hasPending: Bool { commits[commits.count - 1] === pending }
        var tip: FileVersion { commits[commits.count - 1].snapshot.mark }

        /// - Returns: shared values that are let go of.
        mutating func restart(at commit: Commit) -> [[RowKey: SharedRow]] {
            defer {
                commits = [commit]
                (size, sharedSize, valueless) = (commit.size, 0, 0)
            }
            return commits.map { $0.dropShared() }
        }
    }

    init(base: Commit) { state = Locked(State(commits: [base], size: base.size)) }

    /// The end of the log, also where that commit is not yet known to be made.
    var tip: FileVersion { state.withLock { $0.tip } }

    /// The newest snapshot that is known to be committed.
    var latest: Snapshot {
        state.withLock { $0.commits[$0.commits.count - ($0.hasPending ? 2 : 1)].snapshot }
    }

    /// The version of the newest commit, and of one that is about to be made.
    var newestVersions: [FileVersion] {
        state.withLock { state in state.commits.suffix(state.hasPending ? 2 : 1).map(\.snapshot.mark) }
    }

    /// The oldest snapshot from which the log leads on.
    var oldest: Snapshot { state.withLock { $0.commits[0].snapshot } }

    /// Adds the record of the commit that is about to be made on a state. Where the log does not end with that state, because a
    /// reader has put an older one there meanwhile, it starts again from it.
    func publish(_ commit: Commit, on before: Snapshot) {
        // Destroyed when the lock is free again.
        var dropped: [[RowKey: SharedRow]] = []
        defer { withExtendedLifetime(dropped) {} }
        state.withLock { state in
            if state.tip != before.mark { dropped = state.restart(at: Commit(snapshot: before, isExternal: true)) }
            state.commits.append(commit)
            state.unannounced.append(commit)
            state.size += commit.size
            state.sharedSize += commit.shared.size
            state.pending = commit
        }
    }

    /// The newest record is committed.
    func confirm() { state.withLock { $0.pending = nil } }

    /// Takes the newest record out again, because its commit failed. Where another process has committed since, the log
    /// may have started anew without it.
    func withdraw(_ commit: Commit) {
        state.withLock { state in
            state.pending = nil
            state.unannounced.removeAll { $0 === commit }
            guard state.commits.last === commit else { return }
            state.commits.removeLast()
            state.sharedSize -= commit.shared.size
            state.valueless = min(state.valueless, state.commits.count)
            state.size -= commit.size
        }
    }

    /// Adds the records of commits that another process made after the newest one here.
    /// - Returns: false when the newest one is another by now; then somebody else has added them.
    func extend(by commits: [Commit], after mark: FileVersion) -> Bool {
        state.withLock { state in
            guard !state.hasPending, state.commits[state.commits.count - 1].snapshot.mark == mark else { return false }
            state.commits += commits
            state.unannounced += commits
            for commit in commits { state.size += commit.size }
            return true
        }
    }

    /// Starts the log again at a state to which no record leads: another process committed without a record, or the file went
    /// back to an earlier state.
    ///
    /// Numbers do not tell which of two states is the newer one, because a file may go back. The order of events does: a
    /// transaction that began after the log ended with `tip` reads that state or one that was made later.
    ///
    /// - Parameter tip: the end of the log before the transaction began that found the state.
    /// - Returns: the record of the state, perhaps one that another connection has put here; nil where the log has changed since
    ///   `tip`, so that the state may be an older one: then begin again. A state whose counter could not be read comes back as it
    ///   is, and is neither kept nor announced.
    func adopt(_ commit: Commit, after tip: FileVersion) -> Commit? {
        // Destroyed when the lock is free again.
        var dropped: [[RowKey: SharedRow]] = []
        defer { withExtendedLifetime(dropped) {} }
        return state.withLock { state in
            if let known = state.commits.last, known.snapshot.mark == commit.snapshot.mark { return known }
            guard commit.snapshot.mark.isExact else { return commit }
            guard state.tip == tip else { return nil }
            dropped = state.restart(at: commit)
            state.unannounced.append(commit)
            return commit
        }
    }

    /// The commits that are still to be announced, in order, each once. What another process built on a commit that is not
    /// yet known to be made here waits for it: whoever confirms or withdraws that one has to ask again.
    func popUnannounced() -> [Commit] {
        state.withLock { state in
            let end = state.unannounced.firstIndex { $0 === state.pending } ?? state.unannounced.count
            let later = Array(state.unannounced[end...])
            defer { state.unannounced = later }
            return later.isEmpty ? state.unannounced : Array(state.unannounced[..<end])
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

    /// Forgets the commits that every reader has seen, and the oldest where there are too many; and the shared values of
    /// the oldest that stay, where they take too much. Readers find the values in the file then.
    func trim(keepingAfter number: Int) {
        // Destroyed when the lock is free again.
        var dropped: [[RowKey: SharedRow]] = []
        defer { withExtendedLifetime(dropped) {} }
        state.withLock { state in
            var drop = 0
            var recorded = state.size
            // The newest that is known to be committed stays, beside one that is about to be.
            let kept = state.hasPending ? 2 : 1
            while drop < state.commits.count - kept {
                let oldest = state.commits[drop]
                let isOver = state.commits.count - drop > Self.commitLimit || recorded > Self.sizeLimit
                guard isOver || oldest.snapshot.number <= number else { break }
                recorded -= oldest.size
                drop += 1
            }
            let enough = state.sharedSize - Self.sharedLimit
            var size = 0
            while state.valueless < state.commits.count, state.valueless < drop || size < enough {
                dropped.append(state.commits[state.valueless].dropShared())
                size += dropped[dropped.count - 1].size
                state.valueless += 1
            }
            if drop > 0 { state.commits.removeFirst(drop) }
            state.size = recorded
            state.sharedSize -= size
            state.valueless -= drop
        }
    }
}
