import ListChanges

/// The most recent commits that this process knows, consecutive and in order.
///
/// A writer publishes its commit before `COMMIT` and withdraws it if that fails. A connection that reads number n in the file
/// therefore finds commit n here, unless another process made it.
///
/// A long-lived connection that jumps finds up to ``commitLimit`` commits here. Any other connection looks up at most
/// 256. Both drop the cached values that those commits changed, or all cached values if the commits are gone.
///
/// Writers add their commits, and so do connections that find commits of another process. The log remembers which of
/// them are still to be announced, in order. One thread at a time announces all of them, up to the first whose
/// `COMMIT` is still running.
///
/// The commits also carry the values that a policy lets connections share, up to ``sharedLimit`` over all of them.
/// Readers find the rest in the file.
final class CommitLog: Sendable {
    /// The largest number of commits. A reader that is further behind receives one commit that says that anything may have
    /// changed.
    static let commitLimit = 4_096
    /// The largest sum of ``Commit/size`` over all commits.
    static let sizeLimit = 20 << 20

    /// The newest commits whose states are kept, for readers that begin while others commit. After a commit of another process a
    /// state shares nothing with the one before.
    static let stateLimit = 4

    /// The commits that are kept when the log is restarted by one of a program without records, for readers that are not far behind.
    static let formerLimit = 64

    /// The largest sum of stored bytes of shared values. Readers find dropped values in the file.
    static let sharedLimit = 4 << 20

    private let state: Locked<State>

    private struct State {
        /// Consecutive numbers, oldest first; never empty.
        var commits: [Commit]
        /// The commits before a restart, if the one that restarted the log leads on from the last of them.
        var former: [Commit] = []
        /// Sum of their `size`.
        var size: Int
        /// Sum of their `shared.size`.
        var sharedSize = 0
        /// The number of oldest commits whose shared values were dropped.
        var valueless = 0
        /// The number of oldest commits whose states were dropped.
        var stateless = 0
        /// The commit that is published but not yet made: the last one, unless the log was restarted since.
        var pending: Commit?
        /// A state that connections recognize when they begin to read.
        var known: KnownState?
        /// What made the newest state one with more extensions, without a commit (``CommitLog/register(_:on:by:)``).
        var registration: Commit?
        /// Commits not yet announced, in the order in which they entered the log.
        var unannounced: [Commit] = []

        var hasPending: Bool { commits[commits.count - 1] === pending }
        var tip: FileVersion { commits[commits.count - 1].version }
        var latest: Commit { commits[commits.count - (hasPending ? 2 : 1)] }

        /// A number that is greater than that of the pending commit shows that it was made: its writer holds the file's lock until then.
        func awaitsConfirmation(before version: FileVersion) -> Bool {
            hasPending && version.number > commits[commits.count - 1].version.number
        }

        /// - Returns: the dropped shared values.
        mutating func restart(at commit: Commit) -> [[RowKey: CacheUpdate]] {
            let latest = commits
            defer {
                former = commit.before == tip ? (former + latest).suffix(CommitLog.formerLimit) : []
                commits = [commit]
                registration = nil
                (size, sharedSize, valueless, stateless) = (commit.size, 0, 0, 0)
            }
            return latest.map { $0.dropShared() }
        }

        /// - Returns: the dropped states.
        mutating func dropOldStates() -> [Snapshot] {
            let end = commits.count - CommitLog.stateLimit
            guard stateless < end else { return [] }
            defer { stateless = end }
            return commits[stateless..<end].map { $0.dropStates() }
        }
    }

    init(base: Commit) { state = Locked(State(commits: [base], size: base.size)) }

    /// The version of the last commit, made or pending.
    var tip: FileVersion { state.withLock { $0.tip } }

    /// The version of the last commit; a state that can be recognized, the newest one unless it was not read yet; and the last registration on
    /// the newest state that made no commit.
    var start: Start { state.withLock { Start(tip: $0.tip, known: $0.known, registration: $0.registration) } }

    /// What a connection that begins to read needs of the log.
    struct Start {
        let tip: FileVersion
        let known: KnownState?
        let registration: Commit?
    }

    /// Keeps a state that was read, so that other connections recognize it.
    func note(_ known: KnownState) { state.withLock { $0.known = known } }

    /// The newest committed snapshot.
    var latest: Snapshot {
        state.withLock { $0.latest.snapshot }
    }

    /// The version of the newest commit, and of the pending one.
    var newestVersions: [FileVersion] {
        state.withLock { state in state.commits.suffix(state.hasPending ? 2 : 1).map(\.version) }
    }

    /// The oldest snapshot of the log.
    var oldest: Snapshot { state.withLock { $0.commits[0].snapshot } }

    /// Adds a commit that is about to be made on `before`. If the log does not end with that state, because a
    /// reader has added an older one, restarts the log there.
    func publish(_ commit: Commit, on before: Snapshot) {
        // Destroyed after the lock is released.
        var (dropped, states): ([[RowKey: CacheUpdate]], [Snapshot]) = ([], [])
        defer { withExtendedLifetime((dropped, states)) {} }
        state.withLock { state in
            if state.tip != before.version { dropped = state.restart(at: Commit(snapshot: before, isExternal: true)) }
            state.commits.append(commit)
            state.unannounced.append(commit)
            state.size += commit.size
            state.sharedSize += commit.shared.size
            state.pending = commit
            states = state.dropOldStates()
        }
    }

    /// Marks the pending commit as made.
    func confirm(_ known: KnownState? = nil) {
        state.withLock { state in
            (state.pending, state.registration) = (nil, nil)
            if let known { state.known = known }
        }
    }

    /// Removes the pending commit, because it failed. If another process has committed since, the log may have been
    /// restarted without it.
    func withdraw(_ commit: Commit) {
        state.withLock { state in
            state.pending = nil
            state.unannounced.removeAll { $0 === commit }
            guard state.commits.last === commit else { return }
            state.commits.removeLast()
            state.sharedSize -= commit.shared.size
            state.valueless = min(state.valueless, state.commits.count)
            state.stateless = min(state.stateless, state.commits.count)
            state.size -= commit.size
        }
    }

    /// Adds another process's commits after the newest one.
    /// - Returns: false if the newest state is no longer `newest`, because another connection has added commits or registered extensions.
    func extend(by commits: [Commit], after newest: Snapshot) -> Bool {
        // Destroyed after the lock is released.
        var dropped: [Snapshot] = []
        defer { withExtendedLifetime(dropped) {} }
        return state.withLock { state in
            guard !state.hasPending, state.latest.snapshot === newest else { return false }
            state.registration = nil
            state.commits += commits
            state.unannounced += commits
            for commit in commits { state.size += commit.size }
            dropped = state.dropOldStates()
            return true
        }
    }

    /// Gives the newest state more extensions, which the file has already, so that no commit is made. Connections that are on that state find them
    /// when they begin to read again.
    /// - Parameters:
    ///   - snapshot: the state with the extensions.
    ///   - newest: the same state without them.
    /// - Returns: false if that is no longer the newest state.
    func register(_ snapshot: Snapshot, on newest: Snapshot, by author: AnyObject) -> Bool {
        state.withLock { state in
            guard !state.hasPending, state.latest.snapshot === newest else { return false }
            let registration = Commit(snapshot: snapshot, before: newest.version, author: author)
            state.latest.replaceSnapshot(by: snapshot)
            state.registration = registration
            state.unannounced.append(registration)
            return true
        }
    }

    /// Restarts the log at a state to which no record leads, because another process committed without a record or the file
    /// was restored to an earlier state.
    ///
    /// Numbers do not show which of two states is newer, because a file may be restored. The order of events does: a
    /// transaction that began after the log ended with `tip` reads that state or a later one.
    ///
    /// - Parameters:
    ///   - tip: the end of the log before the transaction that found the state began.
    ///   - newest: the state whose extensions the new one has. What was pending then, and is there now, may have registered more.
    /// - Returns: the commit that made the state, which another connection may have added. Nil if the caller must begin again, because the log has
    ///   changed since `tip` or `newest` and the state may be outdated, or because an earlier commit is still pending (``isAwaited(before:)``). A
    ///   commit without a change counter is returned, but neither kept nor announced.
    func adopt(_ commit: Commit, after tip: FileVersion, likeThat newest: Snapshot) -> Commit? {
        // Destroyed after the lock is released.
        var dropped: [[RowKey: CacheUpdate]] = []
        defer { withExtendedLifetime(dropped) {} }
        return state.withLock { state in
            if let known = state.commits.last, known.version == commit.version { return known }
            guard state.latest.snapshot === newest else { return nil }
            guard commit.version.isExact else { return commit }
            guard state.tip == tip, !state.awaitsConfirmation(before: commit.version) else { return nil }
            dropped = state.restart(at: commit)
            state.unannounced.append(commit)
            return commit
        }
    }

    /// Whether the pending commit is in the file and has yet to be confirmed by its writer, although another process has committed after it. A state
    /// after it has its extensions, so the caller waits for the confirmation, which is all that its writer has left to do.
    func isAwaited(before version: FileVersion) -> Bool { state.withLock { $0.awaitsConfirmation(before: version) } }

    /// Removes and returns the commits to announce, in order. Commits after a pending one stay until its writer confirms or
    /// withdraws it and calls this again.
    func popUnannounced() -> [Commit] {
        state.withLock { state in
            let end = state.unannounced.firstIndex { $0 === state.pending } ?? state.unannounced.count
            let later = Array(state.unannounced[end...])
            defer { state.unannounced = later }
            return later.isEmpty ? state.unannounced : Array(state.unannounced[..<end])
        }
    }

    /// The commit that made one snapshot; nil if the log does not have it.
    func commit(_ number: Int) -> Commit? {
        state.withLock { state in
            let index = number - state.commits[0].version.number
            return state.commits.indices.contains(index) ? state.commits[index] : nil
        }
    }

    /// The commits from one snapshot to a later one, in order; nil if one is missing.
    func commits(after before: Int, through after: Int) -> [Commit]? {
        state.withLock { state in
            let first = state.commits[0].version.number
            let start = before + 1 - first
            let end = after + 1 - first
            guard start >= 0, end >= start, end <= state.commits.count else { return nil }
            return Array(state.commits[start..<end])
        }
    }

    /// The commits from one state to another, if each leads on from the one before, whatever their numbers are; nil if one is unknown.
    func path(from before: FileVersion, to after: FileVersion) -> [Commit]? {
        state.withLock { state in
            let commits = state.former + state.commits
            guard var index = commits.lastIndex(where: { $0.version == after }) else { return nil }
            var path: [Commit] = []
            while let previous = commits[index].before {
                path.append(commits[index])
                if previous == before { return path.reversed() }
                index -= 1
                guard index >= 0, commits[index].version == previous else { return nil }
            }
            return nil
        }
    }

    /// Drops the commits that every reader has seen, the oldest commits beyond the limits, and the shared values of the
    /// oldest that stay beyond theirs.
    func trim(keepingAfter number: Int) {
        // Destroyed after the lock is released.
        var dropped: [[RowKey: CacheUpdate]] = []
        defer { withExtendedLifetime(dropped) {} }
        state.withLock { state in
            var drop = 0
            var total = state.size
            // The newest commit stays, and the pending one.
            let kept = state.hasPending ? 2 : 1
            while drop < state.commits.count - kept {
                let oldest = state.commits[drop]
                let isOver = state.commits.count - drop > Self.commitLimit || total > Self.sizeLimit
                // A program without records commits without a number.
                let isSeen = oldest.version.number < number || oldest.version.number == number && !oldest.isExternal
                guard isOver || isSeen else { break }
                total -= oldest.size
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
            state.size = total
            state.sharedSize -= size
            state.valueless -= drop
            state.stateless = max(0, state.stateless - drop)
        }
    }
}
