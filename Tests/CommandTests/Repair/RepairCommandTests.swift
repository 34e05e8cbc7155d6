import Foundation
import SQLiteBridge
import TestSupport
import Testing
import YapDatabase

@Suite struct RepairCommandTests {
    @Test func aBrokenViewIsDroppedFromTheCopyAndTheFileStays() throws {
        try withCopy(of: "books") { url in
            try SQLiteHandle(path: url.path, mode: .readWrite).execute("DELETE FROM view_order_map WHERE rowid = 1")
            let (before, copy) = (try FileTrace(url), url.path + ".mended")
            let run = try YapRun(["repair", "--to", copy, url.path])
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.lines.first == "\(copy): 481 rows of \(url.path).")
            #expect(
                run.text.contains("Dropped, and filled when a program registers it: AutoView \"order\"."), "\(run.text)"
            )
            #expect(run.lines.last == "Every row is there, and yap check finds nothing.")
            #expect(try check([copy]).code == 0)
            try FileManager.default.removeItem(atPath: copy)
            #expect(try FileTrace(url) == before)
        }
    }

    @Test func lostRowsAndDamagedPagesAreNamed() throws {
        try withCopy(of: "books") { url in
            var bytes = try Data(contentsOf: url)
            bytes.replaceSubrange(4096 * 20..<4096 * 21, with: Data(repeating: 0x5a, count: 4096))
            try bytes.write(to: url)
            let copy = url.path + ".mended"
            let run = try YapRun(["repair", "--json", "--to", copy, url.path])
            #expect(run.code == 1)
            let report = try #require(try run.objects().first)
            let lost = try #require(report["lost"] as? [[String: Any]])
            #expect(!lost.isEmpty && lost.allSatisfy { $0["collection"] as? String == "books" && $0["key"] != nil })
            #expect(report["damagedPages"] as? [Int] == [21] && report["isWhole"] as? Bool == false)
            #expect(report["rows"] as? Int == 481 - lost.count)
            #expect(report["isSound"] as? Bool == true)
            #expect(try check([copy]).code == 0)
            try FileManager.default.removeItem(atPath: copy)
            let text = try YapRun(["repair", "--to", copy, url.path]).text
            #expect(text.contains("lost row") && text.contains("Damaged pages: 21."), "\(text)")
        }
    }

    /// The copy is as sound as the file can be, and what `yap check` would say of it is said.
    @Test func aDamagedValueIsNamed() throws {
        try withCopy(of: "json") { url in
            let handle = try SQLiteHandle(path: url.path, mode: .readWrite)
            try handle.execute("UPDATE database2 SET data = substr(data, 1, length(data) - 1) || x'00' WHERE rowid = 7")
            let copy = url.path + ".mended"
            let run = try YapRun(["repair", "--to", copy, url.path])
            #expect(run.code == 3 && run.text.contains("1 value is damaged"), "\(run.text)")
            #expect(run.lines.last == "Every row is there. `yap check` says what to do about the rest.")
            #expect(try check([copy]).code == 1)
        }
    }

    @Test(arguments: [SIGKILL, SIGINT]) func aRepairThatIsEndedLeavesNoHalfCopy(signal: Int32) throws {
        try withTemporaryFolder { folder in
            let file = folder.appending(path: "many.sqlite")
            try withCopy(of: "books") { try FileManager.default.copyItem(at: $0, to: file) }
            try SQLiteHandle(path: file.path, mode: .readWrite).execute(
                """
                INSERT INTO database2 (collection, key, data) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n \
                LIMIT 30000) SELECT 'many', i, zeroblob(100) FROM n
                """)
            let copy = folder.appending(path: "copy.sqlite")
            for moment in 0..<(Effort.isFull ? 12 : 4) {
                let process = try YapProcess(["repair", "--to", copy.path, file.path])
                let unfinished = "\(copy.path).unfinished-\(process.identifier)"
                try waitUntil("a copy is begun") {
                    [unfinished, copy.path].contains { FileManager.default.fileExists(atPath: $0) }
                }
                // A moment is no condition: the copy is at another place each time.
                usleep(UInt32(moment) * 40_000)
                process.send(signal)
                let code = process.exitCode()
                let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                if names.contains("copy.sqlite") {
                    #expect(try YapDatabase.check(url: copy) == [])
                    try FileManager.default.removeItem(at: copy)
                } else {
                    #expect(code == (signal == SIGKILL ? -9 : 130))
                    if signal == SIGINT { #expect(names == ["many.sqlite"]) }
                }
                for name in names where name.contains(".unfinished-") {
                    try FileManager.default.removeItem(at: folder.appending(path: name))
                }
            }
        }
    }

    @Test func whatIsMissingOrTakenIsSaid() throws {
        try withCopy(of: "books") { url in
            #expect(try YapRun(["repair", url.path]).code == 2)
            #expect(try YapRun(["repair", "--to", "-", url.path]).code == 2)
            let taken = try YapRun(["repair", "--to", url.path, url.path])
            #expect(taken.code == 1 && taken.errors.contains("exists already"), "\(taken.errors)")
            let missing = try YapRun(["repair", "--to", url.path + ".x", url.path + ".none"])
            #expect(missing.code == 1 && missing.errors.contains("There is no file"), "\(missing.errors)")
        }
    }

    @Test func anEncryptedFileIsRepairedByItsKey() throws {
        try EncryptedBooks.named("books-v3").withCopy { file throws in
            var bytes = try Data(contentsOf: file)
            for page in [20, 150] { bytes[(page - 1) * 1_024 + 500] ^= 4 }
            try bytes.write(to: file)
            let copy = file.path + ".mended"
            let run = try YapRun(
                ["repair", "--json", "--to", copy, "--key-fd", "0", file.path], input: "correct horse\n")
            #expect(run.errors.contains("Its copy is not"), "\(run.errors)")
            let report = try #require(try run.objects().first)
            #expect(report["damagedPages"] as? [Int] == [20, 150], "\(run.text)")
            #expect(try check([copy]).code == 0)
        }
    }
}
