/// How the engine opens and runs a file. ``YapDatabaseOptions`` documents the values and states their defaults.
package protocol FileOptions: Sendable {
    var corruptAction: YapDatabaseCorruptAction { get }
    var pragmaSynchronous: YapDatabaseSynchronous { get }
    var pragmaJournalSizeLimit: Int { get }
    var pragmaPageSize: Int { get }
    var pragmaMMapSize: Int { get }
    var aggressiveWALTruncationSize: Int { get }
    var busyTimeout: Int { get }
}

/// What opening does with a file that is damaged or is not a database.
public enum YapDatabaseCorruptAction: Hashable, Sendable {
    /// Throws the error and leaves the file unchanged.
    case fail
    /// Renames the file and its log to `<name>.<n>.corrupt` and starts with an empty file.
    case rename
    /// Removes the file and its log and starts with an empty file.
    case delete
}

/// How durable a commit is when it returns.
public enum YapDatabaseSynchronous: String, Hashable, Sendable {
    /// A power failure may lose the commit and damage the file.
    case off
    /// A power failure may lose the commit; the file stays intact. Many times faster than `full`.
    case normal
    /// The commit is on disk.
    case full
}
