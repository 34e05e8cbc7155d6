/// How a database is opened and run.
public struct YapDatabaseOptions: Sendable {
    /// What to do with a file that is no database or is damaged.
    public enum CorruptAction: Hashable, Sendable {
        /// Throw, and leave the file as it is.
        case fail
        /// Give the file and its log another name, `<name>.<n>.corrupt`, and start with an empty one.
        case rename
        /// Remove the file and its log, and start with an empty one.
        case delete
    }

    /// How far a commit has got when it returns.
    public enum Synchronous: Hashable, Sendable {
        /// It may be lost, and the file damaged, when the machine loses power.
        case off
        /// It may be lost when the machine loses power; the file stays whole. Many times faster than full.
        case normal
        /// It is on the disk.
        case full
    }

    /// What to do with a file that is no database or is damaged.
    public var corruptAction = CorruptAction.fail
    /// How far a commit has got when it returns.
    public var pragmaSynchronous = Synchronous.full
    /// Bytes to which the write-ahead log is cut after a checkpoint that empties it; 0 leaves it as long as it was.
    public var pragmaJournalSizeLimit = 0
    /// Bytes of a page in a new file, a power of two from 512 to 65536; 0 for SQLite's default.
    public var pragmaPageSize = 0
    /// Bytes of the file to map into memory; 0 for none.
    public var pragmaMMapSize = 0
    /// Bytes of write-ahead log from which on readers are asked to move on, so that it can start anew.
    public var aggressiveWALTruncationSize = 4 << 20
    /// Milliseconds to wait for another program's lock before ``YapDatabaseError/Code-swift.enum/locked`` is thrown.
    public var busyTimeout = 5_000
    /// Called on a queue of the database when the log is longer than ``aggressiveWALTruncationSize`` and cannot start anew
    /// because this connection stays on an old state; with the log's bytes. Nil: nobody wants to know.
    public var logSizeWarning: (@Sendable (YapDatabaseConnection, Int) -> Void)?
    /// Whether each commit posts ``Foundation/NSNotification/Name/YapDatabaseModified`` on the main queue, as the original
    /// does. A program that reads ``YapDatabase/commits`` instead sets it to false and saves the work on the main queue:
    /// `NotificationCenter` does not say whether it has an observer, so the database cannot save it by itself.
    public var postsNotifications = true
    /// Gets the errors of asynchronous transactions without a completion block, and of registrations whose block is told
    /// yes or no only. The default stops the program, except for these registrations: an error that nobody hears of is a
    /// lost write.
    public var asyncErrorHandler: @Sendable (any Error) -> Void = { error in
        fatalError("An asynchronous transaction without a completion block failed: \(error)")
    }
    {
        didSet { hasErrorHandler = true }
    }
    /// Whether the program has set ``asyncErrorHandler``.
    private(set) var hasErrorHandler = false

    /// The safe choices: full synchronization, and damage is thrown.
    public init() {}
}
