import FileReading
import Foundation
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
func printError(_ message: String) { writeError(TerminalSafe.line("yap: \(message)") + "\n") }

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
    let facts = (error as NSError).userInfo
    let path = facts[NSFilePathErrorKey] as? String ?? (facts[NSURLErrorKey] as? URL)?.path
    return (path.map { "\($0): " } ?? "") + words(error)
}

/// Returns an error's message without types, domains and codes of the system's libraries.
func words(_ error: any Error) -> String {
    if let error = error as? YapDatabaseError {
        return error.underlying.map { "\(error.message) (\(words($0)))" } ?? error.message
    }
    let system = error as NSError
    if let cause = system.userInfo[NSUnderlyingErrorKey] as? any Error { return words(cause) }
    if system.domain == NSPOSIXErrorDomain { return String(cString: strerror(Int32(system.code))) }
    return system.domain == NSCocoaErrorDomain ? system.localizedDescription : "\(error)"
}
