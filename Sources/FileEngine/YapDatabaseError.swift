import SQLiteBridge

/// What went wrong, in words for a person, with a code for a program.
///
/// Everything that touches the file throws this type. Errors thrown by a closure of the caller pass through unchanged.
public struct YapDatabaseError: Error, Sendable {
    /// What a program can tell apart.
    public enum Code: Hashable, Sendable {
        /// The file is something else than an SQLite database.
        case notADatabase
        /// The file is an SQLite database of another program.
        case notAYapDatabase
        /// The file ends before it should.
        case truncated
        /// The file is damaged, or a derived structure in it disagrees with itself.
        case corrupt
        /// The file, or the folder that must hold its log, cannot be written.
        case readOnly
        /// There is no such file or folder, or it cannot be opened.
        case cannotOpen
        /// The system refuses access.
        case permissionDenied
        /// A newer release wrote the file, in a layout that this one does not know.
        case newerVersion
        /// The file was moved, removed or replaced while it was open.
        case fileReplaced
        /// The file is open already, in this process.
        case alreadyOpen
        /// `close()` was called.
        case closed
        /// Another program held the file for longer than the busy timeout.
        case locked
        /// The database was closed while a statement ran, or the program asked it to stop. A write was rolled back.
        case interrupted
        case diskFull
        case inputOutput
        /// A value could not be turned into bytes. Nothing was stored.
        case encodingFailed
        /// A value, or a row in all, has more bytes than SQLite holds. It was not stored.
        case valueTooLarge
        /// The row is there, but its bytes could not be turned into a value.
        case decodingFailed
        /// An earlier error of the same transaction made it roll back.
        case transactionFailed
        /// The extension's name is taken, unknown or not usable, or what it needs is missing.
        case badExtension
        /// Mappings and notifications do not belong together: some commits were passed over.
        case mismatchedMappings
        /// What changed cannot be told as a change-set; the list has to be reloaded.
        case reloadNeeded
        /// Any other answer of SQLite.
        case sqlite
    }

    /// The kind of failure.
    public var code: Code
    /// What happened and what to do about it.
    public var message: String
    /// The statement that failed, nil where there was none.
    public var sql: String?
    /// SQLite's extended result code, nil where SQLite had no part in it.
    public var sqliteCode: Int32?
    /// What a coder or a system call said.
    public var underlying: (any Error)?

    /// For errors of extensions and coders of your own.
    public init(
        _ code: Code, _ message: String, sql: String? = nil, sqliteCode: Int32? = nil, underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.sql = sql
        self.sqliteCode = sqliteCode
        self.underlying = underlying
    }
}

extension YapDatabaseError: CustomStringConvertible {
    /// Message, code, statement and cause in one line.
    public var description: String {
        var text = message
        if let sqliteCode { text += " (SQLite error \(sqliteCode))" }
        if let sql { text += " in: \(sql)" }
        if let underlying { text += " — \(underlying)" }
        return text
    }
}

extension YapDatabaseError {
    /// SQLite's error about a file, with advice.
    package init(_ error: SQLiteError, path: String) {
        let (code, advice) = Self.meaning(of: error.code, path: path)
        self.init(code, "\(advice) SQLite says: \(error.message).", sql: error.sql, sqliteCode: error.extendedCode)
    }

    private static func meaning(of code: Int32, path: String) -> (Code, String) {
        switch code {
        case SQLiteError.notADatabase: (.notADatabase, "\(path) is not an SQLite database.")
        case SQLiteError.corrupt:
            (.corrupt, "\(path) is damaged. Run `yap check` on it, and restore a backup if rows are lost.")
        case SQLiteError.readOnly: (.readOnly, "\(path) cannot be written. Make the file and its folder writable.")
        case SQLiteError.permissionDenied:
            (.permissionDenied, "Access to \(path) is denied. Check its owner and permissions.")
        case SQLiteError.cannotOpen:
            (.cannotOpen, "\(path) cannot be opened. Check that its folder exists and may be read and written.")
        case SQLiteError.busy, SQLiteError.lockProtocol:
            (.locked, "Another program holds \(path). Try again when it is done, or raise `busyTimeout`.")
        case SQLiteError.interrupted:
            (.interrupted, "An operation on \(path) was stopped before its end. What it was writing was rolled back.")
        case SQLiteError.full: (.diskFull, "There is no room left to write \(path). Free some space and try again.")
        case SQLiteError.inputOutput:
            (.inputOutput, "Reading or writing \(path) failed. Check the disk and the permissions, then try again.")
        case SQLiteError.constraint: (.sqlite, "A rule of a table in \(path) forbids that.")
        case SQLiteError.tooBig:
            (
                .valueTooLarge,
                "A row of \(path) is too large: key, object and metadata together may have 1,000,000,000 bytes, and fewer "
                    + "where a reader keeps to less. Keep large data in files of its own, and store their names."
            )
        default:
            (
                .sqlite,
                "An operation on \(path) failed. Run `yap check` on it, which tells whether its tables are whole."
            )
        }
    }
}
