import FileReading
import Foundation
import YapDatabase

/// What the process ends with; see `man sysexits` for what we do not do.
enum ExitCode {
    static let good: Int32 = 0
    static let failed: Int32 = 1
    static let usage: Int32 = 2
    /// Something is missing from what was printed, or stands in another order than was asked for; a mark or a message says so.
    static let partial: Int32 = 3
    /// What a shell says of a program that Ctrl-C ended.
    static let interrupted: Int32 = 130
}

/// Messages go to standard error; standard output is for data. Each is one line, whatever a file is called.
func printError(_ message: String) { writeError(TerminalSafe.line("yap: \(message)") + "\n") }

/// Not by FileHandle, which stops the program when nobody takes its messages.
func writeError(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
}

/// Why a command cannot do what it was asked for. Exit code 1.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// What the system says of the call that failed just now.
    static func ofSystem(_ what: String) -> Failure { Failure("\(what): \(String(cString: strerror(errno))).") }
}

/// What went wrong, in words for people: no types, domains and codes of the system's libraries.
func words(_ error: any Error) -> String {
    if let error = error as? YapDatabaseError {
        return error.underlying.map { "\(error.message) (\(words($0)))" } ?? error.message
    }
    let system = error as NSError
    if let cause = system.userInfo[NSUnderlyingErrorKey] as? any Error { return words(cause) }
    if system.domain == NSPOSIXErrorDomain { return String(cString: strerror(Int32(system.code))) }
    return system.domain == NSCocoaErrorDomain ? system.localizedDescription : "\(error)"
}
