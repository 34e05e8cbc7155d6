import Foundation
import SQLiteBridge
import TerminalTesting
import Testing

/// The browser beside a writing program.
@Suite(.serialized) struct BrowseLiveTests {
    @Test func aChatInAnotherProcessIsFollowed() async throws {
        try await withTemporaryFolder { folder in
            try YapShell.fillChat(in: folder, messages: 60)
            let chat = try await YapShell.chat(in: folder)
            let shell = try await YapShell("browse \(folder.path)/chat.sqlite", width: 120, height: 30)
            try shell.start()
            try await shell.shows("chat  ")
            try await shell.press("Enter", ":", "bob-10", "Enter")
            try await shell.shows("│▌bob-10 ")
            let line = try shell.tmux.lines().firstIndex { $0.contains("│▌bob-10 ") }
            let count = try await rows(shell)
            // Their keys come before the selected one.
            for text in ["first words", "second words", "third words"] { try await chat.press(text, "Enter") }
            try await shell.shows(" \(count + 3) rows")
            try await waitForRow("│▌bob-10 ", inLine: line, of: shell)
            try await shell.press("&", "third words", "Enter")
            try await shell.shows("&third words · row 1 · 1 row")
            try await shell.press("q")
            try await shell.expectEnd(exitCode: 0)
        }
    }

    @Test func selectionAndPositionStayWhileRowsComeAboveThem() async throws {
        try await withCopy(of: "json") { file in
            let writer = try SQLiteHandle(path: file.path, mode: .readWrite, busyTimeout: 30_000)
            try writer.execute("UPDATE database2 SET metadata = NULL WHERE rowid = 1")
            let shell = try await YapShell("browse \(file.path)")
            try shell.start()
            try await shell.shows("120 rows")
            try await shell.press("Enter", "50G", "zz")
            // In the middle, where it stays.
            let line = 12
            try await waitForRow("│▌k049", inLine: line, of: shell)
            for number in 1...5 {
                try writer.execute(
                    #"INSERT INTO database2 ("collection", "key", "data") VALUES ('c', 'a\#(number)', '{}')"#)
            }
            try await shell.shows("125 rows")
            try await waitForRow("│▌k049", inLine: line, of: shell)
            try await shell.press("q")
            try await shell.expectEnd(exitCode: 0)
        }
    }

    /// A killed browser leaves no new file and no changed byte.
    @Test func aKilledBrowserLeavesNothing() async throws {
        try await withCopy(of: "json") { file in
            let writer = try SQLiteHandle(path: file.path, mode: .readWrite, busyTimeout: 30_000)
            try writer.execute("UPDATE database2 SET metadata = NULL WHERE rowid = 1")
            let shell = try await YapShell("browse \(file.path)")
            let before = try FileTrace(file)
            try shell.start()
            try await shell.shows("120 rows")
            try await shell.press("Enter", "G")
            try await shell.shows("k119")
            try await shell.kill()
            #expect(try FileTrace(file) == before)
            let names = try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path)
            #expect(Set(names) == ["json.sqlite", "json.sqlite-wal", "json.sqlite-shm"])
        }
    }

    /// A program that knows nothing of us restarts its log when no reader holds it: a browser and `--follow` allow that.
    @Test(arguments: Effort.some(["", "--collection c --follow", "--collection c --follow | sleep 1000"]))
    func theLogOfAProgramThatWritesStaysShort(options: String) async throws {
        try await withCopy(of: "json") { file in
            let writer = try SQLiteHandle(path: file.path, mode: .readWrite, busyTimeout: 30_000)
            try writer.execute("UPDATE database2 SET metadata = NULL WHERE rowid = 1")
            let words = options.split(separator: "|").map(String.init)
            let pipe = words.count > 1 ? " |" + words[1] : ""
            let shell = try await YapShell("browse \(words.first ?? "") \(file.path)\(pipe)")
            try shell.start()
            if options.isEmpty {
                try await shell.shows("120 rows")
            } else {
                try waitUntil("It follows") { try shell.startedProcess().map(YapProcess.hasWatch) ?? false }
            }
            var longest = 0
            for round in 0..<Effort.cases(1_000) {
                // Eight pages each, 30 MB in all.
                try writer.execute(
                    """
                    INSERT OR REPLACE INTO database2 (rowid, collection, key, data) VALUES (1000, 'c', 'zz', \
                    CAST('{"round":\(round),"end":"' || hex(zeroblob(12000)) || '"}' AS BLOB))
                    """)
                let size = try FileManager.default.attributesOfItem(atPath: file.path + "-wal")[.size] as? Int
                longest = max(longest, size ?? 0)
                // The pace of the writer: so slow that the reader may get ahead of the log.
                try await Task.sleep(for: .milliseconds(8))
            }
            #expect(longest < 12_000_000)
            if options.isEmpty {
                try await shell.shows("121 rows")
                try await shell.press("q")
                try await shell.expectEnd(exitCode: 0)
            }
        }
    }

    private func waitForRow(_ text: String, inLine line: Int?, of shell: YapShell) async throws {
        try await shell.wait(for: "\(text) in its line") { $0.firstIndex { $0.contains(text) } == line }
    }

    /// Waits for the list to show its number of rows, and returns it.
    private func rows(_ shell: YapShell) async throws -> Int {
        var count: Int?
        try await shell.wait(for: "A number of rows") { lines in
            count = lines.lazy.compactMap { $0.firstMatch(of: /([0-9]+) rows/).flatMap { Int($0.1) } }.first
            return count != nil
        }
        return try #require(count)
    }
}
