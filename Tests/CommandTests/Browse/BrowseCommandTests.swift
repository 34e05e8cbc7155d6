import Foundation
import SQLiteBridge
import Testing

@Suite struct BrowseCommandTests {
    /// Every kind of request.
    static let faces: [[String]] = [
        ["--list"], ["--list", "--json"], ["--list", "--csv"], ["--collection", "books"],
        ["--collection", "books", "--by", "rowid", "--last", "2"], ["--view", "order", "--reversed", "--json"],
        ["--key", "books/book-364"], ["--search", "cooking"], ["--search", "book", "--keys-only"], ["--yap2"],
        ["--view", "nothing"], ["--collection", "nothing"],
    ]

    @Test(arguments: faces) func theFileStaysAsItIs(arguments: [String]) throws {
        try withCopy(of: "books") { url in
            let before = try FileTrace(url)
            #expect(try YapRun(["browse"] + arguments + [url.path]).code == (arguments.contains("nothing") ? 1 : 0))
            #expect(try FileTrace(url) == before)
        }
    }

    /// A log that was not copied into the file, with and without its index, as copies and crashes leave it.
    @Test(arguments: [true, false]) func whatIsInALogIsShownAndTheLogStays(hasIndex: Bool) throws {
        try withCopy(of: "books") { url in
            try withTemporaryFolder { folder throws in
                let handle = try SQLiteHandle(path: url.path, mode: .readWrite)
                handle.setCheckpointOnClose(false)
                try handle.execute("DELETE FROM database2 WHERE rowid > 3")
                let copy = folder.appending(path: "copy.sqlite")
                try copyParts(["", "-wal"] + (hasIndex ? ["-shm"] : []), of: url, to: copy)
                let before = try FileTrace(copy)
                #expect(try browse("--collection", "books", copy.path).lines.count == 3)
                #expect(try FileTrace(copy) == before)
            }
        }
    }

    @Test func aReadOnlyFileInAReadOnlyFolderIsShown() throws {
        try withCopy(of: "books") { url in
            let folder = url.deletingLastPathComponent().path
            try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: url.path)
            try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
            #expect(try browse("--collection", "books", "--first", "2", url.path).lines.count == 2)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
        }
    }

    @Test(
        arguments: [
            (["--view", "xx"], 1, #"There is no view "xx" in the file. There is "inStock", "order", "salesRank"."#),
            (["--view", "order", "--group", "xx"], 1, #"There is "cooking", "fantasy""#),
            (["--collection", "xx"], 1, #"There is "books"."#),
            (["--key", "books/xx"], 1, #"There is no key "xx" in the collection "books"."#),
            (["--index", "xx"], 1, "which has none"),
            (["--first", "1", "--last", "1", "--view", "order"], 2, "Either --first or --last"),
            (["--group", "x"], 2, "--group needs --view"),
            (["--view", "a", "--collection", "b"], 2, "Only one of"),
            (["--json", "--csv"], 2, "Only one of"),
            (["--reversed"], 2, "needs a list"),
        ])
    func aRequestThatCannotBeMetSaysWhy(arguments: [String], code: Int32, sentence: String) throws {
        try withCopy(of: "books") { url in
            let run = try YapRun(["browse"] + arguments + [url.path])
            #expect(run.lines == [] && run.code == code)
            #expect(run.errors.contains(sentence), "\(run.errors)")
        }
    }

    @Test func controlCharactersInKeysReachNoTerminal() throws {
        try withCopy(of: "json") { url in
            let handle = try SQLiteHandle(path: url.path, mode: .readWrite)
            try handle.execute(
                "UPDATE database2 SET key = char(27) || '[2J' || char(155) || char(8238) || char(10) WHERE rowid = 1")
            _ = try handle.checkpoint(.truncate)
            for format in ["--plain", "--json"] {
                let text = try browse(format, "--collection", "c", url.path).lines.joined()
                #expect(
                    !text.unicodeScalars.contains {
                        $0.value < 32 || (127..<160).contains($0.value) || $0.value == 8238
                    })
                #expect(text.contains("[2J"))
            }
        }
    }

    @Test func csvIsThatOfItsStandard() throws {
        try withCopy(of: "json") { url in
            let lines = try browse("--csv", "--collection", "c", "--first", "1", url.path).lines
            #expect(lines[0] == "collection,key,rowid,size,metadata,object\r")
            #expect(lines[1].hasSuffix("\"\r") && lines[1].contains("\"\""))
        }
    }

    @Test func aReaderThatGoesAwayEndsItSilently() throws {
        try withCopy(of: "books") { url in
            let run = try YapProcess(["browse", "--json", "--collection", "books", url.path])
            #expect(try run.readLine() != nil)
            run.closeOutput()
            run.exitCode()
            #expect(run.errorText() == "")
        }
    }
}
