import Foundation
import TerminalTesting
import TestSupport
import Testing
import YapDatabase

/// The chat without a screen ends in time, stays small, and says why it failed.
@Suite struct ChatHeadlessTests {
    /// More than any file takes. The time goes on only while it writes: what is under way at the end is stored.
    @Test func anAbsurdRateTakesNoMoreThanItsTimeAndLittleMemory() throws {
        try withTemporaryFolder { folder throws in
            let run = try chat(folder, ["--rate", "1000000", "--seconds", Effort.isFull ? "5" : "1"])
            #expect(run.code == 0, "\(run.errors)")
            let figures = try #require(run.lines.last?.firstMatch(of: /"stored": ([0-9.]+).*"memory_mb": ([0-9.]+)/))
            let stored = run.lines.count { $0.hasPrefix("stored") }
            #expect(Double(figures.1) == Double(stored) && stored > 0)
            #expect(try #require(Double(figures.2)) < 200)
            let file = folder.appending(path: "chat.sqlite").path
            #expect(try check([file]).code == 0)
            let texts = try output(["chat", "export", "--json", "--with", "#soak", "--as", "alice", "--db", file])
                .matches(of: /"text":"alice ([0-9]+)"/).compactMap { Int($0.1) }
            #expect(texts == Array(1...stored), "those that were sent, in order")
        }
    }

    @Test func whoOnlyReadsEndsWithTheReasonWhenTheFileIsGone() throws {
        try withTemporaryFolder { folder throws in
            let file = folder.appending(path: "chat.sqlite")
            let process = try YapProcess(arguments(folder, ["--seconds", "1000", "--rate", "1"]))
            #expect(try process.readLine()?.hasPrefix("stored") == true)
            #expect(unlink(file.path) == 0)
            #expect(process.exitCode() == 1)
            #expect(process.errorText().contains("moved, removed or replaced"))
        }
    }

    /// Else the simulated people would be on the user's roster for good, with messages under the user's name.
    @Test func simulatedPeopleAreInAFileOfTheirOwn() throws {
        try withTemporaryFolder { folder throws in
            for arguments in [["--demo"], []] {
                let run = try YapRun(
                    ["chat", "--headless", "--seconds", "0.2", "--as", "alice"] + arguments,
                    environment: ["XDG_DATA_HOME": folder.path])
                #expect(run.code == 0, "\(run.errors)")
            }
            let people = try ["chat", "demo"].map { name in
                try browse("--collection", "people", folder.appending(path: "yap/\(name).sqlite").path).lines.count
            }
            #expect(people == [1, 7])
        }
    }

    @Test func whatIsWithoutAValueIsNotSet() throws {
        let run = try YapRun(["lab"], environment: ["YAP_MOTION": ""])
        #expect(run.errors.contains("terminal") && !run.errors.contains("YAP_MOTION"), "\(run.errors)")
    }

    @Test func anExportMayBeSentToStandardOutputByName() throws {
        try withTemporaryFolder { folder throws in
            #expect(try chat(folder, ["--seconds", "0.3", "--rate", "5"]).code == 0)
            let arguments = ["--as", "alice", "--db", folder.path + "/chat.sqlite"]
            let export = try output(["chat", "export", "-"] + arguments)
            #expect(try !export.isEmpty && export == output(["chat", "export"] + arguments))
        }
    }

    @Test func whatCannotBeginSaysWhy() throws {
        try withTemporaryFolder { folder throws in
            try Data("this is text".utf8).write(to: folder.appending(path: "chat.sqlite"))
            let run = try chat(folder, ["--seconds", "1"])
            #expect(run.code == 1 && run.errors.contains("chat.sqlite"), "\(run.errors)")
            try Data("1.5 bob nonsense\n".utf8).write(to: folder.appending(path: "script"))
            let wrong = try YapRun(
                ["chat", "--headless", "--db", folder.path + "/new.sqlite", "--script", folder.path + "/script"])
            #expect(wrong.errors.contains("Line 1 of the script is wrong"), "\(wrong.errors)")
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/new.sqlite"), "a file was made")
            let name = try YapRun(["chat", "--headless", "--as", "a b\u{1B}", "--db", folder.path + "/other.sqlite"])
            #expect(name.code == 2 && name.errors.hasPrefix("yap: "), "\(name.errors)")
            let script = try chat(folder, ["--script", folder.path + "/none"])
            #expect(script.code == 1 && script.errors.contains("There is no script"), "\(script.errors)")
        }
    }

    @Test(.enabled(if: TinyDisk.isPossible, "a disk of its own needs the superuser"))
    func aFullDiskIsTheReason() throws {
        try TinyDisk.with(megabytes: 1) { disk in
            try Data(count: 900_000).write(to: disk.appending(path: "filler"))
            let run = try chat(disk, ["--seconds", "1", "--rate", "50"])
            #expect(run.code == 1 && run.errors.contains("full"), "\(run.errors)")
        }
    }

    private func arguments(_ folder: URL, _ more: [String]) -> [String] {
        ["chat", "--headless", "--db", folder.path + "/chat.sqlite", "--as", "alice", "--with", "#soak"] + more
    }

    private func chat(_ folder: URL, _ more: [String]) throws -> YapRun { try YapRun(arguments(folder, more)) }
}
