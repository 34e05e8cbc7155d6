import Foundation
import SQLiteBridge
import TerminalTesting
import Testing

/// Output for programs is complete, or a mark and the exit code say that it is not.
@Suite struct BrowseWholeTests {
    private func withValue<Value>(_ sql: String..., body: (String) throws -> Value) throws -> Value {
        try withCopy(of: "json") { url in
            let handle = try SQLiteHandle(path: url.path, mode: .readWrite)
            for statement in sql { try handle.execute(statement) }
            _ = try handle.checkpoint(.truncate)
            return try body(url.path)
        }
    }

    @Test(arguments: Effort.some(["--json", "--csv", "--plain"])) func aValueOfManyMegabytesIsWhole(format: String)
        throws
    {
        try withValue(
            "UPDATE database2 SET data = '\"' || replace(hex(zeroblob(9000000)), '00', 'ab') || '\"' WHERE rowid = 1",
            "UPDATE database2 SET metadata = zeroblob(5000000) WHERE rowid = 2"
        ) { path in
            // Through a file: reading a line of many megabytes from a pipe takes long.
            let shell = "\(try builtProduct("yap")) browse \(format) --collection c \(path) > \(path).out; echo $?"
            #expect(try output(of: "/bin/sh", ["-c", shell]) == "0\n")
            let printed = try Data(contentsOf: URL(filePath: path + ".out"))
            #expect(printed.range(of: Data(String(repeating: "ab", count: 9_000_000).utf8)) != nil)
            #expect(printed.range(of: Data(String(repeating: "00", count: 5_000_000).utf8)) != nil)
            #expect(format != "--json" || printed.range(of: Data(#"{"collection":"c","key":"#.utf8))?.lowerBound == 0)
        }
    }

    @Test func deepAndWideValuesAreWhole() throws {
        let deep = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
        let wide = "[" + Array(repeating: "1", count: 210_000).joined(separator: ",") + "]"
        try withValue(
            "UPDATE database2 SET data = '\(deep)' WHERE rowid = 1",
            "UPDATE database2 SET data = '\(wide)' WHERE rowid = 2",
            "UPDATE database2 SET data = randomblob(3000) WHERE rowid = 3"
        ) { path in
            let run = try browse("--json", "--collection", "c", "--by", "rowid", path)
            #expect(run.code == 0)
            #expect(run.lines[0].contains(deep) && run.lines[1].contains(wide) && !run.lines[2].contains("$size"))
        }
    }

    @Test func textsOfSmallValuesAreTexts() throws {
        try withValue("INSERT INTO yap2 VALUES ('x', 'a', '1'), ('x', 'b', 1), ('x', 'c', '{\"d\":1}')") { path in
            let rows = try browse("--yap2", "--json", path).objects().filter { $0["collection"] as? String == "x" }
            #expect(rows.map { $0["object"] as? String } == ["1", nil, "{\"d\":1}"])
            #expect(rows[1]["object"] as? Int == 1)
        }
    }

    @Test func aFileThatIsCutOffIsShownInPart() throws {
        try withCopy(of: "books") { url in
            let bytes = try Data(contentsOf: url)
            try bytes.prefix(bytes.count / 2).write(to: url)
            for arguments in [["--json", "--collection", "books"], ["--list"]] {
                let run = try YapRun(["browse"] + arguments + [url.path])
                #expect(run.code == 3 && !run.lines.isEmpty && !run.errors.isEmpty, "\(arguments) \(run.errors)")
            }
        }
    }

    @Test func aRowThatIsNotThereMakesItAPart() throws {
        try withCopy(of: "books") { url in
            try SQLiteHandle(path: url.path, mode: .readWrite).execute("DELETE FROM database2 WHERE rowid = 5")
            let run = try browse("--json", "--view", "order", url.path)
            #expect(run.code == 3 && run.lines.contains { $0.contains("There is no row 5") })
            #expect(try browse("--json", "--collection", "books", url.path).code == 0)
        }
    }

    /// Of a value with a damaged page in the middle, the part before that page is shown.
    @Test func theBeginningOfADamagedValueIsThere() throws {
        // With auto-vacuum SQLite need not follow the pages of a value one by one.
        try withValue(
            "PRAGMA journal_mode = DELETE", "PRAGMA auto_vacuum = NONE", "VACUUM",
            "UPDATE database2 SET data = replace(hex(zeroblob(200000)), '00', 'xy') WHERE rowid = 1"
        ) { path in
            // Each page of a long value names the next one in its first four bytes.
            var bytes = try Data(contentsOf: URL(filePath: path))
            let letters = Set("xy".utf8)
            let pages = (1..<bytes.count / 4096).filter { page in
                let start = page * 4096
                return bytes[start + 100..<start + 4096].allSatisfy(letters.contains)
            }
            let page = pages[40]
            bytes.replaceSubrange(page * 4096..<page * 4096 + 4, with: [0x7f, 0xff, 0xff, 0xff])
            try bytes.write(to: URL(filePath: path))
            let run = try browse("--json", "--collection", "c", path)
            let row = try #require(try run.objects().first { $0["rowid"] as? Int == 1 })
            let object = try #require(row["object"] as? [String: Any])
            #expect(run.code == 3 && row["key"] != nil && row["error"] != nil)
            #expect(object["$size"] as? Int == 400_000 && (object["$hex"] as? String)?.hasPrefix("7879") == true)
        }
    }

    @Test func aSearchThatFindsNothingSaysSo() throws {
        try withCopy(of: "books") { url in
            let run = try browse("--search", "zzzzzz", url.path)
            #expect(run.code == 1 && run.errors.contains("was not found"))
            #expect(try browse("--search", "zzzzzz", "--json", url.path).lines == [])
            #expect(try browse("--search", "cooking", url.path).code == 0)
        }
    }

    /// Uses `script`, a terminal that records what it receives.
    @Test func whatATerminalIsSentHasNoOrders() throws {
        try withValue("UPDATE database2 SET key = char(27) || '[2J,' || char(155) || char(10) || 'x' WHERE rowid = 1") {
            path in
            let yap = try builtProduct("yap")
            for arguments in ["browse --csv --collection c \(path)", "browse --csv --list \(path)"] {
                let text = try output(of: "/usr/bin/script", ["-qec", "\(yap) \(arguments)", "/dev/null"])
                #expect(!text.contains("\u{1b}") && !text.contains("\u{9b}"))
                if arguments.contains("collection") { #expect(text.contains(#""\u{1b}[2J,\u{9b}\nx""#), "\(text)") }
            }
            // A program receives the value unchanged.
            #expect(try browse("--csv", "--collection", "c", path).text.contains("\"\u{1b}[2J,\u{9b}\nx\""))
        }
    }

    @Test func aFileWithALineBreakInItsNameIsOneLine() throws {
        try withCopy(of: "books") { url in
            let odd = url.deletingLastPathComponent().appending(path: "a\nb.sqlite")
            try FileManager.default.copyItem(at: url, to: odd)
            let run = try check([odd.path])
            #expect(run.code == 0 && run.lines[0].contains(#"a\nb.sqlite: "#), "\(run.lines)")
            #expect(try browse("--key", "books/none", odd.path + "\nnone").errors.split(separator: "\n").count == 1)
        }
    }
}
