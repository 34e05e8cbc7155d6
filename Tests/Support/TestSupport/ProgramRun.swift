import Foundation

/// Runs any program to its end.
/// - Returns: the whole output, including messages, and the exit code.
public func run(_ program: String, _ arguments: [String], in folder: URL? = nil) throws -> (text: String, code: Int32) {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.currentDirectoryURL = folder
    // A program that reads from the terminal would be stopped, and the tests would wait for it.
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (String(decoding: bytes, as: UTF8.self), process.terminationStatus)
}

/// Returns the whole output of any program, including messages.
public func output(of program: String, _ arguments: [String], in folder: URL? = nil) throws -> String {
    try run(program, arguments, in: folder).text
}
