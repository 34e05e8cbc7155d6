import Foundation
import SQLiteBridge
import Testing

@Suite struct DiffCommandTests {
    @Test func aFileHasNoDifferenceToItsBackupAndToItsExport() throws {
        try withCopy(of: "books") { file throws in
            let folder = file.deletingLastPathComponent()
            #expect(try YapRun(["export", "--to", "rows", file.path], folder: folder).code == 0)
            for other in [originalFile("books").path, folder.path + "/rows"] {
                let before = try FileTrace(file)
                let run = try YapRun(["diff", file.path, other])
                #expect(run.code == 0 && run.lines.isEmpty, "\(run.text)")
                #expect(run.errors.contains("No difference: 481 rows are equal."))
                #expect(try FileTrace(file) == before)
            }
        }
    }

    @Test func rowsFieldsAndViewsAreCompared() throws {
        try withCopy(of: "json") { file throws in
            let handle = try SQLiteHandle(path: file.path, mode: .readWrite)
            try handle.execute("DELETE FROM database2 WHERE key = 'k003'")
            try handle.execute("INSERT INTO database2 (collection, key, data) VALUES ('c', 'zz', '{\"a\":1}')")
            try handle.execute("UPDATE database2 SET data = json_set(data, '$.added', 5) WHERE key = 'k007'")
            let run = try YapRun(["diff", originalFile("json").path, file.path, "--json", "--rows-only"])
            #expect(run.code == 1)
            let objects = try run.objects()
            #expect(objects.compactMap { $0["change"] as? String } == ["delete", "update", "insert"])
            #expect(objects.compactMap { $0["key"] as? String } == ["k003", "k007", "zz"])
            let fields = try #require(objects[1]["fields"] as? [[String: Any]])
            #expect(fields.count == 1 && fields[0]["path"] as? String == "$.added" && fields[0]["after"] as? Int == 5)
            #expect(fields[0]["before"] == nil && fields[0]["in"] as? String == "object")
            #expect(objects[3]["inserted"] as? Int == 1 && objects[3]["updated"] as? Int == 1)
            let text = try YapRun(["diff", "--rows-only", originalFile("json").path, file.path])
            #expect(text.text.contains("~ c/k007\n    $.added: nothing → 5\n"), "\(text.text)")
            #expect(text.errors.contains("1 new, 1 gone, 1 changed"))
            let views = try YapRun(["diff", originalFile("json").path, file.path])
            #expect(views.code == 1)
            let brief = try YapRun(["diff", "--brief", originalFile("json").path, file.path])
            #expect(brief.code == 1 && brief.lines.count == 1 && brief.lines[0].hasSuffix("differ."))
        }
    }

    @Test(arguments: EncryptedBooks.all.filter { $0.key == "correct horse" && $0.settings == "" }.map(\.name))
    func anEncryptedFileIsComparedWithItsPlainForm(name: String) throws {
        let books = EncryptedBooks.named(name)
        try books.withCopy { file throws in
            let run = try YapRun(
                ["diff", originalFile("books").path, file.path, "--key-fd", "0"], input: "correct horse\n")
            #expect(run.code == (books.hasLog ? 1 : 0), "\(run.text)\(run.errors)")
            if books.hasLog { #expect(run.lines.first?.hasPrefix("- books/book-001") == true) }
        }
    }

    @Test(arguments: [
        (["one"], 2, "It takes two files"), (["none", "none"], 2, "There is no file at none"),
        (["postgres://x", "none"], 2, "Which space"), ([originalFile("books").path, "none"], 2, "There is no file"),
    ])
    func whatCannotBeComparedIsTrouble(operands: [String], code: Int32, words: String) throws {
        try withTemporaryFolder { folder throws in
            let run = try YapRun(["diff"] + operands, folder: folder)
            #expect(run.code == code && run.lines.isEmpty && run.errors.contains(words), "\(run.errors)")
        }
    }
}
