import Foundation
import YapDatabase

/// Another process that has a database open until it is told to end.
struct FileHolder {
    private let process = Process()
    private let input = Pipe()

    /// Starts the process and returns when it has the file open.
    init(_ url: URL) throws {
        let output = Pipe()
        process.executableURL = try ownProgram()
        process.arguments = ["--hold", url.path]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        guard try output.fileHandleForReading.read(upToCount: 1)?.isEmpty == false else {
            throw RawError("The other process cannot open the file.")
        }
    }

    func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}

/// Runs the other process: opens the file, reports that, and waits for the end of its input.
func holdFile(_ url: URL) throws {
    let database = try YapDatabase(url: url)
    try database.newConnection().read { _ in }
    print("open")
    fflush(nil)
    _ = try FileHandle.standardInput.readToEnd()
    try database.close()
}
