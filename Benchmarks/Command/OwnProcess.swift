import Foundation

extension Case {
    /// Measures the case in a process that does nothing else.
    func measureInOwnProcess() throws -> Measurement {
        try JSONDecoder().decode(Measurement.self, from: Data(outputOfOwnProcess("--json", name).utf8))
    }
}

/// The program that measures.
func ownProgram() throws -> URL {
    URL(filePath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
}

/// Runs `yap-bench ARGUMENTS` and returns what it prints.
func outputOfOwnProcess(_ arguments: String...) throws -> String {
    let (process, output) = (Process(), Pipe())
    process.executableURL = try ownProgram()
    process.arguments = arguments
    process.standardOutput = output
    try process.run()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return text
}
