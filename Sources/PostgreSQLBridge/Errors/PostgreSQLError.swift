/// An error of a server, or of the way to it: what happened in plain words, and SQLSTATE if the server gave one.
///
/// No message holds a password.
package struct PostgreSQLError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        /// The system has no libpq.
        case noLibrary
        /// The connection string is not one.
        case badAddress
        /// No server answers at the address.
        case unreachable
        /// The server does not let this user in.
        case refused
        /// The connection ended.
        case lost
        /// The deadline passed. The connection is closed.
        case timedOut
        /// The program stopped the call. The connection is closed.
        case stopped
        /// The server answered what it was not asked for, or more than the limits allow. The connection is closed.
        case unexpectedAnswer
        /// The server executed the statement and failed.
        case failed
    }

    package var kind: Kind
    package var message: String
    /// Five characters, as in PostgreSQL's list of error codes.
    package var sqlState: String?

    package init(_ kind: Kind, _ message: String, sqlState: String? = nil) {
        self.kind = kind
        self.message = message
        self.sqlState = sqlState
    }

    /// An answer that belongs to another statement: something between here and the server sent a message twice. All further
    /// answers would be one statement late.
    package static let answersAnotherQuestion = PostgreSQLError(
        .lost, "The connection to the server is out of step: what came is the answer to another statement.")

    package var description: String { sqlState.map { "\(message) (SQLSTATE \($0))" } ?? message }

    /// Whether another attempt over a new connection may succeed: the server was not reached, went away, or is starting
    /// or stopping.
    package var isPassing: Bool {
        switch kind {
        case .unreachable, .lost, .timedOut: true
        case .failed: sqlState.map { Self.passing.contains($0) || $0.hasPrefix("08") } ?? false
        case .noLibrary, .badAddress, .refused, .stopped, .unexpectedAnswer: false
        }
    }

    /// Whether the server gave one of these SQLSTATEs.
    package func isOf(_ states: Set<String>) -> Bool { sqlState.map(states.contains) ?? false }

    /// Whether the server has answered that the statement failed, so that nothing of it is stored. Otherwise the connection or the server has
    /// ended, and the statement may have been carried out before.
    package var isAnswer: Bool {
        kind == .failed && sqlState.map { !$0.hasPrefix("57P") && !$0.hasPrefix("08") } ?? false
    }

    /// Whether the server ended the transaction because it stood in the way of another one: nothing of it is stored, and it may be
    /// run again over the same connection.
    package var isVictim: Bool { sqlState == "40001" || sqlState == "40P01" }

    /// The server ends or starts, has no connection left or may not be written, or had to choose a victim among
    /// transactions.
    private static let passing: Set = [
        "57P01", "57P02", "57P03", SQLState.noConnectionLeft, SQLState.readOnly, "40001", "40P01",
    ]
}
