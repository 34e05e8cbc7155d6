import Foundation
import SQLiteBridge
import TerminalTesting
import TestSupport
import Testing

/// Tasks of a person with a database file, on a terminal, each with the number of its keys. The numbers are those of the list of tasks in
/// the issue about `yap browse`.
@Suite(.serialized) struct BrowseTaskTests {
    /// A screen whose keys are counted.
    private final class Person {
        let shell: YapShell
        private(set) var keys = 0

        init(_ command: String, in folder: URL) async throws {
            shell = try await YapShell(command, width: 120, height: 30)
            try shell.tellShell("cd '\(folder.path)'; clear")
            try shell.start()
        }

        func press(_ named: String...) async throws {
            for key in named {
                keys += 1
                try await shell.press(key)
            }
        }

        func type(_ text: String) async throws {
            keys += text.count
            try await shell.press(text)
        }
    }

    @Test func task6SortByADecodedFieldIn4Keys() async throws {
        try await inBooks { person, _ in
            try await person.press("Enter", "]", "j", "Enter")
            try await person.shell.shows("by price ↓")
            // The most expensive book is the first row, and selected.
            try await person.shell.shows("▌book-350", "49.88")
            #expect(person.keys == 4)
        }
    }

    @Test func task7PriceAndGenreIn35Keys() async throws {
        try await inBooks { person, path in
            try await person.press("Enter")
            try await person.type("&=price > 20 AND genre = 'sci-fi'")
            try await person.press("Enter")
            let found = try YapRun(
                ["browse", "--collection", "books", "--where", "price > 20 AND genre = 'sci-fi'", path]
            ).lines.count
            try await person.shell.shows("· \(found) rows")
            #expect(person.keys == 35)
        }
    }

    /// Without typing a condition: by counting.
    @Test func task9CountByGenreIn5KeysAndFilterByOneMore() async throws {
        try await inBooks { person, _ in
            try await person.press("Enter", "C", "j", "j", "Enter")
            try await person.shell.shows("count by genre", "5 values in 481 rows", "fantasy", "108")
            #expect(person.keys == 5)
            try await person.press("Enter")
            try await person.shell.shows("&=genre IS 'fantasy' · row 1 · 108 rows")
            #expect(person.keys == 6)
        }
    }

    @Test func task10CompareWithYesterdayIn1Key() async throws {
        try await withCopy(of: "books") { file in
            let handle = try SQLiteHandle(path: file.path, mode: .readWrite)
            try handle.execute(#"UPDATE database2 SET data = '{"price": 1}' WHERE key = 'book-100'"#)
            let person = try await Person(
                "diff '\(originalFile("books").path)' books.sqlite", in: file.deletingLastPathComponent())
            try await person.shell.shows("~ book-100")
            try await person.press("Enter")
            try await person.shell.shows("~ price", "→ 1")
            #expect(person.keys == 1)
        }
    }

    /// The row's panel is what follows it: each commit that changes the row is shown, and its number.
    @Test func task11FollowOneKeyIn11Keys() async throws {
        try await inBooks { person, path in
            try await person.press("Enter")
            try await person.type(":book-100")
            try await person.press("Enter")
            try await person.shell.shows("▌book-100", "books/book-100")
            #expect(person.keys == 11)
            let writer = try SQLiteHandle(path: path, mode: .readWrite, busyTimeout: 30_000)
            for number in 1...3 {
                let object = #"{"price": \#(number).125, "state": "changed \#(number) times"}"#
                try writer.execute("BEGIN")
                try writer.execute("UPDATE database2 SET data = '\(object)' WHERE key = 'book-100'")
                try writer.execute("UPDATE yap2 SET data = \(100 + number) WHERE extension = '' AND key = 'snapshot'")
                try writer.execute("COMMIT")
                try await person.shell.shows(
                    "following #\(100 + number)", "\"changed \(number) times\"", "\(number).125")
            }
            // A commit of another row changes nothing here.
            try writer.execute(#"UPDATE database2 SET data = '{"price": 9}' WHERE key = 'book-300'"#)
            try await person.shell.shows("▌book-100", "\"changed 3 times\"")
            #expect(person.keys == 11)
        }
    }

    /// A chat, or any program, that holds its file locked: it is read beside it.
    @Test func task24AnExclusivelyLockedFileIn0Keys() async throws {
        try await withCopy(of: "books") { file in
            let writer = try SQLiteHandle(path: file.path, mode: .readWrite)
            try writer.execute("PRAGMA journal_mode = DELETE")
            try writer.execute("BEGIN EXCLUSIVE")
            let person = try await Person("browse books.sqlite", in: file.deletingLastPathComponent())
            try await person.shell.shows("481 rows", "book-000")
            #expect(person.keys == 0)
            try writer.execute("ROLLBACK")
        }
    }

    /// A file whose first page is gone has no screen. What is said instead names the command that has its rows.
    @Test func task20AFileWithoutItsFirstPageNamesTheCommand() async throws {
        try await withCopy(of: "books") { file in
            var bytes = try Data(contentsOf: file)
            bytes.replaceSubrange(0..<4_096, with: Data(count: 4_096))
            try bytes.write(to: file)
            let person = try await Person("browse books.sqlite", in: file.deletingLastPathComponent())
            try await person.shell.wait(for: "The command") { lines in
                lines.joined().contains("yap repair --to COPY 'books.sqlite'")
            }
            try await person.shell.expectEnd(exitCode: 1)
        }
    }

    @Test func task13SaveTheFilteredListIn2Keys() async throws {
        try await inBooks { person, path in
            try await person.press("Enter")
            try await person.type("&=genre = 'travel'")
            try await person.press("Enter")
            // The hint line has that number too while the filter looks for more rows.
            try await person.shell.shows("92 rows", missing: "Esc stops")
            let before = person.keys
            try await person.press("w", "Enter")
            try await person.shell.shows("Saved 92 rows in")
            #expect(person.keys - before == 2)
            let saved = URL(filePath: path).deletingLastPathComponent().appending(path: "books.csv")
            let lines = try String(contentsOf: saved, encoding: .utf8).split(whereSeparator: \.isNewline)
            #expect(lines.count == 93 && lines[0].contains("genre"))
        }
    }

    @Test func task14SeeWhatAnImageIsAndTakeItOutIn4Keys() async throws {
        try await withCopy(of: "books") { file in
            let image =
                "89504e470d0a1a0a0000000d4948445200000280000001e00806000000" + String(repeating: "00", count: 300)
            let handle = try SQLiteHandle(path: file.path, mode: .readWrite)
            try handle.execute("UPDATE database2 SET data = x'\(image)' WHERE key = 'book-000'")
            let folder = file.deletingLastPathComponent()
            let person = try await Person("browse books.sqlite", in: folder)
            try await person.shell.shows("PNG 640 × 480", "PNG image, 640 × 480, 329 bytes")
            #expect(try !person.shell.tmux.lines().joined().contains("unknown"))
            try await person.press("Enter", "Enter", "w", "Enter")
            try await person.shell.shows("Saved 329 B in")
            #expect(person.keys == 4)
            #expect(try Data(contentsOf: folder.appending(path: "book-000.png")).count == 329)
        }
    }

    /// A program that needs the terminal gets it, and the browser is there again afterwards.
    @Test func task14OpenTheValueInAnotherProgramIn2Keys() async throws {
        try await withCopy(of: "json") { file in
            let folder = file.deletingLastPathComponent()
            let program = folder.appending(path: "viewer").path
            // It shows what it was given, and by which name.
            let script = "#!/bin/sh\nstat -c 'mode-%a' \"$2\"; echo \"$1\"; head -c 20 \"$2\"; echo; read line\n"
            try Data(script.utf8).write(to: URL(filePath: program))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
            let temporary = folder.appending(path: "tmp")
            try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: false)
            let shell = try await YapShell("browse '\(file.path)'")
            try shell.start(environment: "TMPDIR=\(temporary.path) YAP_OPEN='\(program) first;word'")
            try await shell.shows("120 rows")
            try await shell.press("Enter", "v")
            try await shell.shows("mode-600", "first;word")
            try shell.tmux.sendKeys("Enter")
            try await shell.shows("120 rows")
            #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path).count == 1)
            try await shell.press("q")
            try await shell.expectEnd(exitCode: 0)
            #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path) == [])
        }
    }

    @Test(arguments: ["books-v4", "books-v3", "books-v2", "books-v1"]) func task26AnEncryptedFileIn0Keys(name: String)
        async throws
    {
        try await withTemporaryFolder { folder in
            let books = EncryptedBooks.named(name)
            try books.withCopy { copy in
                try FileManager.default.copyItem(at: copy, to: folder.appending(path: "books.sqlite"))
            }
            try Data("\(books.key)\n".utf8).write(to: folder.appending(path: "key"))
            let person = try await Person("browse --key-file key books.sqlite", in: folder)
            try await person.shell.shows("481 rows", "book-000")
            #expect(person.keys == 0)
            try await person.press("Enter", "]", "j", "Enter")
            try await person.shell.shows("by price ↓", "▌book-350")
            try await person.press("w", "Enter")
            try await person.shell.shows("It is not encrypted.")
        }
    }

    private func inBooks(body: (Person, String) async throws -> Void) async throws {
        try await withCopy(of: "books") { file in
            let person = try await Person("browse books.sqlite", in: file.deletingLastPathComponent())
            try await person.shell.shows("481 rows")
            try await body(person, file.path)
        }
    }
}
