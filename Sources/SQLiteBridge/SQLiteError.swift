import CSQLite

/// The error of a failed SQLite call.
public struct SQLiteError: Error, Hashable, Sendable {
    /// The primary result code, for example 11 for SQLITE_CORRUPT.
    public var code: Int32
    /// The extended result code, which names the failed operation, for example 778 for SQLITE_IOERR_WRITE.
    public var extendedCode: Int32
    /// SQLite's message.
    public var message: String
    /// The statement that failed, if any.
    public var sql: String?
    /// The byte of `sql` at which SQLite found the error, if it knows.
    public var offset: Int?
    /// The system's error number, where a call of the system failed; 0 if it is not known.
    public var systemCode: Int32 = 0

    public init(extendedCode: Int32, message: String, sql: String? = nil) {
        code = extendedCode & 0xff
        self.extendedCode = extendedCode
        self.message = message
        self.sql = sql
    }

    /// The last error of a handle.
    init(handle: OpaquePointer?, sql: String? = nil) {
        self.init(
            extendedCode: sqlite3_extended_errcode(handle), message: String(cString: sqlite3_errmsg(handle)), sql: sql)
        let place = sqlite3_error_offset(handle)
        if place >= 0 { offset = Int(place) }
        if [Self.cannotOpen, Self.inputOutput].contains(code) { systemCode = sqlite3_system_errno(handle) }
    }
}

extension SQLiteError: CustomStringConvertible {
    public var description: String {
        let place = sql.map { " in: \($0)" } ?? ""
        return "\(message) (SQLite error \(extendedCode))\(place)"
    }
}

/// The primary result codes that callers distinguish.
extension SQLiteError {
    /// The statement is invalid for the existing tables.
    public static let statement: Int32 = SQLITE_ERROR
    public static let permissionDenied: Int32 = SQLITE_PERM
    public static let busy: Int32 = SQLITE_BUSY
    /// Other connections held locks for as long as SQLite retries.
    public static let lockProtocol: Int32 = SQLITE_PROTOCOL
    /// The statement was interrupted.
    public static let interrupted: Int32 = SQLITE_INTERRUPT
    /// The handle's rules forbid the statement.
    public static let forbidden: Int32 = SQLITE_AUTH
    public static let readOnly: Int32 = SQLITE_READONLY
    public static let inputOutput: Int32 = SQLITE_IOERR
    /// The extended code of a write that failed.
    public static let failedWrite: Int32 = SQLITE_IOERR | 3 << 8
    /// The extended code if the log's index cannot grow, which is a write, too.
    public static let failedGrowthOfIndex: Int32 = SQLITE_IOERR | 19 << 8
    public static let corrupt: Int32 = SQLITE_CORRUPT
    public static let full: Int32 = SQLITE_FULL
    public static let cannotOpen: Int32 = SQLITE_CANTOPEN
    /// A value or a row exceeds SQLite's limit.
    public static let tooBig: Int32 = SQLITE_TOOBIG
    public static let notADatabase: Int32 = SQLITE_NOTADB
    public static let constraint: Int32 = SQLITE_CONSTRAINT
    /// A value has a type that its place does not accept.
    public static let mismatch: Int32 = SQLITE_MISMATCH
}
