import FileEngine

/// Tells passing errors of a file, which another program is rewriting (by VACUUM for example), from lasting damage.
///
/// A file without a write-ahead log cannot be locked without leaving a trace, so it is read even while it is rewritten in place. A slow disk
/// or a busy machine may delay the writer in the middle. The file does not change meanwhile, but its journal says that the change is unfinished.
package struct RewriteTolerance {
    /// The state of the file at the last damage, and how often this damage was found without a change of the file.
    private var damaged: (file: FileState, count: Int)?
    private static let limit = 3
    /// The limit if a journal says that a change is unfinished: about a minute with the pauses of a follower. A limit is needed, because a
    /// program that was killed leaves its journal behind.
    private static let limitBesideJournal = 60

    package init() {}

    /// Returns whether an error may pass, so that the caller should read the file again after a pause.
    package mutating func isPassing(_ error: YapDatabaseError, of path: String) -> Bool {
        if error.code == .reloadNeeded || error.code == .locked { return true }
        let isUnfinished = TracelessRead.unfinishedChange(path) != nil
        let file = FileState(path)
        // A program that writes the file from its beginning has emptied it first.
        let isEmptied = file.identity != nil && file.fileSize == 0
        guard error.isDamage || isUnfinished || isEmptied else { return false }
        damaged = (file, damaged?.file == file ? (damaged?.count ?? 0) + 1 : 1)
        return (damaged?.count ?? 0) < (isUnfinished ? Self.limitBesideJournal : Self.limit)
    }
}
