import PostgreSQLBridge

/// An error of the way to the server, or of its answer: a code for the program and a message for people. Errors of the
/// file are `YapDatabaseError`.
public struct YapDatabaseServerError: Error, Sendable {
    /// The kinds of errors that a program can distinguish.
    public enum Code: Hashable, Sendable {
        /// The server did not answer within the timeout. Nothing was stored, neither there nor here.
        case serverUnreachable
        /// There was no answer while the server may have been storing the transaction, and it did not come back within
        /// the timeout. Nothing was stored here; if the server has it, it arrives with the next commits.
        case outcomeUnknown
        /// The server has stored the transaction, and the file could not: its rows arrive again when the file can be
        /// written.
        case storedOnServerOnly
        /// The role may not write or read this.
        case notAllowed
        /// A rule of the space forbids the change. The message names the role, the row, and as whom it was to be written. Nothing was
        /// stored, and another attempt has the same end.
        case refusedByRule
        /// The transaction has more bytes than ``YapDatabaseServer/transactionLimit``, or a name more than
        /// ``YapDatabaseServer/nameLimit``, or a NUL character. Nothing was stored.
        case tooLarge
        /// Other hosts changed the space each time that the transaction ran. Nothing was stored.
        case overtaken
        /// Mutations of the file wait for something else than the server, and have to be sent before a transaction that it confirms. Nothing
        /// was stored.
        case mutationsWait
        /// The space does not continue what the file has of it: it is another one of the same name, or the server lost commits that
        /// it had confirmed. Following it would remove rows from the file, so the file stays as it is until
        /// `yap server restore` or `yap server take`.
        case wouldLoseRows
        /// The address is wrong, the space is missing, file and space do not fit together, or the system has no libpq.
        case badSpace
        /// The server's tables are of a newer release, or of an older one: `yap server init` brings them up to date.
        case wrongVersion
        /// The server failed, or answered what it was not asked for.
        case serverFailed
        /// The database was closed.
        case closed
    }

    /// What happened.
    public var code: Code
    /// What happened and what to do, in whole sentences. It holds no password.
    public var message: String
    /// The server's code of five characters, if it gave one.
    public var sqlState: String?
    /// The error that caused it.
    public var underlying: (any Error)?

    init(_ code: Code, _ message: String, sqlState: String? = nil, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.sqlState = sqlState
        self.underlying = underlying
    }
}

extension YapDatabaseServerError: CustomStringConvertible {
    /// Message and code in one line.
    public var description: String { sqlState.map { "\(message) (SQLSTATE \($0))" } ?? message }
}

extension YapDatabaseServerError {
    init(_ error: PostgreSQLError) {
        let code: Code =
            switch error.kind {
            case .noLibrary, .badAddress: .badSpace
            case .unreachable, .lost, .timedOut: .serverUnreachable
            case .refused: .notAllowed
            case .stopped: .closed
            case .unexpectedAnswer: .serverFailed
            case .failed where error.isOf([SQLState.noRight, SQLState.badLogin]): .notAllowed
            case .failed where error.sqlState == YapDatabaseServerRule.refusal: .refusedByRule
            case .failed where error.isOf(SQLState.noSpace): .badSpace
            case .failed where error.isPassing || error.sqlState == SQLState.cancelled: .serverUnreachable
            case .failed: .serverFailed
            }
        let advice = error.sqlState.flatMap(SQLState.advice).map { " \($0)" } ?? ""
        self.init(code, error.message + advice, sqlState: error.sqlState)
    }
}

extension YapDatabaseServerError {
    /// The same with the addition that nothing was stored.
    var withNothingStored: YapDatabaseServerError {
        var error = self
        error.message += " Nothing was stored."
        return error
    }
}

/// Runs the body and turns an error of the connection into one of the library.
func translating<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as PostgreSQLError { throw YapDatabaseServerError(error) }
}
