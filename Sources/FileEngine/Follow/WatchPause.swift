/// How long the log is not watched after a write, so that a writer does not pay for every page.
///
/// While this process commits again and again, each look finds its own commits only, and wakes several threads for that. Commits of others are
/// found by its next transaction anyway. So the pauses between looks become longer. In the worst case, when the process has just stopped
/// committing, the next commit of another process is found a frame of the screen later. A process that commits nothing has the shortest pauses.
struct WatchPause {
    /// Milliseconds.
    static let (least, most) = (FileWatch.pause, 4 * FileWatch.pause)

    private(set) var milliseconds = Self.least
    /// How many looks in a row found commits of this process and none of others.
    private var ownLooks = 0
    private var commits = 0

    /// - Parameters:
    ///   - foundOthers: whether another process has committed.
    ///   - commits: those of this process so far.
    mutating func didLook(foundOthers: Bool, commits: Int) {
        let hasCommitted = commits != self.commits
        self.commits = commits
        guard hasCommitted, !foundOthers else {
            (ownLooks, milliseconds) = (0, Self.least)
            return
        }
        ownLooks += 1
        // Two for each pause: when it begins, and when it ends.
        if ownLooks.isMultiple(of: 2) { milliseconds = min(2 * milliseconds, Self.most) }
    }
}
