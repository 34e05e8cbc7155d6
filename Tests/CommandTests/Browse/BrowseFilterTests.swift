import Foundation
import SQLiteBridge
import TerminalTesting
import TestSupport
import Testing

/// Tasks of a person with a file: the books over a price in one genre, the dearest, how many of each genre.
@Suite struct BrowseFilterTests {
    @Test func rowsAreSelectedSortedAndCountedByTheirFields() throws {
        let file = originalFile("books").path
        let all = try YapRun(["browse", "--json", "--collection", "books", file]).objects().compactMap {
            $0["object"] as? [String: Any]
        }
        func price(_ object: [String: Any]) -> Double { object["price"] as? Double ?? 0 }
        let dear = all.filter { price($0) > 20 && $0["genre"] as? String == "sci-fi" }
        let filter = ["--where", "price > 20 AND genre = 'sci-fi'"]
        let run = try YapRun(["browse", "--json", "--collection", "books", file] + filter)
        #expect(run.code == 0 && run.lines.count == dear.count && !dear.isEmpty)
        let top = try YapRun(
            ["browse", "--json", "--collection", "books", "--sort", "price DESC", "--first", "5", file] + filter)
        let prices = try top.objects().map { price($0["object"] as? [String: Any] ?? [:]) }
        #expect(prices == Array(dear.map(price).sorted(by: >).prefix(5)))
        let counts = try YapRun(["browse", "--json", "--collection", "books", "--count-by", "genre", file]).objects()
        let wanted = Dictionary(grouping: all) { $0["genre"] as? String ?? "" }.mapValues(\.count)
        #expect(counts.count == wanted.count)
        for line in counts { #expect(wanted[line["value"] as? String ?? ""] == line["count"] as? Int) }
        let view = try YapRun(["browse", "--json", "--view", "order", "--last", "1", file] + filter).objects()
        #expect(view.count == 1 && view[0]["group"] as? String == "sci-fi")
    }

    @Test func aRowSaysWhatItIsIn() throws {
        let file = originalFile("books").path
        let row = try #require(YapRun(["browse", "--key", "books/book-070", "--json", file]).objects().first)
        let places = try #require((row["in"] as? [String: Any])?["views"] as? [[String: Any]])
        #expect(!places.isEmpty)
        for place in places {
            let (view, group) = (place["view"] as? String ?? "", place["group"] as? String ?? "")
            let rows = try YapRun(["browse", "--view", view, "--group", group, "--json", file]).objects()
            #expect(rows[place["index"] as? Int ?? 0]["key"] as? String == "book-070", "\(view)")
        }
    }

    @Test func chosenColumnsAreATable() throws {
        let file = originalFile("books").path
        let list = [
            "browse", "--collection", "books", "--columns", "key, title ,max(price, 1)", "--where", "genre = 'travel'",
            file,
        ]
        let objects = try YapRun(list + ["--json"]).objects()
        #expect(objects.count == 92 && objects.allSatisfy { Set($0.keys) == ["key", "title", "max(price, 1)"] })
        let table = try YapRun(list + ["--csv"])
        #expect(table.text.hasPrefix("key,title,\"max(price, 1)\"\r\n") && table.lines.count == 93)
    }

    /// A number that SQLite does not have is printed as it is stored, and is not another one in a condition.
    @Test func aNumberBeyondThoseOfSQLiteIsNotRounded() throws {
        try withCopy(of: "json") { file throws in
            do {
                let handle = try SQLiteHandle(path: file.path, mode: .readWrite)
                for (key, number) in [("k001", "18446744073709551615"), ("k002", "18446744073709551614")] {
                    try handle.execute("UPDATE database2 SET data = '{\"n\":\(number)}' WHERE key = '\(key)'")
                }
            }
            let list = ["browse", "--collection", "c", file.path, "--csv"]
            let columns = try YapRun(list + ["--columns", "row.key,n"])
            #expect(columns.code == 0 && columns.errors == "", "\(columns.errors)")
            #expect(columns.lines.contains("k001,18446744073709551615\r"), "\(columns.lines.prefix(4))")
            #expect(columns.lines.contains("k002,18446744073709551614\r"))
            for options in [["--where", "n = 18446744073709551615"], ["--sort", "n"], ["--count-by", "n"]] {
                let run = try YapRun(list + options)
                #expect(run.code == 3 && run.errors.contains("\"n\" counts as NULL for 2 rows"), "\(run.errors)")
                #expect(!run.text.contains("e+19") && (options[0] != "--where" || run.lines.count == 1))
            }
        }
    }

    /// Malformed JSON, an overflow and a value that is none cost the row that has them, and are said.
    @Test func whatCannotBeComputedIsSaid() throws {
        try withCopy(of: "json") { file throws in
            do {
                let handle = try SQLiteHandle(path: file.path, mode: .readWrite)
                for statement in [
                    "UPDATE database2 SET data = json_set(data, '$.n', 1, '$.j', '{\"x\": 5}')",
                    "UPDATE database2 SET data = json_set(data, '$.n', -9223372036854775808, '$.j', '{no') WHERE key = 'k001'",
                    "UPDATE database2 SET data = json_set(data, '$.n', -9223372036854775808) WHERE key = 'k003'",
                    "UPDATE database2 SET data = '{\"n\": 2,' WHERE key = 'k002'",
                ] { try handle.execute(statement) }
            }
            let list = ["browse", "--collection", "c", file.path, "--csv"]
            let overflow =
                "\"abs(n)\" cannot be computed and counts as NULL for 2 rows, for example c/k001: integer overflow."
            let malformed =
                "json_extract(j, '$.x')\" cannot be computed and counts as NULL for 1 row, c/k001: malformed JSON."
            let damaged = "the value cannot be decoded, in 1 row, c/k002: The JSON is malformed"
            let columns = try YapRun(list + ["--columns", "row.key, n, abs(n), json_extract(j, '$.x')"])
            #expect(columns.code == 3 && columns.lines.count == 121)
            #expect(
                columns.lines.contains("k001,-9223372036854775808,,\r")
                    && columns.lines.contains("k003,-9223372036854775808,,5\r"))
            #expect([overflow, malformed, damaged].allSatisfy(columns.errors.contains), "\(columns.errors)")
            let counts = try YapRun(list + ["--count-by", "abs(n)"])
            #expect(counts.code == 3 && counts.errors.contains(overflow))
            #expect(counts.lines.prefix(2) == ["abs(n),count\r", "1,117\r"], "\(counts.lines)")
            for options in [["--where", "abs(n) > 0"], ["--sort", "abs(n) DESC"]] {
                for columns in [[], ["--columns", "row.key"]] {
                    let run = try YapRun(list + options + columns)
                    let times = run.errors.split(separator: "\n").count { $0.contains("integer overflow") }
                    #expect(run.code == 3 && times == 1, "\(run.errors)")
                }
            }
            let none = try YapRun(list + ["--where", "n > 5", "--columns", "row.key, nofield"])
            #expect(!none.errors.contains("nofield"), "there was no row to have it")
        }
    }

    @Test func theBytesOfAValueAreThoseThatAreStored() throws {
        let file = originalFile("json").path
        try withTemporaryFolder { folder throws in
            let program = try builtProduct("yap")
            let command = "'\(program)' browse --key c/k077 --raw '\(file)' > raw"
            #expect(try TestSupport.run("/bin/sh", ["-c", command], in: folder).code == 0)
            let stored = try IndependentReader(path: file).rows(
                "SELECT hex(data) FROM database2 WHERE collection = 'c' AND key = 'k077'")[0][0]
            let raw = try Data(contentsOf: folder.appending(path: "raw"))
            #expect(raw.map { String(format: "%02X", $0) }.joined() == stored)
        }
        #expect(try YapRun(["browse", "--collection", "c", "--raw", file]).code == 2)
    }

    /// A field that is missing in the rows that are printed may be in others; a name like that of a field is a slip.
    @Test(arguments: [("titel", 3, " Did you mean title?"), ("subject", 0, "")])
    func aColumnThatNoRowHasIsSaid(name: String, code: Int32, hint: String) throws {
        let run = try browse(
            "--json", "--collection", "books", "--columns", name, "--first", "2", originalFile("books").path)
        #expect(run.code == code && run.lines.count == 2)
        #expect(run.errors == "yap: None of the rows that were looked at has a field \"\(name)\".\(hint)\n")
        let all = try browse("--json", "--collection", "books", "--columns", name, originalFile("books").path)
        #expect(all.code == 3 && all.lines.count == 481)
    }

    @Test(arguments: [
        (["--where", "price >", "--collection", "books"], 2, "is no expression of SQLite"),
        (["--where", "price > 1"], 2, "--where needs a list"), (["--count-by", "x", "--list"], 2, "needs a list"),
        (["--count-by", "x", "--collection", "books", "--first", "1"], 2, "--count-by counts all rows"),
        (["--where", "1", "--collection", "books", "--follow"], 2, "--follow shows a list as it is"),
        (
            ["--where", "genre = cooking", "--collection", "books"], 3,
            "No row has a field \"cooking\". A text is in single"
        ),
        (["--where", "pric > 20", "--collection", "books"], 3, "No row has a field \"pric\". Did you mean price?"),
    ])
    func mistakesAreSaid(options: [String], code: Int32, words: String) throws {
        let run = try YapRun(["browse", "--json"] + options + [originalFile("books").path])
        #expect(run.code == code && run.lines.isEmpty && run.errors.contains(words), "\(run.errors)")
    }
}
