import Foundation
import LiveTable
import SQLiteBridge
import TerminalTesting
import Testing

@testable import ChatRoster

@Suite struct ChatCrashTests {
    @Test func killedInFullTrafficTheChatHasEveryCommittedMessage() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appending(path: "chat.sqlite")
            var seen = 0
            for round in 0..<3 {
                let sign = LoopSign()
                defer { sign.remove() }
                let terminal = try PseudoTerminal(
                    [
                        try builtProduct("yap"), "chat", "--db", url.path, "--seed", "\(round)", "--demo", "--as",
                        "alice", "--with", "#soak",
                    ], environment: ["YAP_LOOP_SIGN": sign.path])
                try await terminal.wait(for: "The chat") {
                    String(decoding: terminal.output, as: UTF8.self).contains("#soak")
                }
                // Line by line: several that arrive at once would be a paste.
                func send(_ numbers: Range<Int>) async throws {
                    for number in numbers {
                        let line = "message \(round)-\(number)\r"
                        let before = sign.reading.bytesRead
                        terminal.send(line)
                        try await terminal.wait(for: line) { sign.hasRead(before + line.utf8.count) }
                    }
                }
                try await send(0..<10)
                // Not in what is written to the terminal: only what differs from the row above may be.
                try await terminal.wait(for: "The first messages") { (try? storedCount(url, round)) ?? 0 > 6 }
                // The kill happens during these.
                try await send(10..<60)
                terminal.signal(SIGKILL)
                #expect(try await terminal.waitForEnd() == .killed(SIGKILL))
                #expect(try YapDatabase.check(url: url) == [])
                let messages = try sentMessages(url)
                // What was shown was committed, and in order: if a message is there, so are all before it.
                for round in 0...round {
                    let numbers = messages.filter { $0.0 == round }.map(\.1)
                    #expect(numbers == Array(0..<numbers.count) && numbers.count > 5, "round \(round): \(numbers)")
                }
                #expect(messages.count > seen)
                seen = messages.count
            }
        }
    }

    /// Another program cuts the index of the log, which SQLite has mapped: every access is then SIGBUS.
    @Test func aCutIndexOfTheLogIsASentenceAndLeavesTheTerminal() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appending(path: "chat.sqlite")
            let terminal = try PseudoTerminal([
                try builtProduct("yap"), "chat", "--db", url.path, "--as", "alice", "--with", "bob",
            ])
            try await terminal.wait(for: "The chat") {
                String(decoding: terminal.output, as: UTF8.self).contains("bob")
            }
            #expect(truncate(url.path + "-shm", 0) == 0)
            terminal.send("hello\r")
            #expect(try await terminal.waitForEnd() == .exited(1))
            let output = String(decoding: terminal.output, as: UTF8.self)
            let left = try #require(output.range(of: "\u{1B}[?1049l"))
            #expect(output[left.upperBound...].contains("yap: Another program has cut a file that is in use"))
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    @Test func aCutIndexEndsWhatHasNoScreenWithASentence() throws {
        try withTemporaryFolder { folder throws in
            let file = folder.appending(path: "chat.sqlite").path
            let chat = try YapProcess([
                "chat", "--db", file, "--as", "alice", "--with", "bob", "--headless", "--seconds", "600", "--rate",
                "20",
            ])
            #expect(try chat.readLine()?.hasPrefix("stored") == true)
            #expect(truncate(file + "-shm", 0) == 0)
            while try chat.readLine() != nil {}
            #expect(chat.exitCode() == 1)
            #expect(chat.errorText().contains("yap: Another program has cut a file that is in use"))
        }
    }

    @Test func withoutATerminalNothingIsWritten() throws {
        try withTemporaryFolder { folder throws in
            #expect(try YapRun(["chat", "--db", folder.appending(path: "chat.sqlite").path]).code == 1)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
    }

    /// How many rows have a message of the round: the messages, and perhaps a draft.
    private func storedCount(_ url: URL, _ round: Int) throws -> Int64 {
        let file = try SQLiteHandle(path: url.path, mode: .readWrite, busyTimeout: 30_000)
        let statement = try file.statement(
            "SELECT count(*) FROM database2 WHERE instr(CAST(data AS TEXT), 'message \(round)-')")
        defer { statement.reset() }
        return try statement.step() ? statement.int64(at: 0) : 0
    }

    private func sentMessages(_ url: URL) throws -> [(Int, Int)] {
        let chat = try ChatDatabase(url: url, as: "alice")
        defer { try? chat.close() }
        return try chat.database.newConnection().read { transaction in
            try transaction[Chat.conversations].values(in: "#soak").filter { $0.text.hasPrefix("message ") }.map {
                message in
                let numbers = message.text.dropFirst(8).split(separator: "-").compactMap { Int($0) }
                return (numbers[0], numbers[1])
            }
        }
    }
}
