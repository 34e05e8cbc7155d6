/// A bounded queue of commits for a consumer. A consumer that is far behind receives a single record in their place, which
/// says that anything may have changed.
///
/// It bounds what waits for the main queue and for the consumer of a stream.
struct CommitBacklog {
    private(set) var commits: [Commit] = []
    private var size = 0

    /// The largest number of waiting commits.
    static let countLimit = 512
    /// The largest sum of their ``Commit/size``.
    static let sizeLimit = 1 << 20

    var isEmpty: Bool { commits.isEmpty }

    mutating func append(_ added: [Commit]) {
        for commit in added {
            commits.append(commit)
            size += commit.size
            if commits.count > Self.countLimit || size > Self.sizeLimit { merge(into: commit) }
        }
    }

    /// Removes and returns the oldest commit.
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
