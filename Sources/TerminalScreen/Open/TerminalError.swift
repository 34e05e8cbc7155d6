/// Why a screen could not be opened or used, in a sentence for the user.
public struct TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of errors that a program can distinguish.
    public enum Code: Hashable, Sendable {
        /// Input or output is not a terminal.
        case noTerminal
        /// TERM names a terminal that cannot move its cursor.
        case tooSimple
        /// TERM is not set, or terminfo has no entry for it.
        case unknownType
        /// A text is longer than the terminal accepts.
        case tooLong
        /// The system refused a call that normally succeeds.
        case refused
    }

    /// The kind of failure.
    public let code: Code
    /// What happened and what to do.
    public let message: String

    public var description: String { message }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
