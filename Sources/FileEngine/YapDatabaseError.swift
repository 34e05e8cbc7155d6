import Foundation
import SQLiteBridge

/// An error of the database: a code for the program and a message for people.
///
/// Every call that accesses the file throws this type. Errors thrown by the caller's closures pass through unchanged.
public struct YapDatabaseError: Error, Sendable {
    /// The kinds of errors that a program can distinguish.
    public enum Code: Hashable, Sendable {
        /// The file is not an SQLite database.
        case notADatabase
        /// The file is an SQLite database of another program.
        case notAYapDatabase
        /// The file is shorter than its header says.
        case truncated
        /// The file is damaged, or a derived structure in it is inconsistent.
        case corrupt
        /// The file, or the folder that must hold its log, cannot be written.
        case readOnly
        /// The file or folder does not exist or cannot be opened.
        case cannotOpen
        /// The system denies access.
        case permissionDenied
        /// A newer release wrote the file, in a layout that this release does not know; or a newer version of the program wrote a row that was
        /// to be overwritten.
        case newerVersion
        /// The file was moved, removed or replaced while it was open.
        case fileReplaced
        /// The file is already open in this process.
        case alreadyOpen
        /// `close()` was called.
        case closed
        /// Another program held the file for longer than the busy timeout.
        case locked
        /// The database was closed, or the program interrupted it, while a statement ran. A write was rolled back.
        case interrupted
        /// The disk is full. What was to be written is not stored.
        case diskFull
        /// The system could not read or write the file.
        case inputOutput
        /// A value could not be encoded. Nothing was stored.
        case encodingFailed
        /// A value or a whole row exceeds SQLite's size limit. It was not stored.
        case valueTooLarge
        /// The row exists, but its bytes could not be decoded.
        case decodingFailed
        /// An earlier error in the same transaction made it roll back.
        case transactionFailed
        /// The extension's name is taken, unknown or invalid, or an extension that it requires is missing.
        case badExtension
        /// A row names another one that is not there, or that was removed, and a relation forbids that. The transaction was rolled back.
        case missingRow
        /// The file follows a space on a server and is open without it, and the transaction changed rows of the space. It was rolled back.
        case followsServer
        /// An operation for a cloud cannot be queued: its class is not allowed, or its dependencies form a circle.
        case badOperation
        /// Mappings and commits do not match: commits between them are missing.
        case mismatchedMappings
        /// No change-set describes the changes; the list must be reloaded.
        case reloadNeeded
        /// The connection stayed on an old state until the write-ahead log reached `logSizeLimit`. Jump to the newest state.
        case stateGivenUp
        /// The text of a query, or of a search, is wrong. The message names the place.
        case badQuery
        /// Any other error of SQLite.
        case sqlite
    }

    /// The kind of failure.
    public var code: Code
    /// What happened and what to do about it.
    public var message: String
    /// The SQL statement that failed; nil if there was none.
    public var sql: String?
    /// SQLite's extended result code; nil if SQLite was not involved.
    public var sqliteCode: Int32?
    /// SQLite's own message; nil if SQLite was not involved.
    public var sqliteMessage: String?
    /// The byte of `sql` at which SQLite found the error; nil if it names none.
    public var sqlOffset: Int?
    /// The error of a coder or a system call that caused this one.
    public var underlying: (any Error)?

    /// Creates an error, for your own extensions and coders.
    /// - Parameters:
    ///   - code: the kind of failure.
    ///   - message: what happened and what to do about it.
    ///   - sql: the statement that failed; nil for none.
    ///   - sqliteCode: SQLite's extended result code; nil if it was not involved.
    ///   - underlying: the error that caused this one.
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
        if let sql { text += " in: \(Self.shown(sql))" }
        if let cause = underlying.flatMap(causeToAdd) { text += " — \(cause)" }
        return text
    }

    /// The text of a cause; nil if the message says it.
    private func causeToAdd(_ error: any Error) -> String? {
        // The message names the field.
        if code == .decodingFailed, error is DecodingError { return nil }
        let text = Self.words(of: error)
        return message.contains(text) ? nil : text
    }

    /// An error as a person reads it: of the system's libraries only the words, without types, domains and codes.
    package static func words(of error: any Error) -> String {
        let system = error as NSError
        switch system.domain {
        case NSPOSIXErrorDomain: return String(cString: strerror(Int32(clamping: system.code)))
        case NSCocoaErrorDomain:
            let cause = system.userInfo[NSUnderlyingErrorKey] as? any Error
            return cause.map(words) ?? system.userInfo["NSDebugDescription"] as? String ?? system.localizedDescription
        default: return "\(error)"
        }
    }
}

extension YapDatabaseError {
    /// The most bytes of a statement in a description. ``sql`` has all.
    private static let shownBytes = 1_000

    private static func shown(_ sql: String) -> String {
        let count = sql.utf8.count
        guard count > shownBytes else { return sql }
        return "\(String(decoding: sql.utf8.prefix(shownBytes), as: UTF8.self))… (\(count) bytes)"
    }

    /// Converts SQLite's error about a file and adds advice.
    package init(_ error: SQLiteError, path: String) {
        let (code, advice) =
            SystemLimit(error).map { ($0.code, $0.advice(path)) } ?? Self.meaning(of: error, path: path)
        self.init(code, "\(advice) SQLite says: \(error.message).", sql: error.sql, sqliteCode: error.extendedCode)
        sqliteMessage = error.message
        sqlOffset = error.offset
    }

    /// The file, its log or the log's index, if that is there and this user may not read it.
    private static func unreadablePart(of path: String) -> String? {
        ["", "-wal", "-shm"].map { path + $0 }.first { access($0, F_OK) == 0 && access($0, R_OK) != 0 }
    }

    private static func meaning(of error: SQLiteError, path: String) -> (Code, String) {
        switch error.code {
        case SQLiteError.inputOutput where error.extendedCode == SQLiteError.failedGrowthOfIndex:
            (
                .diskFull,
                "The disk is full: no index of the log can be made beside \(path). Free some space and try again."
            )
        case SQLiteError.notADatabase: (.notADatabase, "\(path) is not an SQLite database.")
        case SQLiteError.corrupt:
            (.corrupt, "\(path) is damaged. Run `yap check` on it, and restore a backup if rows are lost.")
        case SQLiteError.readOnly: (.readOnly, "\(path) cannot be written. Make the file and its folder writable.")
        case SQLiteError.permissionDenied:
            (.permissionDenied, "Access to \(path) is denied. Check its owner and permissions.")
        case SQLiteError.cannotOpen:
            unreadablePart(of: path).map { part in
                (
                    .permissionDenied,
                    "\(part), without which the database cannot be read, denies access. Check its owner and permissions."
                )
            } ?? (.cannotOpen, "\(path) cannot be opened. Check that its folder exists and may be read and written.")
        case SQLiteError.busy, SQLiteError.lockProtocol:
            (.locked, "Another program holds \(path). Try again when it is done, or raise `busyTimeout`.")
        case SQLiteError.interrupted:
            (.interrupted, "An operation on \(path) was interrupted. Its changes were rolled back.")
        case SQLiteError.full:
            (.diskFull, "The disk is full: \(path) cannot be written. Free some space and try again.")
        case SQLiteError.inputOutput:
            (.inputOutput, "Reading or writing \(path) failed. Check the disk and the permissions, then try again.")
        case SQLiteError.constraint: (.sqlite, "A constraint of a table in \(path) rejects the change.")
        case SQLiteError.tooBig:
            (
                .valueTooLarge,
                "A row of \(path) is too large: key, object and metadata together may have 1,000,000,000 bytes, or fewer "
                    + "if the reader has a lower limit. Store large data in separate files, and their names in the row."
            )
        case SQLiteError.missing:
            (.sqlite, "A part of \(path) can be read only by a program that has what its schema names.")
        default:
            (
                .sqlite,
                "An operation on \(path) failed. Run `yap check` on it to see whether its tables are intact."
            )
        }
    }
}
