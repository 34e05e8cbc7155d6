import Foundation
import Testing

/// The duration and the seed: some seconds in `./run test`, everything in `./run torture`.
enum Torture {
    static let isLong = ProcessInfo.processInfo.environment["YAP_TORTURE"] == "1"
    static let seed =
        ProcessInfo.processInfo.environment["YAP_TORTURE_SEED"].flatMap { UInt64($0) }
        ?? UInt64.random(in: 0..<1_000_000)

    /// Runs a test in a new folder. If it fails, the folder stays, and the message has its path and the seed.
    static func inFolder(_ name: String, _ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "yap-torture-\(name)-\(getpid())-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        print("torture \(name): seed \(seed)")
        do {
            try body(folder)
        } catch {
            Issue.record("\(name), seed \(seed): \(error)\nWhat it left is in \(folder.path)")
            return
        }
        try FileManager.default.removeItem(at: folder)
    }
}
