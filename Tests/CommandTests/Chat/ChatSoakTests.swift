import Foundation
import TerminalTesting
import TestSupport
import TestTraits
import Testing
import YapDatabase

/// Several chats write to one file for a while, and one after the other is killed. `./run soak` runs it for ten minutes.
@Suite(.serialized) struct ChatSoakTests {
    private static let seconds = ProcessInfo.processInfo.environment["YAP_SOAK_SECONDS"].flatMap(Double.init)
    private static let names = ["alice", "bob", "carol", "dan"]

    @Test func nothingThatWasAcknowledgedIsLost() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "chat.sqlite")
            let seconds = Self.seconds ?? 6
            let end = Date(timeIntervalSinceNow: seconds)
            let log = folder.appending(path: "chat.sqlite-wal")
            var running = try Self.names.map { try Writer($0, file, folder, seconds: seconds) }
            var finished: [Writer] = []
            var nextKill = Date(timeIntervalSinceNow: min(20, seconds / 3))
            var kills = 0
            while Date() < end {
                // Time is the subject: the chats go on for so many seconds, and the log is looked at all along.
                try await Task.sleep(for: .milliseconds(200))
                let size = (try? FileManager.default.attributesOfItem(atPath: log.path))?[.size] as? Int ?? 0
                // Checkpoints that are several times as slow leave more.
                #expect(size < (Sanitizer.isOfThreads ? 64 : 16) << 20, "The log has \(size) bytes.")
                guard Date() > nextKill else { continue }
                nextKill = Date(timeIntervalSinceNow: min(20, seconds / 3))
                let index = 1 + kills % (running.count - 1)
                kills += 1
                running[index].terminal.signal(SIGKILL)
                _ = try await running[index].terminal.waitForEnd()
                finished.append(running[index])
                running[index] = try Writer(
                    running[index].name, file, folder, seconds: max(1, end.timeIntervalSinceNow))
            }
            for writer in running {
                let end = try await writer.terminal.waitForEnd()
                #expect(end == .exited(0), "\(writer.name): \(String(decoding: writer.terminal.output, as: UTF8.self))")
            }
            #expect(kills > 0)
            #expect(try YapDatabase.check(url: file) == [])
            let export = try output(["chat", "export", "--json", "--with", "#soak", "--as", "alice", "--db", file.path])
            let ids = Set(export.matches(of: /"id":"([^"]*)"/).map { String($0.1) })
            var counts: [String: Int] = [:]
            for writer in finished + running {
                let stored = try writer.stored()
                #expect(Set(stored).isSubset(of: ids), "\(writer.name) has lost messages")
                counts[writer.name, default: 0] += stored.count
            }
            // One that began again at the end may have had no time on a busy machine.
            for name in Self.names { #expect(counts[name, default: 0] > 1, "\(counts)") }
            if seconds >= 180 { try expectFlatMemory(running[0]) }
        }
    }

    /// The memory of the last minute is that of the second one, within 5 %.
    private func expectFlatMemory(_ writer: Writer) throws {
        let figures = try writer.lines().compactMap {
            $0.firstMatch(of: /"memory_mb": ([0-9.]+)/).flatMap { Double($0.1) }
        }
        let (second, last) = (figures[6..<12].max() ?? 0, figures.suffix(6).max() ?? 0)
        #expect(last <= second * 1.05, "\(figures)")
    }

    /// A chat without a screen, whose output is in a file.
    private struct Writer {
        let name: String
        let terminal: PseudoTerminal
        private let output: URL

        init(_ name: String, _ file: URL, _ folder: URL, seconds: Double) throws {
            self.name = name
            output = folder.appending(path: "\(name)-\(UUID().uuidString)")
            let command =
                "exec \"$0\" chat --headless --rate 5 --with '#soak' --as \(name) --db \(file.path) "
                + "--seconds \(seconds) > \(output.path)"
            terminal = try PseudoTerminal(["/bin/sh", "-c", command, builtProduct("yap")])
        }

        func lines() throws -> [Substring] {
            try String(contentsOf: output, encoding: .utf8).split(separator: "\n")
        }

        /// The ids of the messages that are said to be stored. A line that was cut by the kill is none.
        func stored() throws -> [String] {
            try lines().filter { $0.hasPrefix("stored ") && $0.count == 43 }.map { String($0.dropFirst(7)) }
        }
    }
}
