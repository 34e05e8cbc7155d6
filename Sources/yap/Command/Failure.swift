import FileReading
import Foundation
import TerminalScreen
import YapDatabase

/// The exit codes of the process.
enum ExitCode {
    static let good: Int32 = 0
    static let failed: Int32 = 1
    static let usage: Int32 = 2
    /// Something is missing from the output, or its order is not the one requested; a mark or a message says so.
    static let partial: Int32 = 3
    /// The code that shells use for a program ended by Ctrl-C.
    static let interrupted: Int32 = 130
}

/// Writes a message to standard error; standard output is for data. Each message is one line, whatever characters a
/// file's name has.
///
/// Of a message with a very long argument in it, the beginning and the end are enough.
func printError(_ message: String) {
    let isLong = message.utf8.count > 4 * longestMessage && message.count > longestMessage
    let shown = isLong ? "\(message.prefix(longestMessage / 2)) … \(message.suffix(longestMessage / 2))" : message
    writeError(TerminalSafe.line("yap: \(shown)") + "\n")
}

private let longestMessage = 800

/// FileHandle would stop the program if standard error is closed.
func writeError(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
}

/// Why a command failed. Exit code 1.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// Returns a failure with the system's message for the call that just failed.
    static func ofSystem(_ what: String) -> Failure { Failure("\(what): \(String(cString: strerror(errno))).") }
}

/// Returns an error's message, with the file that it concerns: the system's own words name none.
func sentence(_ error: any Error) -> String {
    guard let error = error as? YapDatabaseError else { return sentence(ofSystem: error) }
    if error.code == .notADatabase {
        return error.message
            + " browse, check, diff, export and repair read what SQLCipher encrypted, with its key: --key-file KEYFILE"
    }
    return error.underlying.map { "\(error.message) (\(sentence($0)))" } ?? error.message
}
