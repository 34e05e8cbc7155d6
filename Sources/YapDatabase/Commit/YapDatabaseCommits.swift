import Foundation
import ListChanges

/// One commit, as the sequence ``YapDatabase/commits`` tells of it.
public struct YapDatabaseCommit: Sendable {
    let commit: Commit

    /// The number of the commit.
    public var snapshot: Int { commit.snapshot.number }
    /// Another process committed, so nothing is known of what changed.
    public var isExternal: Bool { commit.isExternal }
    /// The names of the extensions whose content changed, in order.
    public var extensions: [String] { commit.logs.keys.sorted() }

    /// Whether the row was set, touched or removed; true when nothing is known. Costs O(1).
    public func hasChange(forKey key: String, inCollection collection: String? = nil) -> Bool {
        isExternal || !commit.changes.kind(of: RowKey(collection: collection ?? "", key: key)).isEmpty
    }
}

extension YapDatabase {
    /// The commits from now on, of this process and, as far as they are noticed, of others, in the order in which they were
    /// made. The sequence ends when the database is closed. A consumer that is slow holds up nobody; it gets the commits later.
    public var commits: AsyncStream<YapDatabaseCommit> { broadcast.stream() }
}

/// Hands every commit to any number of streams.
final class CommitBroadcast: Sendable {
    private struct State {
        var streams: [Int: AsyncStream<YapDatabaseCommit>.Continuation] = [:]
        var next = 0
        var isFinished = false
    }

    private let state = Locked(State())

    func stream() -> AsyncStream<YapDatabaseCommit> {
        AsyncStream { continuation in
            let number = state.withLock { state -> Int? in
                guard !state.isFinished else { return nil }
                state.next += 1
                state.streams[state.next] = continuation
                return state.next
            }
            guard let number else { return continuation.finish() }
            continuation.onTermination = { [weak self] _ in self?.remove(number) }
        }
    }

    func send(_ commit: Commit) {
        let streams = state.withLock { $0.streams }
        for continuation in streams.values { continuation.yield(YapDatabaseCommit(commit: commit)) }
    }

    func finish() {
        let streams = state.withLock { state in
            state.isFinished = true
            return state.streams
        }
        for continuation in streams.values { continuation.finish() }
    }

    private func remove(_ number: Int) { state.withLock { $0.streams[number] = nil } }
}
