/// Options for opening and running a database.
public struct YapDatabaseOptions: Sendable {
    /// What opening does with a file that is damaged or is not a database.
    public typealias CorruptAction = YapDatabaseCorruptAction
    /// How durable a commit is when it returns.
    public typealias Synchronous = YapDatabaseSynchronous

    /// What opening does with a file that is damaged or is not a database. Initially `.fail`.
    public var corruptAction = CorruptAction.fail
    /// How durable a commit is when it returns. Initially `.full`.
    public var pragmaSynchronous = Synchronous.full
    /// Bytes to which the write-ahead log is truncated after a checkpoint that empties it; 0 keeps its size.
    public var pragmaJournalSizeLimit = 0
    /// Bytes of a page in a new file, a power of two from 512 to 65536; 0 for SQLite's default.
    public var pragmaPageSize = 0
    /// Bytes of the file to map into memory; 0 for none.
    public var pragmaMMapSize = 0
    /// Bytes of write-ahead log from which on it starts from its beginning as soon as it can. If connections stay on states, they restart for
    /// that. Otherwise writers that never pause are held for a fortieth of the time at most, and the log may grow to sixteen times as many bytes.
    public var aggressiveWALTruncationSize = 4 << 20
    /// Milliseconds to wait for another program's lock before ``YapDatabaseError/Code-swift.enum/locked`` is thrown.
    public var busyTimeout = 5_000
    /// Has no effect: several processes may always open a file, and follow each other's commits. For programs that come from the
    /// original.
    public var enableMultiProcessSupport = false
    /// Called on a queue of the database if the log is longer than ``aggressiveWALTruncationSize`` and cannot restart,
    /// because the connection stays on an old state. Receives the connection and the log's bytes.
    public var logSizeWarning: (@Sendable (YapDatabaseConnection, Int) -> Void)?
    /// The size of the write-ahead log, in bytes, from which connections that stay on an old state lose that state, so that the log can start from
    /// its beginning. Initially nil: they keep their states, and the log grows with every commit.
    ///
    /// A connection that lost its state throws ``YapDatabaseError/Code-swift.enum/stateGivenUp`` from every read until its next jump, which
    /// returns the commits between as always. A block that runs is not interrupted, and readers of other processes keep their state, so
    /// the log can still grow beside these. It may have a quarter more bytes before it is noticed.
    ///
    /// ```swift
    /// var options = YapDatabaseOptions()
    /// options.logSizeLimit = 64 << 20
    /// ```
    public var logSizeLimit: Int?
    /// Called when a block of an extension was changed without another version tag, so that the extension holds what the old block
    /// said. Initially nil: blocks are not asked.
    ///
    /// After an extension was registered whose content the file has already, its blocks are asked about some of the rows again,
    /// at most 100 for each extension, in the background. The handler receives the first row that disagrees, once for each
    /// extension, on a queue of the database. A block that is called less often than its rows change is not checked.
    public var changedBlockHandler: (@Sendable (YapDatabaseChangedBlock) -> Void)?
    /// What extensions do with rows that they cannot decode. Initially `.leaveOut`: such a row costs neither the lists nor the writes.
    public var undecodableRows = YapDatabaseUndecodableRows.leaveOut
    /// Whether saving a value that a ``YapCollection`` has already, with equal bytes of value and metadata, is a change, as in the original's
    /// `setObject`. Initially false: nothing is written, and no list reports an update.
    public var storesEqualValues = false
    /// Called for a row that extensions leave out, because its object or metadata cannot be decoded. Initially nil: such rows are logged.
    ///
    /// Called once for each row, and again when it was overwritten by another value that cannot be decoded, on a queue of the database,
    /// after the commit in which the row was found. Rows that earlier launches left out are reported when the extension is registered.
    /// ``YapDatabaseExtensionTransaction/problems`` has all of them at any time.
    public var undecodableRowHandler: (@Sendable (YapDatabaseUndecodableRow) -> Void)?
    /// What tells the time to actions, to the holds of cloud operations and to ``YapTimed`` rows. Initially ``YapSystemClock``; a test gives a
    /// ``YapManualClock``.
    public var clock: any YapClock = YapSystemClock()
    /// Whether each commit posts the notification `YapDatabaseModified` on the main queue, as the original
    /// does. A program that reads ``YapDatabase/commits`` instead sets it to false and saves the work on the main queue:
    /// `NotificationCenter` does not say whether it has an observer, so the database cannot save it by itself.
    public var postsNotifications = true
    /// The most calls of ``YapDatabaseConnection/asyncReadWrite(_:completionQueue:completionBlock:)`` that wait on a connection: some ten
    /// megabytes with what ordinary closures capture.
    var pendingWriteLimit = 16_384
    /// Receives the errors of asynchronous transactions without a completion block, and of registrations whose block receives
    /// only a `Bool`. The default stops the program for transactions, because an ignored error is a lost write; errors of
    /// such registrations are only logged.
    public var asyncErrorHandler: @Sendable (any Error) -> Void = { error in
        fatalError("An asynchronous transaction without a completion block failed: \(error)")
    }
    {
        didSet { hasErrorHandler = true }
    }
    /// Whether the program has set ``asyncErrorHandler``.
    package private(set) var hasErrorHandler = false

    /// Creates the safe options: full synchronization, and errors for damaged files.
    public init() {}
}

extension YapDatabaseOptions: FileOptions {}

extension YapDatabaseOptions {
    /// Returns a completion block that passes an error to ``asyncErrorHandler`` and then calls `block`.
    func handlingErrors(_ block: @escaping @Sendable () -> Void) -> @Sendable (Result<Void, any Error>) -> Void {
        { [asyncErrorHandler] result in
            if case .failure(let error) = result { asyncErrorHandler(error) }
            block()
        }
    }
}
