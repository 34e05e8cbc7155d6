/// Commits that wait for a consumer, in order. It is bounded: a consumer that is far behind gets one record in their place, which says
/// that anything may have changed.
struct CommitBacklog {
    private(set) var commits: [Commit] = []
    private var size = 0

    /// Commits that wait at most.
    static let countLimit = 512
    /// Bytes of their records, as ``Commit/size`` estimates them.
    static let sizeLimit = 1 << 20

    var isEmpty: Bool { commits.isEmpty }

    mutating func append(_ added: [Commit]) {
        for commit in added {
            commits.append(commit)
            size += commit.size
            if commits.count > Self.countLimit || size > Self.sizeLimit { merge(into: commit) }
        }
    }

    /// The oldest, which waits no longer.
    mutating func popFirst() -> Commit? {
        guard !commits.isEmpty else { return nil }
        let first = commits.removeFirst()
        size -= first.size
        return first
    }

    mutating func removeAll() -> [Commit] {
        defer { self = CommitBacklog() }
        return commits
    }

    private mutating func merge(into last: Commit) {
        let isForeign = commits.contains(where: \.isForeign)
        let merged = Commit(snapshot: last.snapshot, isExternal: true, isForeign: isForeign)
        (commits, size) = ([merged], merged.size)
    }
}
