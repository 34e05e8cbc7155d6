import SQLiteBridge

/// One SQLite handle: reads and writes rows, pages and small values, and controls the transaction around them.
///
/// Callers name rows by key or rowid and never see SQL. Every error that a store throws is a ``YapDatabaseError``.
package final class Store {
    package let handle: SQLiteHandle
    /// Whether the file is known to have a write-ahead log. True for every file opened for writing.
    var hasLog = false
    private var changesBefore = 0
    /// The rules of extensions that were read so far, by name, with the texts that they were made of.
    var collectionRules: [String: (text: String, tag: String, rule: CollectionRule?)] = [:]
    /// What extensions keep for their statements, by its type.
    /// A handful of types.
    private var kept: [(type: ObjectIdentifier, object: AnyObject)] = []
    private var lastKept: (type: ObjectIdentifier, object: AnyObject)?
    /// The version of the snapshot that was read or committed last.
    // Unchecked, both: one thread uses a store, and they are assigned as a whole.
    @exclusivity(unchecked) package var lastVersion: FileVersion?
    /// The state that was read or committed last, if it can be recognized.
    @exclusivity(unchecked) package private(set) var lastKnown: KnownState?
    /// Whether the table of derived rows is known to exist. It stays once its transaction has committed.
    var hasDerivedRows = false
    /// Whether the file has the table of replaced rows; nil until that is asked, in each transaction while there is none.
    var knownReplacedRows: Bool?
    /// Whether the table of commit records exists, and bytes written to it since it was last pruned.
    var hasRecords = false
    var recordBytes = 0
    /// What SQLite may cache of the file's pages, in KiB: more in a transaction that changes many rows, which are otherwise some percent
    /// slower in random order. Set always: a file may name a size of its own.
    private static let (usualCache, cacheOfLargeWrite) = (1_500, 2_000)
    private static let cacheOfScatteredWrite = 8_000
    private static let changesOfLargeWrite = 256
    private var hasLargeCache = false
    /// In which writers of other processes wait for each other; nil before the file is open.
    var line: WriterLine?
    /// Attempts to begin while no process commits. A commit takes longer than an attempt.
    private static let beginLimit = 50

    /// - Parameter rules: what its statements may do; nil for the library's own rules.
    package init(
        path: String, mode: SQLiteHandle.Mode, rules: SQLiteRules? = nil, busyTimeout: Int,
        didClose: @escaping @Sendable () -> Void = {}
    ) throws {
        handle = try SQLiteHandle(
            path: path, mode: mode, rules: rules ?? (mode.isReadOnly ? .reader : .library), busyTimeout: busyTimeout,
            translate: { YapDatabaseError($0, path: path) }, didClose: didClose)
    }

    /// The version of the SQLite library, such as `3.40.1`.
    package static var libraryVersion: String { SQLiteHandle.libraryVersion }

    /// The largest size of a value in bytes.
    package var valueLimit: Int { handle.valueLimit }

    /// The folder of the file.
    package var folder: String { handle.path.folderOfFile }

    /// What an extension keeps with this handle, such as the SQL of its statements: one object of each type, made when it is first needed.
    package func kept<Kept: AnyObject>(_ make: () -> Kept) -> Kept {
        let type = ObjectIdentifier(Kept.self)
        if let lastKept, lastKept.type == type { return unsafeDowncast(lastKept.object, to: Kept.self) }
        let known = kept.first { $0.type == type }
        let one = known ?? (type, make())
        if known == nil { kept.append(one) }
        lastKept = one
        return unsafeDowncast(one.object, to: Kept.self)
    }

    /// Frees prepared statements that no transaction uses.
    package func freeStatements() { handle.finalizeIdleStatements() }

    /// Frees the pages of the file that SQLite caches.
    package func freePages() { handle.releaseMemory() }

    /// Limits the pages of the file that SQLite caches.
    func limitCache() throws { try limitCache(toKibibytes: Self.usualCache) }

    /// A new statement each time: SQLite sets the limit when it compiles one.
    private func limitCache(toKibibytes limit: Int) throws {
        try handle.newStatement("PRAGMA cache_size = -\(limit)").run()
    }

    /// Called for each row of a table that is written.
    package func noteWrite() throws {
        guard !hasLargeCache, handle.totalChanges - changesBefore >= Self.changesOfLargeWrite else { return }
        hasLargeCache = true
        try limitCache(toKibibytes: Self.cacheOfLargeWrite)
    }

    /// Caches more pages until the end of the transaction, which is about to change rows on many pages: those that do not fit are written early, read
    /// again and written again.
    package func growCache() throws {
        hasLargeCache = true
        try limitCache(toKibibytes: Self.cacheOfScatteredWrite)
    }

    /// Called after the end of a transaction, so that an idle connection keeps no more than the usual pages. Where SQLite has no memory
    /// for that, the end of the next transaction tries again.
    private func shrinkCache() {
        if hasLargeCache, (try? limitCache()) != nil { hasLargeCache = false }
    }

    /// Runs a statement that takes no parameters and returns no rows.
    package func execute(_ sql: String) throws { try handle.execute(sql) }

    /// Runs a body whose commits do not wait for the disk, for what is stored elsewhere too. After a power failure the file may be in
    /// an earlier state, which is as whole as any. Outside of transactions.
    package func withoutWaitingForDisk<Value>(_ body: () throws -> Value) throws -> Value {
        let setting = try pragma("synchronous")
        let normal = 1
        guard setting > normal else { return try body() }
        try execute("PRAGMA synchronous = \(normal)")
        let result = Result { try body() }
        try execute("PRAGMA synchronous = \(setting)")
        return try result.get()
    }

    /// Rebuilds the file without free space.
    /// - Returns: the versions before and after.
    package func vacuum(before: (FileVersion) -> Void) throws -> (before: FileVersion, after: FileVersion) {
        let old = try currentVersion()
        before(old)
        // SQLite copies the tables with its own statements, which the rules would reject.
        try handle.withoutRules { try execute("VACUUM") }
        return (old, try currentVersion())
    }

    private func currentVersion() throws -> FileVersion {
        let version = try beginRead()
        try rollback()
        return version
    }

    /// Interrupts the running statement, from any thread.
    var interrupter: SQLiteInterrupter { handle.interrupter }

    package func pragma(_ name: String) throws -> Int { try first("PRAGMA \(name)") { Int($0.int64(at: 0)) } ?? 0 }

    /// Binds parameters and runs a statement to its end.
    package func run(_ sql: String, bind: (SQLiteStatement) throws -> Void) throws {
        let statement = try handle.statement(sql)
        defer { statement.reset() }
        try bind(statement)
        try statement.run()
    }

    /// Returns the first row of a query, or nil if there is none.
    @inlinable package func first<Value>(
        _ sql: String, bind: (SQLiteStatement) throws -> Void = { _ in }, read: (SQLiteStatement) throws -> Value
    ) throws -> Value? {
        let statement = try handle.statement(sql)
        defer { statement.reset() }
        try bind(statement)
        return try statement.step() ? try read(statement) : nil
    }

    /// Returns every row of a query.
    @inlinable package func all<Value>(
        _ sql: String, bind: (SQLiteStatement) throws -> Void = { _ in }, read: (SQLiteStatement) throws -> Value
    ) throws -> [Value] {
        let statement = try handle.statement(sql)
        defer { statement.reset() }
        try bind(statement)
        var values: [Value] = []
        while try statement.step() { values.append(try read(statement)) }
        return values
    }
}

// MARK: Transactions

extension Store {
    /// Begins a read transaction and returns the version of its snapshot.
    /// - Parameter known: a state of the file. If it is the newest, its number need not be read.
    package func beginRead(expecting known: KnownState? = nil) throws -> FileVersion {
        var version = try beginReadOnce(known)
        for _ in 1..<Self.beginLimit where hasLog && version.change == nil {
            try rollback()
            version = try beginReadOnce(known)
        }
        return version
    }

    /// Begins a write transaction and returns the version of the snapshot that it builds on. Waits up to the busy timeout for
    /// a writer of another process.
    package func beginWrite() throws -> FileVersion {
        changesBefore = handle.totalChanges
        forgetMissingReplacedRows()
        defer { handle.lockWaiter.disallowEnd() }
        try beginInTurn()
        handle.holdTransaction()
        try orRollback { try handle.findLogIndex() }
        // No other process can commit now. If the counter has not changed, neither has the number.
        let change = handle.changeCounter
        if let lastVersion, lastVersion.change != nil, lastVersion.change == change { return lastVersion }
        let version = FileVersion(number: try orRollback(snapshotNumber), change: change)
        lastVersion = version
        return version
    }

    private func beginInTurn() throws {
        guard let line else { return try handle.execute("BEGIN IMMEDIATE") }
        handle.lockWaiter.beginTurn(line)
        defer { handle.lockWaiter.endTurn(hasBegun: !handle.isAutocommit) }
        try handle.execute("BEGIN IMMEDIATE")
    }

    /// Runs the body while no process can commit, without a transaction, which would read the log itself. Waits for its turn like a writer. The
    /// handle must have read the file before and be in no transaction; it begins none meanwhile.
    /// - Returns: nil if another writer kept the lock for the busy timeout.
    func whileWritersAreLocked<Value>(_ body: () throws -> Value) rethrows -> Value? {
        guard lockWritersInTurn() else { return nil }
        defer { handle.unlockWriters() }
        return try body()
    }

    private func lockWritersInTurn() -> Bool {
        if let line { handle.lockWaiter.beginTurn(line) }
        var (attempt, isLocked) = (0, handle.lockWriters())
        while !isLocked, handle.lockWaiter.wait(attempt) {
            attempt += 1
            isLocked = handle.lockWriters()
        }
        handle.lockWaiter.endTurn(hasBegun: isLocked)
        return isLocked
    }

    /// Stores what belongs to the state of a version, in a transaction that makes no commit of its own. Does nothing if the file is in another
    /// state by now.
    package func write(at version: FileVersion, _ body: () throws -> Void) throws {
        guard version.isExact else { return }
        let present = try beginWrite()
        guard present == version else { return try rollback() }
        try orRollback {
            try body()
            try commit()
        }
    }

    /// Runs the body in the present read transaction, in which a statement that may write throws. Without that, SQLite would turn it into a write
    /// transaction beside the turns of the writers.
    package func refusingWrites<Value>(_ body: () throws -> Value) rethrows -> Value {
        changesBefore = handle.totalChanges
        handle.refusesWrites = true
        defer { handle.refusesWrites = false }
        return try body()
    }

    /// Whether the write transaction has changed the file.
    package var hasWritten: Bool { handle.totalChanges != changesBefore }

    /// - Throws: the error after which SQLite rolled the transaction back by itself.
    package func checkTransaction() throws { try handle.checkTransaction() }

    /// Commits. After an error the caller must roll back.
    package func commit() throws {
        try handle.commit()
        handle.letGoOfTransaction()
        shrinkCache()
    }

    /// Called after a commit that made a version.
    package func didCommit(_ version: FileVersion) {
        lastVersion = version
        lastKnown = handle.logStamp.flatMap {
            $0.change == version.change ? KnownState(version: version, stamp: $0) : nil
        }
    }

    /// Rolls back. Does nothing if SQLite already did so after an error.
    package func rollback() throws {
        handle.letGoOfTransaction()
        // The transaction may have made it.
        (hasDerivedRows, knownReplacedRows) = (false, nil)
        try handle.rollback()
        shrinkCache()
    }

    /// Runs the body in a write transaction without a commit number, for work on the file itself.
    func inWriteTransaction(_ body: () throws -> Void) throws {
        try handle.execute("BEGIN IMMEDIATE")
        try orRollback {
            try body()
            try handle.commit()
        }
    }

    /// SQLite fixes the snapshot at the first read. The stamp belongs to it if it is equal before and after that.
    private func beginReadOnce(_ known: KnownState?) throws -> FileVersion {
        forgetMissingReplacedRows()
        let before = handle.logStamp
        try handle.execute("BEGIN DEFERRED")
        handle.holdTransaction()
        if let known, known.stamp == before {
            try orRollback { try handle.execute(#"SELECT 1 FROM "yap2" LIMIT 0"#) }
            if handle.logStamp == before {
                lastKnown = known
                return known.version
            }
        }
        let number = try orRollback(snapshotNumber)
        // Without the log index the counter is unknown, and every later state would look like a foreign commit.
        if hasLog { try orRollback { try handle.findLogIndex() } }
        let after = handle.logStamp
        let version = FileVersion(number: number, change: before == after ? after?.change : nil)
        lastKnown = before == after ? after.map { KnownState(version: version, stamp: $0) } : nil
        return version
    }

    /// Runs a part of a transaction, and ends the transaction if the part throws.
    package func orRollback<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            // The error of the body is the one to know, also if rolling back meets another.
            try? rollback()
            throw error
        }
    }
}
