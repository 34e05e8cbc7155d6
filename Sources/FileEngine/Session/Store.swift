import SQLiteBridge

/// The only code that knows SQL: rows, pages, small values, and the transaction around them, for one connection.
///
/// Everything above asks for rows by key or by rowid, so the storage could be another one without a change there.
/// Every error that leaves the store is a ``YapDatabaseError``.
package final class Store {
    package let handle: SQLiteHandle
    /// Whether the file is known to have a write-ahead log, as every file has that we opened for writing.
    var hasLog = false
    private var changesBefore = 0
    /// By the names of the views that were used so far.
    var viewSQL: [String: ViewSQL] = [:]
    /// The mark of the snapshot seen or made last.
    package var lastMark: FileVersion?
    /// Whether the table of commit records was seen, and bytes written there since it was pruned.
    var hasRecords = false
    var recordBytes = 0
    /// Attempts to begin at a moment when nobody commits. One commit takes longer than one attempt.
    private static let beginLimit = 50

    /// - Parameter rules: what its statements may do; nil for what the library itself does.
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

    /// Bytes of the largest value.
    package var valueLimit: Int { handle.valueLimit }

    /// Frees prepared statements that no transaction uses.
    package func freeStatements() { handle.finalizeIdleStatements() }

    /// Frees pages of the file that are held in memory.
    package func freePages() { handle.releaseMemory() }

    /// Runs a statement that takes no parameter and returns no row.
    package func execute(_ sql: String) throws { try handle.execute(sql) }

    /// Writes the file again without its gaps.
    /// - Returns: the versions before and after.
    package func vacuum(before: (FileVersion) -> Void) throws -> (before: FileVersion, after: FileVersion) {
        let old = try currentVersion()
        before(old)
        // SQLite copies every table by statements of its own.
        try handle.withoutRules { try execute("VACUUM") }
        return (old, try currentVersion())
    }

    private func currentVersion() throws -> FileVersion {
        let version = try beginRead()
        try rollback()
        return version
    }

    /// Stops what the store runs, from any thread.
    var interrupter: SQLiteInterrupter { handle.interrupter }

    package func pragma(_ name: String) throws -> Int { try first("PRAGMA \(name)") { Int($0.int64(at: 0)) } ?? 0 }

    /// Runs a statement to its end with these parameters bound.
    package func run(_ sql: String, bind: (SQLiteStatement) throws -> Void) throws {
        let statement = try handle.statement(sql)
        defer { statement.reset() }
        try bind(statement)
        try statement.run()
    }

    /// The first row of a query, nil when there is none.
    @inlinable package func first<Value>(
        _ sql: String, bind: (SQLiteStatement) throws -> Void = { _ in }, read: (SQLiteStatement) throws -> Value
    ) throws -> Value? {
        let statement = try handle.statement(sql)
        defer { statement.reset() }
        try bind(statement)
        return try statement.step() ? try read(statement) : nil
    }

    /// Every row of a query.
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
    /// Begins to read and returns the mark of the snapshot that is read from now on.
    package func beginRead() throws -> FileVersion {
        var mark = try beginReadOnce()
        for _ in 1..<Self.beginLimit where hasLog && mark.change == nil {
            try rollback()
            mark = try beginReadOnce()
        }
        return mark
    }

    /// Begins to write, waiting up to the busy timeout for a writer of another process; returns the mark of the
    /// snapshot that the transaction builds on.
    package func beginWrite() throws -> FileVersion {
        changesBefore = handle.totalChanges
        try handle.execute("BEGIN IMMEDIATE")
        handle.holdTransaction()
        try orRollback { try handle.findLogIndex() }
        // Nobody else can commit now, so the counter stands still; where it is the one seen last, so is the number.
        let change = handle.changeCounter
        if let lastMark, lastMark.change != nil, lastMark.change == change { return lastMark }
        let mark = FileVersion(number: try orRollback(snapshotNumber), change: change)
        lastMark = mark
        return mark
    }

    /// Whether the write transaction changed anything in the file so far.
    package var hasWritten: Bool { handle.totalChanges != changesBefore }

    /// - Throws: the error with which SQLite ended the transaction by itself, if it did.
    package func checkTransaction() throws { try handle.checkTransaction() }

    /// Ends a transaction and keeps what it wrote. After an error the transaction still has to be rolled back.
    package func commit() throws {
        try handle.execute("COMMIT")
        handle.letGoOfTransaction()
    }

    /// Ends a transaction and drops what it wrote. After some errors SQLite itself has done so already.
    package func rollback() throws {
        handle.letGoOfTransaction()
        if !handle.isAutocommit { try handle.execute("ROLLBACK") }
    }

    /// Runs the body in a write transaction, for work on the file itself, outside of any numbered commit.
    func inWriteTransaction(_ body: () throws -> Void) throws {
        try handle.execute("BEGIN IMMEDIATE")
        do {
            try body()
            try handle.execute("COMMIT")
        } catch {
            try rollback()
            throw error
        }
    }

    /// The counter is that of the snapshot when it was the same before and after the snapshot was taken.
    private func beginReadOnce() throws -> FileVersion {
        let before = handle.changeCounter
        let number = try begin("BEGIN DEFERRED")
        // Without it every later state would look like one of a stranger.
        if hasLog { try orRollback { try handle.findLogIndex() } }
        let after = handle.changeCounter
        return FileVersion(number: number, change: before == after ? after : nil)
    }

    /// Begins, and reads the number of the last commit: with the first read SQLite fixes the snapshot, so the number is
    /// that of the snapshot.
    private func begin(_ sql: String) throws -> Int {
        try handle.execute(sql)
        handle.holdTransaction()
        return try orRollback(snapshotNumber)
    }

    private func orRollback<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            try rollback()
            throw error
        }
    }
}
