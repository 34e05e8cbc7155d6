import Dispatch
import Foundation
import Synchronization

/// A database: rows (a collection, a key, an object, optional metadata) in one SQLite file.
///
/// ```swift
/// let database = try YapDatabase(url: url)
/// let connection = try database.newConnection()
/// try connection.readWrite { try $0.setObject("hello", forKey: "greeting") }
/// ```
public final class YapDatabase: Sendable {
    /// The URL with which the database was opened.
    public let databaseURL: URL
    /// The options with which the database was opened.
    public let options: YapDatabaseOptions

    let commitLog: CommitLog
    let broadcast = CommitBroadcast()
    /// Commits whose notifications wait for the main queue.
    let unposted = Locked(CommitBacklog())
    let writeGate = WriteGate()
    /// The version that a running vacuum is about to make.
    let versionOfVacuum = Locked<FileVersion?>(nil)
    let checkpointer: Checkpointer
    private let foreignCommits: ForeignCommitWatch
    let codingTable = Locked(CodingTable())
    let connections = ConnectionList()
    let idleStores = IdleStores()
    /// Whether another process has had the file open, which may come back at any moment.
    let hasMetOthers = Atomic(false)
    let defaults = Locked(YapDatabaseConnectionConfig())
    let undecodableRowReports = UndecodableRowReports()
    /// Runs what commits promised to do after them.
    ///
    /// An example are the files that a rule of a relationship deletes. The commit notes each of them in `yap2`.
    /// `close()` waits for this queue, and what it did not do is done at the next registration.
    let promises = DispatchQueue(label: "YapDatabase promises")
    let paceOfPromises = WorkPace()
    let registrations = DispatchQueue(label: "YapDatabase registrations")
    let recovery = Locked(ExtensionRecoveryQueue())
    let recoveries = DispatchQueue(label: "YapDatabase recovery of extensions")
    let rest = RestWatch()
    /// The lists of which the log says that they are followed and not registered.
    let awaitedLists = Locked<Set<ExactString>>([])
    /// What may be applied again.
    package let mutationTypes = MutationTypes()
    let file: OpenFile
    let kinds: [any ExtensionKind]
    /// Where the file is, of a database in memory.
    let memory: MemoryFolder?
    /// What confirms commits outside of the file.
    private let writeAuthority = Locked<(any WriteAuthority)?>(nil)
    /// The space that the file follows, as far as this process alone changes it; outer nil if it is to be read.
    let knownSpace = Locked<YapDatabaseFollowedSpace??>(nil)
    /// Which mutations are pending, as the records of the file say, too.
    let knownOutboxes = Locked(KnownOutboxes())
    private let isClosing = Atomic(false)
    private let isClosed = Atomic(false)

    /// - Parameters:
    ///   - kinds: of the extensions that the file may have.
    ///   - memory: the file's folder, which is removed with the database; nil for a file that stays.
    init(url: URL, options: YapDatabaseOptions, kinds: [any ExtensionKind], in memory: MemoryFolder? = nil) throws {
        databaseURL = url
        self.memory = memory
        self.kinds = kinds
        self.options = options
        file = try OpenFile(url)
        if let log = LeftLog.moveAside(from: file.path) {
            Self.log(
                .warning,
                "A log without its file was beside \(file.path) and is \(log) now. It may have the newest commits of a file that was moved or removed "
                    + "while it was open: if you have that file, put the log beside it, under its name with \"-wal\", before it is opened."
            )
        }
        let (store, version) = try Store.open(path: file.path, options: options)
        let dormant = try store.dormantExtensions()
        commitLog = CommitLog(base: Commit(snapshot: Snapshot(version: version, dormant: dormant)))
        checkpointer = try Checkpointer(file, options: options)
        foreignCommits = try ForeignCommitWatch(file, options: options, checkpointer: checkpointer)
        try file.opened(by: self)
        // Records that killed processes left.
        if !file.hasOthers { store.dropRecords() }
        try foreignCommits.start(for: self)
    }

    deinit {
        guard !isClosed.load(ordering: .acquiring) else { return }
        broadcast.finish()
        idleStores.close()
        announceClosed()
    }

    /// Returns a new connection on the newest state. Costs about as much as opening a file, or much less if the handle
    /// of a released connection is kept, as ``maxConnectionPoolCount`` says.
    ///
    /// - Parameter config: nil for ``connectionDefaults``.
    /// - Throws: ``YapDatabaseError`` with code `closed` if the database was closed; `cannotOpen`, `permissionDenied`, `corrupt` or
    ///   `inputOutput` if the file cannot be opened or read.
    public func newConnection(_ config: YapDatabaseConnectionConfig? = nil) throws -> YapDatabaseConnection {
        try checkOpen()
        let store = try idleStore()
        let connection = YapDatabaseConnection(
            database: self, store: store, snapshot: commitLog.oldest, config: config ?? connectionDefaults)
        connections.add(connection)
        // A concurrent `close()` either finds the connection in the list or is detected here.
        try checkOpen()
        try connection.read { _ in }
        return connection
    }

    /// A handle for a connection, mostly one that was used before.
    func idleStore() throws -> Store { try idleStores.pop() ?? Store(file, options: options) }

    /// Closes the file: waits for the transactions and registrations requested so far and for the files that their rules delete, ends
    /// long-lived transactions, and makes every later call throw ``YapDatabaseError/Code-swift.enum/closed``. Must not be called inside a
    /// transaction.
    ///
    /// Statements that still run after ``YapDatabaseOptions/busyTimeout`` are interrupted, and their transactions fail.
    ///
    /// ```swift
    /// try database.close()
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code of the first connection whose long-lived read transaction could not be ended, such as
    ///   `inputOutput`. The database is closed in any case.
    public func close() throws {
        guard !isClosing.load(ordering: .acquiring) else { return }
        storeExtensions()
        guard !isClosing.exchange(true, ordering: .acquiringAndReleasing) else { return }
        let interruption = interruptionOfClose()
        defer { interruption.cancel() }
        authority?.databaseCloses(isWaiting: true)
        if LeftLog.isFilled(beside: file.path) {
            do { try file.checkPlace() } catch { Self.log(.warning, "\(error)") }
        }
        foreignCommits.close()
        paceOfPromises.end()
        // Once here, where what is done can be noted in the file, and once after the last commit.
        promises.sync {}
        // Runs after the registrations requested so far, which still open connections.
        registrations.sync { isClosed.store(true, ordering: .releasing) }
        // An error of one connection must not keep the others open. The first error is thrown at the end.
        let outcomes = connections.all.map { connection in
            connection.exclusively { Result { try connection.shutDown() } }
        }
        promises.sync {}
        idleStores.close()
        file.waitForHandles()
        interruption.cancel()
        // Closed last and alone: if two handles close at once, SQLite treats neither as the last and keeps the log.
        closeCheckpointer()
        broadcast.finish()
        file.release()
        memory?.remove()
        announceClosed()
        for outcome in outcomes { try outcome.get() }
    }

    /// Closes the last handles. Before, the file gets the summaries that its extensions make of their newest states.
    private func closeCheckpointer() {
        let newest = commitLog.latest
        checkpointer.close { store in
            let last = newest.extensions.compactMap { entry in
                entry.extension.closing(entry.state, name: entry.name, number: newest.number, in: store)
            }
            if !last.isEmpty { try store.write(at: newest.version) { for store in last { try store() } } }
        }
    }

    private func interruptionOfClose() -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "YapDatabase close"))
        let patience = DispatchTimeInterval.milliseconds(max(options.busyTimeout, 1_000))
        timer.schedule(deadline: .now() + patience, repeating: .milliseconds(100))
        timer.setEventHandler { [file] in file.interruptStatements() }
        timer.activate()
        return timer
    }

    /// What takes the place of ``YapDatabaseConnection/writeHere(_:confirming:)`` for every write; initially nil. Set
    /// before the first write.
    package var authority: (any WriteAuthority)? {
        get { writeAuthority.withLock { $0 } }
        set { writeAuthority.withLock { $0 = newValue } }
    }

    func checkOpen() throws {
        guard !isClosed.load(ordering: .acquiring) else {
            throw YapDatabaseError(.closed, "\(file.path) was closed. Open it again to read or write it.")
        }
    }
}

extension YapDatabase {
    /// The number of the last commit that this process knows of.
    public var snapshot: Int { commitLog.latest.number }

    /// The write-ahead log beside the file.
    public var databaseURL_wal: URL { URL(filePath: file.path + "-wal") }

    /// The shared memory of the connections, beside the file.
    public var databaseURL_shm: URL { URL(filePath: file.path + "-shm") }

    /// The version of the SQLite library, such as `3.40.1`.
    public static var sqliteVersion: String { Store.libraryVersion }

    /// `YapDatabase/YapDatabase.sqlite` in the user's data folder.
    public static var defaultDatabaseURL: URL {
        let environment = ProcessInfo.processInfo.environment
        let data =
            environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : nil }
            ?? homeFolder.appending(path: ".local/share")
        return data.appending(path: "YapDatabase/YapDatabase.sqlite")
    }
}
