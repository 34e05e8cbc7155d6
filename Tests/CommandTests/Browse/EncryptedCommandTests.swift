import Foundation
import Testing

/// Files that SQLCipher wrote, as a person with the key reads them.
@Suite struct EncryptedCommandTests {
    @Test(arguments: Effort.some(EncryptedBooks.all.map(\.name))) func everyCommandReadsThem(name: String) throws {
        let books = EncryptedBooks.named(name)
        let plain = originalFile("books").path
        try books.withCopy { file throws in
            let key = try keyFile(books, beside: file)
            let before = try FileTrace(file)
            func yap(_ command: String, _ arguments: [String] = []) throws -> YapRun {
                try YapRun([command] + arguments + key + [file.path])
            }
            let rows = try yap("browse", ["--json", "--collection", "books"])
            let wanted = try YapRun(["browse", "--json", "--collection", "books", plain]).lines
            #expect(rows.code == 0 && rows.errors == "", "\(rows.errors)")
            #expect(rows.lines == wanted.filter { !books.hasLog || !$0.contains("book-001") })
            let search = try yap("browse", ["--search", "cooking", "--json"])
            #expect(search.lines == (try YapRun(["browse", "--search", "cooking", "--json", plain]).lines))
            #expect(try yap("browse", ["--list"]).lines.count > 3)
            let export = try yap("export", ["--to", "-"])
            #expect(export.code == 0 && export.errors.contains("Its export is not"), "\(export.errors)")
            #expect(export.lines.count > 480)
            let check = try yap("check")
            // The row was deleted by SQLCipher alone, without the views.
            let verdict = books.hasLog ? "The rows are whole: everything damaged can be rebuilt." : "All is well."
            #expect(check.lines.last == verdict, "\(check.text)\(check.errors)")
            #expect(try FileTrace(file) == before)
        }
    }

    @Test func aWrongKeyAWrongSettingAndADamagedPageAreThreeMessages() throws {
        try EncryptedBooks.named("books-v4").withCopy { file throws in
            func errors(_ key: String, _ more: [String] = []) throws -> String {
                let run = try YapRun(
                    ["browse", "--json", "--collection", "books", "--key-fd", "0"] + more + [file.path],
                    input: key + "\n")
                #expect(run.code == 1 && run.lines.isEmpty)
                return run.errors
            }
            #expect(try errors("wrong horse").contains("The key does not fit"))
            #expect(
                try errors("correct horse", ["--cipher", "cipher_page_size=1024"]).contains("cipher_page_size=4096"))
            var bytes = try Data(contentsOf: file)
            bytes[2_000] ^= 4
            try bytes.write(to: file)
            #expect(try errors("correct horse").contains("page 1 is damaged"))
            let check = try YapRun(["check", "--key-fd", "0", file.path], input: "correct horse\n")
            #expect(check.code == 1 && check.text.contains("page 1 is damaged"), "\(check.text)")
            // It neither counts what it cannot read nor advises what is being done.
            #expect(!check.text.contains("0 rows") && !check.text.contains("Run `yap check`"), "\(check.text)")
        }
    }

    /// A file that is no database has one message, whether or not a key is given.
    @Test(arguments: [10, 400]) func whatIsLeftOfACutFileIsSaidOnce(size: Int) throws {
        try EncryptedBooks.named("books-v4").withCopy { file throws in
            try Data(contentsOf: file).prefix(size).write(to: file)
            let run = try YapRun(["browse", "--list", "--key-fd", "0", file.path], input: "correct horse\n")
            #expect(run.code == 1 && run.errors.contains("is not a database"), "\(run.errors)")
            #expect(!run.errors.contains("is not needed"), "\(run.errors)")
        }
    }

    @Test func checkNamesEachDamagedPage() throws {
        try EncryptedBooks.named("books-v3").withCopy { file throws in
            var bytes = try Data(contentsOf: file)
            for page in [20, 150] { bytes[(page - 1) * 1_024 + 500] ^= 4 }
            try bytes.write(to: file)
            let check = try YapRun(["check", "--key-fd", "0", file.path], input: "correct horse")
            #expect(check.code == 1)
            #expect(
                check.text.contains("Page 20 is damaged") && check.text.contains("Page 150 is damaged"), "\(check.text)"
            )
        }
    }

    @Test func withoutAKeyTheFileIsSaidToBeEncrypted() throws {
        try EncryptedBooks.named("books-header").withCopy { file throws in
            let run = try YapRun(["browse", "--list", file.path])
            #expect(run.code == 1 && run.errors.contains("encrypted behind its header"), "\(run.errors)")
        }
        try EncryptedBooks.named("books-v4").withCopy { file throws in
            let run = try YapRun(["browse", "--list", file.path])
            #expect(run.code == 1 && run.errors.contains("or it is encrypted"), "\(run.errors)")
        }
    }

    @Test(arguments: [
        (["--key-file", "none"], 1, "none cannot be read: No such file"), (["--key-fd", "1"], 2, "--key-fd takes"),
        (["--key-fd", "77"], 2, "no such descriptor is open"), (["--key-file", "a", "--key-fd", "0"], 2, "Either"),
        (["--cipher", "pages=1"], 2, "is no setting of a cipher"), (["--key-file", "/dev/null"], 1, "is empty"),
        (["--key-file", "/dev/zero"], 1, "longer than 4 KB"), (["--key-file", "two"], 1, "more than one line"),
    ])
    func wrongOptionsAreSaid(options: [String], code: Int32, words: String) throws {
        try EncryptedBooks.named("books-v4").withCopy { file throws in
            let folder = file.deletingLastPathComponent()
            try Data("correct horse\nand more\n".utf8).write(to: folder.appending(path: "two"))
            let run = try YapRun(["browse", "--list"] + options + [file.path], folder: folder)
            #expect(run.code == code && run.lines.isEmpty && run.errors.contains(words), "\(run.errors)")
        }
    }

    @Test func aKeyForAPlainFileIsNotNeeded() throws {
        try withCopy(of: "books") { file in
            let run = try YapRun(["browse", "--list", "--key-fd", "0", file.path], input: "x\n")
            #expect(run.code == 0 && run.errors.contains("is not encrypted"))
        }
    }

    private func keyFile(_ books: EncryptedBooks, beside file: URL) throws -> [String] {
        let key = file.deletingLastPathComponent().appending(path: "key")
        try Data((books.key + "\n").utf8).write(to: key)
        return ["--key-file", key.path] + (books.settings.isEmpty ? [] : ["--cipher", books.settings])
    }
}
