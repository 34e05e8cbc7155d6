import FileEngine

/// Tells errors of a file that another program is rewriting, by VACUUM for example, from those that last.
///
/// Without a log, and so without locks that leave no trace, a file is read while it is rewritten in place. The writer may be held up
/// in the middle, by a slow disk or by a busy machine, and nothing in the file changes meanwhile: its journal says that it is not done.
package struct RewriteTolerance {
    /// The file at the last damage, and how often it was met without the file having changed.
    private var damaged: (file: FileState, count: Int)?
    private static let limit = 3
    /// The same where a journal says that a change is unfinished. A program that was killed leaves its journal for ever, so there is an
    /// end: with the pauses of a follower about a minute.
    private static let limitBesideJournal = 60

    package init() {}

    /// Whether to look at the file again after a pause.
    package mutating func isPassing(_ error: YapDatabaseError, of path: String) -> Bool {
        if error.code == .reloadNeeded || error.code == .locked { return true }
        let isUnfinished = TracelessRead.unfinishedChange(path) != nil
        guard error.isDamage || isUnfinished else { return false }
        let file = FileState(path)
        damaged = (file, damaged?.file == file ? (damaged?.count ?? 0) + 1 : 1)
        return (damaged?.count ?? 0) < (isUnfinished ? Self.limitBesideJournal : Self.limit)
    }
}
