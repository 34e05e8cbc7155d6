import Foundation
import TerminalTesting

/// The built `yap`, or another of our programs, with pipes at its standard streams.
final class YapProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let errors = Pipe()
    private var unread: [UInt8] = []
    private let watchdog: DispatchWorkItem
    /// The time after which it counts as hanging. It is then killed, and the test fails.
    private static let maxSeconds = 1_800.0

    init(
        _ arguments: [String], product: String = "yap", environment: [String: String] = [:], folder: URL? = nil
    ) throws {
        process.executableURL = URL(filePath: try builtProduct(product))
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let number = process.processIdentifier
        let command = arguments.joined(separator: " ")
        watchdog = DispatchWorkItem {
            print("\(product) \(command): killed because it did not end within \(Self.maxSeconds) s")
            kill(number, SIGKILL)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.maxSeconds, execute: watchdog)
    }

    deinit { watchdog.cancel() }

    func write(_ text: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    }

    func endInput() throws { try input.fileHandleForWriting.close() }

    /// Waits for a line of standard output, without its line break; nil at the end.
    func readLine() throws -> String? {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread.removeSubrange(...end) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { return nil }
            unread += more
        }
    }

    /// Stops reading, as `head` does when it has enough.
    func closeOutput() { try? output.fileHandleForReading.close() }

    /// Waits for the end.
    /// - Returns: the exit code; -9 if signal 9 has ended it.
    @discardableResult func exitCode() -> Int32 {
        process.waitUntilExit()
        watchdog.cancel()
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }

    func errorText() -> String {
        String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }

    /// Whether the process watches files.
    var hasWatch: Bool { Self.hasWatch(identifier) }

    /// Whether a process watches files.
    static func hasWatch(_ process: pid_t) -> Bool {
        let folder = "/proc/\(process)/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.contains { name in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
            return target?.contains("inotify") ?? false
        }
    }

    var identifier: Int32 { process.processIdentifier }

    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Returns the folders for throwaway databases that the process has created and not removed.
    func openFolders() -> [String] {
        let places = ["/dev/shm", FileManager.default.temporaryDirectory.path]
        let names = places.flatMap { (try? FileManager.default.contentsOfDirectory(atPath: $0)) ?? [] }
        return names.filter { $0.hasPrefix("yap-scratch-\(process.processIdentifier)-") }
    }
}

extension YapProcess {
    /// The processor time so far; nil after the end.
    var processorSeconds: Double? {
        guard let line = try? String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8) else { return nil }
        // Behind the name, which may have spaces.
        let fields = line.drop { $0 != ")" }.split(separator: " ")
        guard fields.count > 13, fields[1] != "Z", let user = Double(fields[12]), let system = Double(fields[13]) else {
            return nil
        }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}
