import Foundation
import SQLiteBridge
import TerminalTesting
import TestTraits
import Testing

/// Mistakes in command lines and failures of the environment: one sentence, the right exit code, nothing left behind.
@Suite struct BadInputTests {
    @Test(
        arguments: [
            ("missing", "There is no file"), ("missing/file", "There is no file"), ("folder", "is a folder"),
            ("empty", "is empty"), ("picture", "is not a database"), ("text", "is not a database"),
            ("encrypted", "with its key: --key-file KEYFILE"),
            ("circle", "cannot be reached: Too many levels of symbolic links"),
            ("dangling", "is a link to a file that does not exist"),
        ])
    func whatIsNoDatabaseIsSaidInOneSentence(kind: String, words: String) throws {
        try withInputs { folder in
            for command in [
                "browse PLACE", "browse --list --json PLACE", "export --to - PLACE", "export --to new PLACE",
            ] {
                let run = try Shell("yap \(command.replacing("PLACE", with: kind))", in: folder)
                #expect(run.code == 1 && run.output == "")
                #expect(run.isOneSentence && run.errors.contains(words), "\(command): \(run.errors)")
                #expect(!run.exists("new"))
            }
        }
    }

    @Test(
        arguments: [
            ("missing", "missing cannot be read: No such file or directory"), ("empty", "nothing to import"),
            ("folder", "folder/file.jsonl cannot be read"),
            ("picture", "picture, line 1: this is not what `yap export`"),
            ("text", "text, line 1: this is not what"),
            ("books.sqlite", "line 1: this is not what `yap export` writes"),
        ])
    func whatIsNoExportIsNotImported(kind: String, words: String) throws {
        try withInputs { folder in
            let run = try Shell("yap import \(kind) new", in: folder)
            #expect(run.code == 1 && run.isOneSentence && run.errors.contains(words), "\(run.errors)")
            #expect(!run.exists("new"))
        }
    }

    @Test(
        arguments: [
            ("browse books.sqlite --bogus", "--bogus is not an option"),
            ("export books.sqlite --to", "--to needs a value"),
            ("browse books.sqlite --where price=1 --where price=2", "--where is given twice. Join the conditions"),
            ("check books.sqlite -x", "-x is not an option"), ("browse --json=1 books.sqlite", "--json takes no value"),
            ("browse --bogus books.sqlite", "--bogus is not an option"),
            ("browse postgres://alice@db.example.com/yap", "Name it with --space"),
            ("lab --gallery --replay good.jsonl", "--gallery and --replay exclude each other"),
            ("lab --seed x --gallery", "--seed takes a whole number, not \"x\""),
            ("browse books.sqlite --collection books --where \"price > 'x\"", "unrecognized token: \"'x\". Fields"),
            ("check ''", "An argument is empty"), ("lab --replay ''", "--replay takes the name of a file, not"),
            ("browse --key-file '' books.sqlite", "--key-file takes the name of a file, not"),
            ("repair --to '' books.sqlite", "--to takes the name of a file, not"),
            ("import '' new", "An argument is empty"),
            ("chat --headless --db new --as 'bad name!'", "\"bad name!\" cannot be the name of a person"),
            ("browse books.sqlite --jsn", "Did you mean --json?"),
            ("browse books.sqlite --colection=books", "Did you mean --collection?"),
            ("brows books.sqlite", "Did you mean yap browse?"), ("version", "Did you mean yap --version?"),
            ("-V", "Did you mean yap --version?"), ("books.sqlite", "Did you mean `yap browse books.sqlite`?"),
            ("lab roster", "Did you mean yap lab --gallery roster?"), ("browse -", "A database is a file"),
            ("chat export chat.json", "export writes to standard output"), ("chat exprt", "Did you mean export?"),
            ("chat --demo --server postgres://db", "--demo and --server exclude each other"),
            ("browse books.sqlite --collection books --where 'price >'", "incomplete input"),
            ("chat --headless --db new --speed 0", "--speed takes a number, 0.001 or more, not \"0\""),
            ("chat --headless --db new --seconds -1", "--seconds takes a number, 0 or more, not \"-1\""),
        ])
    func theOptionThatIsWrongIsNamed(command: String, words: String) throws {
        try withInputs { folder in
            let run = try Shell("yap \(command)", in: folder)
            #expect(run.code == 2 && run.output == "" && run.errors.contains(words), "\(run.errors)")
        }
    }

    /// Swift would replace the bytes, and the program would open or make another file.
    @Test func aNameThatIsNotUTF8IsRefused() throws {
        try withInputs { folder in
            let before = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            let name = #""$(printf 'a\377')""#
            for command in [
                "browse --list \(name)", "chat --headless --seconds 0 --as alice --db \(name)",
                "import good.jsonl \(name)", "\(name)",
            ] {
                let run = try Shell("yap \(command)", in: folder)
                #expect(run.code == 2 && run.isOneSentence && run.errors.contains("is not UTF-8"), "\(run.errors)")
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == before)
        }
    }

    /// Such a line may be gigabytes long, or without end. A few seconds suffice, and memory for a few megabytes.
    @Test(arguments: [
        ("timeout 60 yap import /dev/zero new", "/dev/zero, line 1: this is not what `yap export` writes"),
        ("(head -1 good.jsonl; cat /dev/zero) | timeout 60 yap import - new", "line 2: this is no JSON, column 1"),
        ("(head -1 good.jsonl; printf '{'; cat /dev/zero) | timeout 60 yap import - new", "line 2: this is no JSON"),
        (#"timeout 100 "$YAP" lab --replay /dev/zero"#, "A line of /dev/zero does not end"),
    ])
    func aLineThatHasNoEndIsNotWaitedFor(command: String, words: String) throws {
        try withInputs { folder in
            let run = try Shell(command.replacing("yap import", with: #""$YAP" import"#), in: folder)
            #expect(run.code == 1 && run.isOneSentence && run.errors.contains(words), "\(run.errors)")
            #expect(!run.exists("new"))
        }
    }

    @Test(arguments: ["text", "empty", "books.sqlite", "folder"]) func whatIsNoArchiveOfAChatMakesNoChat(kind: String)
        throws
    {
        try withInputs { folder in
            let run = try Shell("yap chat import \(kind) --db new", in: folder)
            #expect(run.code == 1 && run.isOneSentence, "\(run.errors)")
            #expect(!run.exists("new"))
        }
    }

    /// An empty file is a database without rows to SQLite, and would become a chat.
    @Test(arguments: ["", "--with ann", "--json"]) func anExportOfAnEmptyFileLeavesItEmpty(options: String) throws {
        try withInputs { folder in
            let run = try Shell("yap chat export --db empty \(options)", in: folder)
            #expect(run.code == 1 && run.isOneSentence && run.errors.contains("There is no chat at"), "\(run.errors)")
            #expect(run.output == "")
            let facts = try FileManager.default.attributesOfItem(atPath: folder.appending(path: "empty").path)
            #expect(facts[.size] as? Int == 0)
        }
    }

    /// Of an argument of thousands of characters, the beginning and the end are told.
    @Test func aVeryLongArgumentIsNotRepeatedWhole() throws {
        try withInputs { folder in
            let run = try Shell("yap browse \(String(repeating: "x", count: 5_000))", in: folder)
            #expect(run.code == 1 && run.isOneSentence && run.errors.utf8.count < 1_000, "\(run.errors)")
        }
    }

    @Test(
        arguments: [
            ("mkfifo pipe; yap server status pipe", "pipe is not a regular file"),
            ("yap server status circle", "Too many levels of symbolic links"),
            ("yap server status folder", "folder is a folder"), ("yap server status dangling", "is a link to a file"),
        ])
    func theStatusOfWhatIsNoFileSaysSo(command: String, words: String) throws {
        try withInputs { folder in
            let run = try Shell(command, in: folder)
            #expect(run.code == 1 && run.isOneSentence && run.errors.contains(words), "\(run.errors)")
        }
    }

    @Test func noMessageGivesOrdersToTheTerminal() throws {
        try withInputs { folder in
            let order = #""$(printf '\033[2J')""#
            for command in ["browse \(order)", "check \(order)", "browse books.sqlite --key books/\(order)"] {
                let run = try Shell("yap \(command)", in: folder)
                #expect(run.code == 1 && !run.errors.isEmpty && !run.errors.contains("\u{1b}"), "\(run.errors)")
                #expect(run.errors.contains(#"\u{1b}["#), "\(run.errors)")
            }
        }
    }

    @Test func aLinkLeadsToTheLogOfItsFile() throws {
        try withInputs { folder in
            let writer = try SQLiteHandle(path: folder.appending(path: "books.sqlite").path, mode: .readWrite)
            try writer.execute("PRAGMA journal_mode = WAL")
            try writer.execute("INSERT INTO database2 (collection, key, data) VALUES ('fresh', 'k', x'00')")
            try FileManager.default.createSymbolicLink(
                atPath: folder.appending(path: "folder/link").path, withDestinationPath: "../books.sqlite")
            for command in ["browse --list folder/link", "export --to - folder/link"] {
                let run = try Shell("yap \(command)", in: folder)
                #expect(run.code == 0 && run.output.contains("fresh"), "\(run.errors)")
            }
            // The view knows nothing of the row, so this shows whether the check sees it.
            #expect(try Shell("yap check folder/link", in: folder).output.contains("482 rows in 2 collections"))
            #expect(writer.isAutocommit)
        }
    }

    @Test(arguments: [":memory:", "file:books.sqlite"]) func aFileMayHaveAnyName(name: String) throws {
        try withInputs { folder in
            let place = folder.appending(path: name)
            try FileManager.default.copyItem(at: folder.appending(path: "books.sqlite"), to: place)
            let run = try Shell("yap browse --list '\(name)'", in: folder)
            #expect(run.code == 0 && run.output.contains("books"), "\(run.errors)")
            let copy = try Shell("yap export --to - books.sqlite | yap import - ':memory:2'", in: folder)
            #expect(copy.code == 0 && copy.exists(":memory:2"), "\(copy.errors)")
        }
    }

    @Test func aChangeThatWasNeverFinishedIsNamed() throws {
        try withInputs { folder in
            let file = folder.appending(path: "books.sqlite").path
            let writer = try SQLiteHandle(path: file, mode: .readWrite)
            try writer.execute("PRAGMA journal_mode = DELETE")
            try writer.execute("PRAGMA cache_size = 1")
            try writer.execute("BEGIN")
            try writer.execute("UPDATE database2 SET data = zeroblob(2000)")
            // As a killed program leaves it.
            for end in ["", "-journal"] {
                try FileManager.default.copyItem(atPath: file + end, toPath: folder.appending(path: "left").path + end)
            }
            try writer.execute("ROLLBACK")
            for command in ["browse --list left", "export --to - left"] {
                let run = try Shell("yap \(command)", in: folder)
                #expect(run.errors.contains("left-journal") && run.errors.contains("half of it"), "\(run.errors)")
            }
            let check = try Shell("yap check left", in: folder)
            #expect(check.code == 1 && check.output.contains("left-journal"), "\(check.output) \(check.errors)")
        }
    }

    @Test func aDatabaseOfAnotherProgramIsShownWithASentence() throws {
        try withInputs { folder in
            try SQLiteHandle(path: folder.appending(path: "notes").path, mode: .create).execute(
                "CREATE TABLE notes (a)")
            let run = try Shell("yap browse --list notes", in: folder)
            #expect(run.code == 0 && run.isOneSentence && run.errors.contains("it is not a YapDatabase file"))
            #expect(run.output.contains("page size"))
        }
    }

    @Test(
        arguments: [
            ("export --to text books.sqlite", 2, "text is a file"),
            ("export --to full books.sqlite", 2, "is not empty"),
            ("export --to text/x books.sqlite", 1, "text/x cannot be made: Not a directory"),
            ("export --to /proc/new books.sqlite", 1, "/proc/new cannot be made"),
            ("import good.jsonl books.sqlite", 1, "exists already"),
            ("import good.jsonl folder", 1, "exists already"),
            ("import good.jsonl missing/new", 1, "Check that its folder exists"),
            ("import good.jsonl /proc/new", 1, "Check that its folder exists"),
        ])
    func whereNothingCanBeMadeThatIsSaid(command: String, code: Int32, words: String) throws {
        try withInputs { folder in
            let before = try Data(contentsOf: folder.appending(path: "books.sqlite"))
            let run = try Shell("yap \(command)", in: folder)
            #expect(run.code == code && run.isOneSentence && run.errors.contains(words), "\(run.errors)")
            #expect(try Data(contentsOf: folder.appending(path: "books.sqlite")) == before)
        }
    }

    /// A limit on file sizes simulates a full disk, also for the thread sanitizer.
    @Test(
        .disabled(if: Sanitizer.isOfThreads),
        arguments: ["export --to new books.sqlite", "export --to folder books.sqlite", "import good.jsonl new"])
    func whatFindsNoRoomLeavesNothing(command: String) throws {
        try withInputs { folder in
            let run = try Shell("trap '' XFSZ; ulimit -f 20; yap \(command)", in: folder)
            #expect(run.code == 1 && run.isOneSentence, "\(run.errors)")
            let words = command.hasPrefix("import") ? "may not let a file grow beyond" : "File too large"
            #expect(run.errors.contains(words), "\(run.errors)")
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(!names.contains { $0.hasPrefix("new") }, "\(names)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "folder").path) == [])
        }
    }

    @Test(
        arguments: [
            "browse --collection books books.sqlite", "browse --list books.sqlite", "export --to - books.sqlite",
            "check books.sqlite", "check --json books.sqlite", "--help", "--version", "browse --help", "help --man",
            "completions bash",
        ])
    func outputThatCannotBeWrittenIsAFailure(command: String) throws {
        try withInputs { folder in
            let run = try Shell("yap \(command) >/dev/full", in: folder)
            #expect(run.code == 1 && run.isOneSentence, "\(run.errors)")
            #expect(run.errors == "yap: Standard output cannot be written: No space left on device.\n")
        }
    }

    @Test(arguments: ["browse --json --collection books books.sqlite", "export --to - books.sqlite", "help --man"])
    func aReaderThatHasEnoughIsNoFailure(command: String) throws {
        try withInputs { folder in
            let run = try Shell("yap \(command) | head -1", in: folder)
            #expect(run.code == 0 && run.errors == "" && run.output.split(separator: "\n").count == 1)
        }
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func anImportThatIsInterruptedLeavesNothing(signal: Int32) throws {
        try withInputs { folder in
            let new = folder.appending(path: "new").path
            let run = try YapProcess(["import", "-", new])
            try run.write(String(contentsOf: folder.appending(path: "good.jsonl"), encoding: .utf8))
            func names() throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("new") }
            }
            try waitUntil("The import has begun") { try names().contains { $0.hasSuffix("-journal") } }
            run.send(signal)
            #expect(run.exitCode() == 128 + signal && run.errorText() == "")
            #expect(try names() == [])
        }
    }

    @Test(
        arguments: [
            "nonsense", "--nonsense", "-x", "browse", "browse a b", "browse --nonsense books.sqlite",
            "browse -x books.sqlite",
            "browse --collection", "browse --first x --view order books.sqlite",
            "browse --first -3 --view order books.sqlite",
            "browse --last 99999999999999999999 --view order books.sqlite", "browse --search= books.sqlite",
            "browse --motion fast books.sqlite", "browse --unicode all books.sqlite", "export", "export books.sqlite",
            "export --to x", "import", "import x", "import a b c", "import --to x y z", "check", "check a b",
            "check -x a",
        ])
    func nonsenseIsRefusedBeforeAnythingIsDone(command: String) throws {
        try withInputs { folder in
            let run = try Shell("yap \(command)", in: folder)
            #expect(run.code == 2 && run.output == "" && run.isOneSentence, "\(run.errors)")
            #expect(run.errors.contains("--help` lists"), "\(run.errors)")
            #expect(!run.exists("x") && !run.exists("b") && !run.exists("z"))
        }
    }

    /// A folder with a good file, its export, and files that are neither.
    private func withInputs(_ body: (URL) throws -> Void) throws {
        try withCopy(of: "books") { url in
            let folder = url.deletingLastPathComponent()
            func write(_ data: Data, _ name: String) throws { try data.write(to: folder.appending(path: name)) }
            try write(Data(), "empty")
            try write(Data([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]), "picture")
            try write(Data("Dear diary".utf8), "text")
            try write(Data((0..<8_192).map { UInt8(truncatingIfNeeded: $0 * $0 >> 3) }), "encrypted")
            for (name, target) in [("circle", "circle"), ("dangling", "nothing")] {
                try FileManager.default.createSymbolicLink(
                    atPath: folder.appending(path: name).path, withDestinationPath: target)
            }
            for name in ["folder", "full/of"] {
                try FileManager.default.createDirectory(
                    at: folder.appending(path: name), withIntermediateDirectories: true)
            }
            #expect(try Shell("yap export --to - books.sqlite >good.jsonl", in: folder).code == 0)
            try body(folder)
        }
    }
}

/// A shell command in a folder, run to its end; `yap` is the built one.
private struct Shell {
    let code: Int32
    let output: String
    let errors: String
    private let folder: URL

    init(_ line: String, in folder: URL) throws {
        self.folder = folder
        let process = Process()
        // A command that hangs ends with exit code 124, and the test fails.
        process.executableURL = URL(filePath: "/usr/bin/timeout")
        process.arguments = ["300", "/bin/sh", "-c", "yap() { \"$YAP\" \"$@\"; }; \(line)"]
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(["YAP": try builtProduct("yap")]) { $1 }
        process.standardInput = FileHandle.nullDevice
        let (output, errors) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, errors)
        try process.run()
        // Errors are a few lines, which fit into a pipe's buffer.
        self.output = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        self.errors = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        code = process.terminationStatus
    }

    /// Whether it is a single readable line.
    var isOneSentence: Bool {
        errors.hasPrefix("yap: ") && errors.hasSuffix("\n") && errors.count { $0 == "\n" } == 1
            && !errors.contains("Error Domain")
    }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: folder.appending(path: name).path) }
}
