import Foundation
import SQLiteBridge
import TerminalTesting
import Testing

/// The browser beside a program that writes.
@Suite(.serialized) struct BrowseLiveTests {
    @Test func aChatInAnotherProcessIsFollowed() async throws {
        try await withTemporaryFolder { folder in
            let chat = try ChatShell(folder)
            try await chat.startChat(in: folder, script: "none")
            let shell = try BrowseShell(folder.appending(path: "chat.sqlite"), width: 120, height: 30)
            try await shell.start()
            try await shell.wait(for: "buddies")
            try shell.keys("j", "Enter", ":", "bob-10", "Enter")
            try await shell.wait(for: "│▌bob-10 ")
            let line = try shell.tmux.lines().firstIndex { $0.contains("│▌bob-10 ") }
            let count = try await rows(shell)
            // Their keys stand in front of the selected one.
            for text in ["first words", "second words", "third words"] { try chat.tmux.sendKeys(text, "Enter") }
            try await shell.wait(for: " \(count + 3) rows")
            try await shell.tmux.wait(for: "The selected row in its line") { lines in
                lines.firstIndex { $0.contains("│▌bob-10 ") } == line
            }
            try shell.keys("&", "third words", "Enter")
            try await shell.wait(for: "&third words · 1 row")
            try shell.keys("q")
            try await shell.expectEnd(exitCode: 0)
        }
    }

    @Test func selectionAndPositionStayWhileRowsComeAboveThem() async throws {
        try await withCopy(of: "json") { file in
            let writer = try SQLiteHandle(path: file.path, mode: .readWrite, busyTimeout: 30_000)
            try writer.execute("UPDATE database2 SET metadata = NULL WHERE rowid = 1")
            let shell = try BrowseShell(file)
            try await shell.start()
            try await shell.wait(for: "120 rows")
            try shell.keys("Enter", "50G", "zz")
            // In the middle, where it comes to rest.
            let line = 12
            try await shell.tmux.wait(for: "The row in the middle") { lines in
                lines.firstIndex { $0.contains("│▌k049") } == line
            }
            for number in 1...5 {
                try writer.execute(
                    #"INSERT INTO database2 ("collection", "key", "data") VALUES ('c', 'a\#(number)', '{}')"#)
            }
            try await shell.wait(for: "125 rows")
            try await shell.tmux.wait(for: "The selected row in its line") { lines in
                lines.firstIndex { $0.contains("│▌k049") } == line
            }
            try shell.keys("q")
            try await shell.expectEnd(exitCode: 0)
        }
    }

    /// Nothing stands beside the file that was not there, and nothing in it is another.
    @Test func aKilledBrowserLeavesNothing() async throws {
        try await withCopy(of: "json") { file in
            let writer = try SQLiteHandle(path: file.path, mode: .readWrite, busyTimeout: 30_000)
            try writer.execute("UPDATE database2 SET metadata = NULL WHERE rowid = 1")
            let shell = try BrowseShell(file)
            let before = try FileTrace(file)
            try await shell.start()
            try await shell.wait(for: "120 rows")
            try shell.keys("Enter", "G")
            try await shell.wait(for: "k119")
            kill(try shell.process(), SIGKILL)
            // Nobody put the cursor back, so the line may be broken.
            try await shell.wait(for: "137 2")
            #expect(try FileTrace(file) == before)
            let names = try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path)
            #expect(Set(names) == ["json.sqlite", "json.sqlite-wal", "json.sqlite-shm", "notes"])
        }
    }

    /// How many rows the list says that it has, as soon as it says so.
    private func rows(_ shell: BrowseShell) async throws -> Int {
        var count: Int?
        try await shell.tmux.wait(for: "A number of rows") { lines in
            count = lines.lazy.compactMap { $0.firstMatch(of: /([0-9]+) rows/).flatMap { Int($0.1) } }.first
            return count != nil
        }
        return try #require(count)
    }
}
