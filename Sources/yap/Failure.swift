import Foundation

/// What the process ends with; see `man sysexits` for what we do not do.
enum ExitCode {
    static let good: Int32 = 0
    static let failed: Int32 = 1
    static let usage: Int32 = 2
    /// What a shell says of a program that Ctrl-C ended.
    static let interrupted: Int32 = 130
}

/// Messages go to standard error; standard output is for data.
func printError(_ message: String) { writeError("yap: \(message)\n") }

/// Not by FileHandle, which stops the program when nobody takes its messages.
func writeError(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
}

extension POSIXError {
    /// What the last call of the system said.
    static var last: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
