import Foundation

extension Case {
    /// Measures the case in a process that does nothing else.
    func measureInOwnProcess() throws -> Measurement {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(
            filePath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        process.arguments = ["--json", name]
        process.standardOutput = output
        try process.run()
        let line = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return try JSONDecoder().decode(Measurement.self, from: line)
    }
}
