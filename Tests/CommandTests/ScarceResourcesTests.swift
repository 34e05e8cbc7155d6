import Foundation
import TerminalTesting
import TestSupport
import Testing
import YapDatabase

/// Outputs that take nothing, few descriptors, another home, and files that are too large for what they are: a sentence each.
@Suite struct ScarceResourcesTests {
    @Test(arguments: ["</dev/null >/dev/full", "<&- >&-", ">&- 2>&-"])
    func aChatWithoutAScreenWhoseOutputTakesNothingEnds(outputs: String) throws {
        try withTemporaryFolder { folder throws in
            let chat = "chat --db c.sqlite --as a --with b --headless --seconds 30 --rate 5"
            let run = try shell("yap \(chat) \(outputs); echo $? >code", in: folder)
            #expect(try text("code", folder) == "1\n")
            if !outputs.contains("2>") {
                #expect(
                    run.hasPrefix("yap: Standard output cannot be written") && run.count { $0 == "\n" } == 1, "\(run)")
            }
            #expect(try check([folder.appending(path: "c.sqlite").path]).code == 0, "the output went into no file")
        }
    }

    /// It sent what was due before it looked at the clock, for ever where sending takes longer than the pace.
    @Test func aChatWithoutAScreenEndsInTimeAtARateThatNothingReaches() throws {
        try withTemporaryFolder { folder throws in
            let chat = "yap chat --db c.sqlite --as a --with b --headless --seconds 1 --rate 1000000"
            #expect(try shell("\(chat) >out; echo $? >code", in: folder) == "")
            #expect(try text("code", folder) == "0\n")
            let lines = try text("out", folder).split(separator: "\n")
            #expect(lines.count { $0.hasPrefix("stored ") } > 1)
            let figures = try JSONDecoder().decode([String: Double].self, from: Data(try #require(lines.last).utf8))
            #expect(try #require(figures["memory_mb"]) < 300)
            #expect(try YapDatabase.check(url: folder.appending(path: "c.sqlite")) == [])
        }
    }

    /// libdispatch would end the program later by an illegal instruction.
    @Test func withFewDescriptorsEveryCommandSaysSo() throws {
        try withTemporaryFolder { folder throws in
            let chat = "chat --db c.sqlite --as a --with b --headless --seconds 0.2 --rate 20"
            #expect(try shell("yap \(chat) >out", in: folder) == "")
            for count in [14, 16, 18, 20, 24, 26, 30] {
                for command in [
                    chat, "browse --json --collection chat c.sqlite", "browse --list c.sqlite",
                    "export --to - c.sqlite",
                    "check c.sqlite", "chat export --db c.sqlite --with b --as a",
                    "browse --follow --collection chat c.sqlite",
                ] {
                    let errors = try shell("(ulimit -n \(count); yap \(command) >out); echo $? >code", in: folder)
                    #expect(try text("code", folder) == "1\n", "\(count) \(command)")
                    #expect(
                        errors.contains("open only") && errors.count { $0 == "\n" } == 1,
                        "\(count) \(command): \(errors)")
                }
            }
            // What it may raise by itself, it raises.
            #expect(try shell("(ulimit -Sn 20; yap \(chat) >out); echo $? >code", in: folder) == "")
            #expect(try text("code", folder) == "0\n")
            #expect(try shell("(ulimit -n 20; yap --help && yap help chat && yap --version) >out", in: folder) == "")
        }
    }

    @Test func theHomeFolderIsTheEnvironments() throws {
        try withTemporaryFolder { folder throws in
            let chat = "chat --as a --with b --headless --seconds 0.2 --rate 20"
            #expect(try shell("unset XDG_DATA_HOME XDG_CONFIG_HOME; HOME=$PWD yap \(chat) >out", in: folder) == "")
            #expect(FileManager.default.fileExists(atPath: folder.appending(path: ".local/share/yap/chat.sqlite").path))
            try FileManager.default.createDirectory(
                at: folder.appending(path: ".config/yap"), withIntermediateDirectories: true)
            try "nonsense".write(to: folder.appending(path: ".config/yap/keys"), atomically: true, encoding: .utf8)
            let errors = try shell("unset XDG_DATA_HOME XDG_CONFIG_HOME; HOME=$PWD yap \(chat) >out", in: folder)
            #expect(errors.contains(".config/yap/keys, line 1"), "\(errors)")
        }
    }

    @Test func aFolderThatCannotBeMadeIsNamedWithTheWayOut() throws {
        try withTemporaryFolder { folder throws in
            let start = "touch file; yap chat --as a --headless --seconds 0.1; echo $? >code"
            let errors = try shell("export XDG_DATA_HOME=$PWD/file/data; \(start)", in: folder)
            #expect(errors.contains("file/data/yap, in which the chat's file would be, cannot be made: "), "\(errors)")
            #expect(errors.contains("--db FILE") && errors.count { $0 == "\n" } == 1, "\(errors)")
            #expect(try text("code", folder) == "1\n")
            let copy = "yap chat --db c.sqlite --as a --headless --seconds 0.1 >out; yap repair --to file/copy c.sqlite"
            let said = try shell(copy, in: folder)
            #expect(said.contains("file/copy cannot be created: Not a directory"), "\(said)")
        }
    }

    @Test func aLargeOrEndlessFileOfKeysIsASentence() throws {
        try withTemporaryFolder { folder throws in
            try FileManager.default.createDirectory(
                at: folder.appending(path: "yap"), withIntermediateDirectories: true)
            let chat = "XDG_CONFIG_HOME=$PWD yap chat --db c.sqlite --as a --headless --seconds 0.1"
            for make in [
                "head -c 100000000 /dev/zero | tr '\\0' 'x' >yap/keys",
                "yes 'ctrl-j next' | head -c 100000000 >yap/keys",
                "ln -sf /dev/zero yap/keys",
            ] {
                let errors = try shell("rm -f yap/keys; \(make); \(chat); echo $? >code", in: folder)
                #expect(errors.contains("no file of keys") && errors.contains("1 MB"), "\(errors)")
                #expect(try text("code", folder) == "1\n")
            }
            let errors = try shell(
                "rm -f yap/keys; yes nonsense | head -n 50000 >yap/keys; \(chat); echo $? >code", in: folder)
            #expect(errors.contains("49990 more") && errors.utf8.count < 5_000, "\(errors.prefix(1_000))")
        }
    }

    @Test func aScriptOfManyPeopleIsASentence() throws {
        try withTemporaryFolder { folder throws in
            let chat = "yap chat --db c.sqlite --as a --headless --seconds 0.1 --script"
            try shell("for n in $(seq 20000); do echo \"0.1 p$n '#tea' hello\"; done | tr -d \"'\" >many", in: folder)
            for (script, part) in [
                ("many", "Line 201 of the script has one person more than 200"),
                ("/dev/zero", "no script: it has more than 16 MB"),
                ("missing", "There is no script missing"), (".", "cannot be read: Is a directory"),
            ] {
                let errors = try shell("\(chat) \(script); echo $? >code", in: folder)
                #expect(errors.contains(part) && errors.count { $0 == "\n" } == 1, "\(errors)")
                #expect(try text("code", folder) == "1\n")
            }
        }
    }

    /// A line for which there is no memory counted as the end of the archive, and an input without a line as an archive without messages.
    @Test func whatIsNoArchiveOfAChatIsASentence() throws {
        try withTemporaryFolder { folder throws in
            let long = "head -c 400000000 /dev/zero | tr '\\0' x"
            for (input, part) in [
                ("true", "There is no archive in it"), ("echo", "not the output of `yap chat export`"),
                (long, "not the output of `yap chat export`"),
                ("(echo '{\"version\":2}'; \(long))", "Line 2 is damaged"),
            ] {
                let chat = "(ulimit -v 800000; yap chat import - --db c.sqlite --as a >out)"
                let errors = try shell("\(input) 2>rest | \(chat); echo $? >code", in: folder)
                #expect(errors.contains(part) && errors.count { $0 == "\n" } == 1, "\(input): \(errors)")
                #expect(try text("code", folder) == "1\n" && text("out", folder) == "", "\(input)")
            }
        }
    }

    /// "No such file or directory" of what?
    @Test(
        arguments: [
            "import missing.jsonl new.sqlite", "export --to - missing.sqlite",
            "browse missing.sqlite", "browse --list missing.sqlite", "check missing.sqlite", "lab missing.jsonl",
            "lab --replay missing.jsonl", "lab --shrink missing.jsonl",
            "chat --script missing --headless --db c.sqlite",
            "chat export --db missing.sqlite", "server take --into missing.sqlite",
            "server restore --from missing.sqlite host=/nowhere", "chat --headless --db /proc/missing/c.sqlite",
        ])
    func whatIsMissingIsNamed(command: String) throws {
        try withTemporaryFolder { folder throws in
            let errors = try shell("yap \(command) >out; echo $? >code", in: folder)
            #expect(errors.contains("missing") && errors.count { $0 == "\n" } == 1, "\(errors)")
            #expect(try text("code", folder) == "1\n", "\(errors)")
        }
    }

    private func text(_ name: String, _ folder: URL) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    /// Runs a line of the shell in a folder; `yap` is the built one.
    /// - Returns: what it wrote to standard error.
    @discardableResult private func shell(_ line: String, in folder: URL) throws -> String {
        let line = "cd '\(folder.path)'; yap() { \"$YAP\" \"$@\"; }; YAP='\(try builtProduct("yap"))'; \(line)"
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/timeout")
        process.arguments = ["300", "/bin/bash", "-c", line]
        process.standardInput = FileHandle.nullDevice
        let errors = Pipe()
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, errors)
        try process.run()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }
}
