import CSQLite

/// One SQLite connection to one file, for one thread at a time: the owner must serialise its use.
public final class SQLiteHandle {
    /// Converts SQLite's error into the error that callers see.
    public typealias ErrorTranslation = @Sendable (SQLiteError) -> any Error

    public let path: String
    let pointer: OpaquePointer
    let translate: ErrorTranslation
    let transaction = HeldTransaction()
    /// Interrupts the handle's statements, from any thread.
    public let interrupter: SQLiteInterrupter
    /// Waits for locks, as long as the handle is open.
    public let lockWaiter: SQLiteLockWaiter
    /// Unchecked: no member runs inside an access of another one, and every statement is looked up here.
    @exclusivity(unchecked) private var cache = StatementCache()
    private let guardian: StatementGuardian?
    let standIns: StandIns?
    var cancellation: Cancellation?
    private let didClose: @Sendable () -> Void
    /// The shared index of the write-ahead log, after `findLogIndex()`. Its address is fixed while the handle is open.
    /// Unchecked: it is set once.
    @exclusivity(unchecked) private(set) var logIndex: UnsafePointer<UInt32>?

    /// Whether a statement that may write throws when it is asked for. Those that are in use already run on.
    /// Unchecked: it is assigned as a whole.
    @exclusivity(unchecked) public var refusesWrites = false

    /// How a file is opened.
    public enum Mode: Hashable, Sendable {
        /// Fails if the file does not exist or cannot be read.
        case readOnly
        /// Reads file and log with a reader's locks, but writes nothing, not even the log's shared index, which must
        /// exist.
        case readOnlyUntouched
        /// Reads file and log without locks and with a private index in memory: for a log without a sound index, in a
        /// file that no program writes meanwhile.
        case readOnlyOwnIndex
        /// Reads the file without its log and without locks: for a file that no program writes meanwhile.
        case readOnlyAlone
        /// Fails if the file does not exist.
        case readWrite
        /// Creates the file if it does not exist.
        case create
        /// An empty private database in memory, deleted with the handle. The path is ignored.
        case memory
        /// The same in a temporary file as soon as it is large.
        case temporary

        public var isReadOnly: Bool { ![.readWrite, .create, .memory, .temporary].contains(self) }
    }

    /// The name of the access to files. It is made once, before the first handle of the process opens, with the settings of the library.
    private static let fileAccess: String? = {
        yap_count_no_memory()
        return yap_log_vfs().map { String(cString: $0) }
    }()

    /// Opens the file. SQLite reads it with the first statement, so damage is found only then.
    /// - Parameters:
    ///   - rules: what statements may do; with rules, nothing that the file's schema contains is run. Nil: anything.
    ///   - busyTimeout: how long a statement waits for another connection's lock, in milliseconds.
    ///   - translate: applied to every error that this handle and its statements throw.
    ///   - didClose: called when SQLite has closed the file; not if it cannot be opened.
    public init(
        path: String, mode: Mode, rules: SQLiteRules? = nil, busyTimeout: Int = 0,
        translate: @escaping ErrorTranslation = { $0 }, didClose: @escaping @Sendable () -> Void = {}
    ) throws {
        self.path = path
        self.didClose = didClose
        lockWaiter = SQLiteLockWaiter(patience: busyTimeout)
        var opened: OpaquePointer?
        let decoder = mode.isReadOnly ? PageDecoders.decoder(of: path) : nil
        // Settings of the library are made before its first use, whatever that opens.
        let fileAccess = Self.fileAccess
        let status =
            decoder?.open(mode.name(path, isDecoded: true), &opened, flags: mode.flags)
            ?? sqlite3_open_v2(mode.name(path), &opened, mode.flags, fileAccess)
        guard status == SQLITE_OK, let opened else {
            let error =
                opened == nil
                ? SQLiteError(extendedCode: status, message: String(cString: sqlite3_errstr(status)))
                : SQLiteError(handle: opened)
            sqlite3_close_v2(opened)
            throw translate(error)
        }
        pointer = opened
        let standIns = rules?.standsInForMissing == true ? StandIns(opened) : nil
        self.standIns = standIns
        switch (standIns, decoder) {
        case (nil, nil): self.translate = translate
        case (let standIns?, nil): self.translate = { translate(standIns.explain($0)) }
        case (let standIns, let decoder?):
            self.translate = { error in
                let error = decoder.explain(error)
                return translate(standIns?.explain(error) ?? error)
            }
        }
        interrupter = SQLiteInterrupter(opened)
        guardian = rules.map(StatementGuardian.init)
        sqlite3_extended_result_codes(pointer, 1)
        // Cannot fail for an open handle.
        _ = yap_refuse_unknown_names(pointer)
        lockWaiter.wait(for: pointer)
        if decoder != nil { try keepSortedRowsInMemory() }
        do {
            try guardian?.protect(pointer)
        } catch let error as SQLiteError {
            throw translate(error)
        }
        if mode == .readOnlyOwnIndex { try keepIndexInMemory() }
    }

    /// Makes SQLite sort in memory what does not fit its cache, and not in a file, so that nothing decrypted is written anywhere.
    private func keepSortedRowsInMemory() throws { try execute("PRAGMA temp_store = MEMORY") }

    /// Makes SQLite assume that it has the file to itself, so that it creates no shared index.
    private func keepIndexInMemory() throws {
        setCheckpointOnClose(false)
        try execute("PRAGMA locking_mode = EXCLUSIVE")
    }

    deinit {
        interrupter.end()
        cache.removeAll()
        // close_v2 never fails: if a statement is still alive, the handle closes with the last of them.
        sqlite3_close_v2(pointer)
        didClose()
    }

    /// Returns a statement for exclusive use until its `reset()`. Two users of one text at the same time get two
    /// statements.
    public func statement(_ sql: String) throws -> SQLiteStatement {
        let statement = try cache.checkOut(sql) ?? prepareToKeep(sql)
        if refusesWrites { try refuseWrite(by: statement) }
        return statement
    }

    private func prepareToKeep(_ sql: String) throws -> SQLiteStatement {
        let statement = try prepare(sql)
        statement.markInUse()
        cache.insert(statement)
        return statement
    }

    private func refuseWrite(by statement: SQLiteStatement) throws {
        guard !statement.isReadOnly else { return }
        statement.reset()
        throw translate(
            SQLiteError(
                extendedCode: SQLiteError.readOnly, message: "nothing is to be written here", sql: statement.sql))
    }

    /// Returns two statements for exclusive use, or none: the first is given back if the second cannot be compiled.
    public func statements(_ first: String, _ second: String) throws -> (SQLiteStatement, SQLiteStatement) {
        let statement = try statement(first)
        do {
            return (statement, try self.statement(second))
        } catch {
            statement.reset()
            throw error
        }
    }

    /// Returns a statement for exclusive use that is compiled for this use alone.
    public func newStatement(_ sql: String) throws -> SQLiteStatement {
        let statement = try prepare(sql)
        if refusesWrites { try refuseWrite(by: statement) }
        return statement
    }

    /// Finalizes the statements of a text.
    public func forgetStatements(of sql: String) { cache.remove(sql) }

    /// Runs a statement that takes no parameters and returns no rows.
    public func execute(_ sql: String) throws {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.run()
    }

    /// Runs `COMMIT`, whose pages reach the log in one call of the system.
    public func commit() throws {
        yap_log_begin(pointer)
        do {
            try execute("COMMIT")
        } catch {
            yap_log_end(pointer)
            throw error
        }
        let dropped = yap_log_end(pointer)
        precondition(dropped == 0, "SQLite committed \(dropped) bytes that are not in the log.")
    }

    /// Rolls back. Also after an error after which SQLite did: an R-tree then still reads the file, if a full-text index refused the commit (SQLite
    /// 3.40.1), and the next transaction would be in the state from before.
    public func rollback() throws {
        if !isAutocommit || (try? execute("BEGIN")) != nil { try execute("ROLLBACK") }
    }

    /// Runs the body without the handle's rules, for statements that SQLite implements with internal ones, such as
    /// `VACUUM`.
    public func withoutRules<Value>(_ body: () throws -> Value) rethrows -> Value {
        guardian?.isSuspended = true
        defer { guardian?.isSuspended = false }
        return try body()
    }

    /// Runs statements that change the table of the schema itself, and has SQLite read the schema again.
    public func changingSchema(_ body: () throws -> Void) throws {
        try withoutRules {
            try guardian?.setDefensive(false, pointer)
            defer { try? guardian?.protectSchema(pointer) }
            try execute("PRAGMA writable_schema = ON")
            let result = Result(catching: body)
            try execute("PRAGMA writable_schema = RESET")
            try result.get()
        }
    }

    /// Makes SQLite read as much as possible of a file with a damaged schema. For a file that is only read.
    public func tolerateDamagedSchema() throws {
        try guardian?.setDefensive(false, pointer)
        try execute("PRAGMA writable_schema = ON")
    }

    /// The number of rows that the last insert, update or delete changed.
    public var changes: Int { Int(sqlite3_changes64(pointer)) }
    /// The number of rows that all inserts, updates and deletes changed since the handle was opened.
    public var totalChanges: Int { Int(sqlite3_total_changes64(pointer)) }
    public var lastInsertRowid: Int64 { sqlite3_last_insert_rowid(pointer) }
    /// Whether no transaction is open; also true after SQLite itself rolled one back because of an error.
    public var isAutocommit: Bool { sqlite3_get_autocommit(pointer) != 0 }

    /// Makes the values of the write-ahead log's shared index available. Must be called inside a read transaction of a
    /// file with such a log, where SQLite is certain to have opened the index.
    /// - Throws: if the index exists and cannot be mapped into memory.
    public func findLogIndex() throws {
        guard logIndex == nil else { return }
        let status = yap_find_wal_index(pointer, &logIndex)
        guard status == SQLITE_OK else {
            throw translate(SQLiteError(extendedCode: status, message: String(cString: sqlite3_errstr(status))))
        }
    }

    /// The number of times that statements were ended during their run. See `endRunningStatements()`.
    public private(set) var timesEnded = 0

    /// Ends the run of every statement, so that a transaction can end. A user in the middle of one must begin again.
    public func endRunningStatements() {
        timesEnded += 1
        yap_reset_running(pointer)
    }

    /// Finalizes every statement that is not in use. They are prepared again when they are needed.
    public func finalizeIdleStatements() { cache.removeIdle() }

    /// Frees the pages that SQLite holds and does not need at present.
    public func releaseMemory() { sqlite3_db_release_memory(pointer) }

    private func prepare(_ sql: String) throws -> SQLiteStatement {
        while true {
            do {
                return try prepareOnce(sql)
            } catch let error as SQLiteError {
                if standIns?.addFunction(missedBy: error) != true { throw translate(error) }
            }
        }
    }

    /// - Throws: `SQLiteError`.
    private func prepareOnce(_ sql: String) throws -> SQLiteStatement {
        var prepared: OpaquePointer?
        guardian?.hasForbidden = false
        var end = 0
        let status = sql.withCString { text in
            var tail: UnsafePointer<CChar>?
            let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
            let status = sqlite3_prepare_v3(pointer, text, -1, flags, &prepared, &tail)
            if let tail { end = tail - text }
            return status
        }
        guard status == SQLITE_OK else {
            var error = SQLiteError(handle: pointer, sql: sql)
            if guardian?.hasForbidden == true {
                (error.code, error.extendedCode) = (SQLiteError.forbidden, SQLiteError.forbidden)
            }
            throw error
        }
        guard let prepared else { fatalError("The statement is empty: \(sql)") }
        // SQLite compiles the first statement only, and no byte after a NUL.
        guard sql.utf8.dropFirst(end).allSatisfy({ $0 == 0x20 || (0x09...0x0d).contains($0) }) else {
            sqlite3_finalize(prepared)
            var error = SQLiteError(
                extendedCode: SQLiteError.statement, message: "there is text after the end of the statement", sql: sql)
            error.offset = end
            throw error
        }
        return SQLiteStatement(
            sql: sql, pointer: prepared, handle: pointer, transaction: transaction, translate: translate)
    }
}

extension SQLiteHandle.Mode {
    /// Returns the name by which SQLite opens the file: a URI if it has parameters.
    fileprivate func name(_ path: String, isDecoded: Bool = false) -> String {
        // SQLite gives some relative names a special meaning, such as ":memory:".
        let path = path.hasPrefix("/") ? path : "./" + path
        return switch self {
        case .readOnly, .readWrite, .create: path
        case .readOnlyUntouched: Self.uri(path) + "?readonly_shm=1"
        case .readOnlyOwnIndex: Self.uri(path) + (isDecoded ? "?vfs=yap-decoded-none" : "?vfs=unix-none")
        case .readOnlyAlone: Self.uri(path) + "?immutable=1"
        case .memory: ":memory:"
        case .temporary: ""
        }
    }

    private static func uri(_ path: String) -> String {
        let plain = Set("/-_.~".utf8)
        let name = path.utf8.map { byte in
            let isPlain = plain.contains(byte) || Character(UnicodeScalar(byte)).isASCIILetterOrDigit
            return isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        // An absolute path may begin with two slashes, which without a prefix would mean a host.
        return (path.hasPrefix("/") ? "file://" : "file:") + name.joined()
    }

    fileprivate var flags: Int32 {
        // NOMUTEX: the owner serialises, so SQLite need not lock for each call.
        switch self {
        case .readOnly: SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX
        case .readOnlyUntouched, .readOnlyOwnIndex, .readOnlyAlone:
            SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI
        case .readWrite: SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
        case .create, .memory, .temporary: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        }
    }
}

extension Character {
    fileprivate var isASCIILetterOrDigit: Bool { isASCII && (isLetter || isNumber) }
}

extension SQLiteHandle {
    /// The version of the SQLite library, for example `3.40.1`.
    public static var libraryVersion: String { String(cString: sqlite3_libversion()) }

    /// Whether `PRAGMA integrity_check` looks into full-text indexes.
    public static var checksFullText: Bool { sqlite3_libversion_number() >= 3_044_000 }
}
