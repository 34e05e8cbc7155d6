/// How the engine opens and runs a file.
package struct FileOptions: Sendable {
    /// What to do with a damaged file.
    package enum CorruptAction: Sendable {
        /// Throw, and leave the file as it is.
        case fail
        /// Give the file and its log another name, and start with an empty one.
        case rename
        /// Remove the file and its log, and start with an empty one.
        case delete
    }

    package var corruptAction = CorruptAction.fail
    /// SQLite's word for how far a commit has got when it returns.
    package var synchronous = "FULL"
    /// Bytes to which the log is cut after a checkpoint that empties it; 0 leaves it as long as it was.
    package var journalSizeLimit = 0
    /// Bytes of a page in a new file; 0 for SQLite's default.
    package var pageSize = 0
    /// Bytes of the file to map into memory; 0 for none.
    package var mmapSize = 0
    /// Bytes of log from which on readers are asked to begin again.
    package var longLogSize = 4 << 20
    /// Milliseconds to wait for another program's lock.
    package var busyTimeout = 5_000

    package init() {}
}
