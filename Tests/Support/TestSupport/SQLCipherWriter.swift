import Foundation

/// SQLCipher itself, by Python's package `sqlcipher3-binary`: a program that has an encrypted file open and writes to it.
public final class SQLCipherWriter {
    private let process = Process()
    private let (input, output) = (Pipe(), Pipe())
    private var unread: [UInt8] = []

    /// Where `./run setup` installs the package, if the system's Python does not have it.
    private static let folder = repository.appending(path: ".build/python").path
    private static let environment = ProcessInfo.processInfo.environment.merging(["PYTHONPATH": folder]) { $1 }

    public static let skipMessage =
        "SQLCipher is not here: python3 -m pip install --target .build/python sqlcipher3-binary"

    public static let isInstalled: Bool = {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", "import sqlcipher3"]
        process.environment = environment
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    private static let program = """
        import sys
        from sqlcipher3 import dbapi2
        handle = dbapi2.connect(sys.argv[1], isolation_level=None)
        for line in sys.stdin:
            try:
                rows = handle.execute(line).fetchall()
                print("ok", rows, flush=True)
            except Exception as error:
                print("failed", error, flush=True)
        """

    public init(_ file: URL) throws {
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", Self.program, file.path]
        process.environment = Self.environment
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    deinit { try? close() }

    /// Runs a statement and waits for its end.
    public func run(_ sql: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data((sql + "\n").utf8))
        let answer = nextLine()
        guard answer.hasPrefix("ok") else { throw Refusal(description: "\(sql): \(answer)") }
    }

    public func close() throws {
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    private func nextLine() -> String {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread.removeSubrange(...end) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { return "the program ended" }
            unread += more
        }
    }

    public struct Refusal: Error, CustomStringConvertible { public let description: String }
}
