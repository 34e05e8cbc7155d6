/// How long the log is not watched after a write, so that a writer does not pay for every page.
///
/// While this process commits again and again, each look finds its own commits, and wakes several threads for it. What others commit meanwhile it
/// meets itself, with its next transaction. So the looks get further apart then. In the worst case, where it has just stopped, the next commit of
/// another process is met a frame of the screen later. A process that commits nothing looks as soon as always.
struct WatchPause {
    /// Milliseconds.
    static let (least, most) = (FileWatch.pause, 4 * FileWatch.pause)

    private(set) var milliseconds = Self.least
    /// Looks one after the other between which this process has committed, and which found nothing of others.
    private var looksInVain = 0
    private var commits = 0

    /// - Parameters:
    ///   - foundOthers: whether another process has committed.
    ///   - commits: those of this process so far.
    mutating func didLook(foundOthers: Bool, commits: Int) {
        let hasCommitted = commits != self.commits
        self.commits = commits
        guard hasCommitted, !foundOthers else {
            (looksInVain, milliseconds) = (0, Self.least)
            return
        }
        looksInVain += 1
        // Two for each pause: when it begins, and when it ends.
        if looksInVain.isMultiple(of: 2) { milliseconds = min(2 * milliseconds, Self.most) }
    }
}
