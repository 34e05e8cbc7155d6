import Testing

@testable import FileReading

@Suite struct FileSearchTests {
    @Test(arguments: [
        ("book-36", true), ("BOOK-36", true), ("ook-1", true), ("title 00183", false), ("cooking", false),
    ])
    func searchFindsRowsWithTheText(text: String, isKeysOnly: Bool) throws {
        try withFile("books") { path in
            let snapshot = try BrowsedFile(path: path).snapshot
            var found: [[String]] = []
            var last = FileSearch.Progress()
            try FileSearch(SearchText(text), isKeysOnly: isKeysOnly).run(
                in: snapshot,
                progress: {
                    last = $0
                    return true
                }
            ) { rowid, _ in found.append([String(rowid)]) }
            // Capitals match only capitals.
            let keys = "SELECT rowid FROM database2 WHERE instr(key, '\(text)') ORDER BY key"
            let objects = "SELECT rowid FROM database2 WHERE instr(lower(CAST(data AS TEXT)), '\(text)') ORDER BY key"
            #expect(try found == query(path, isKeysOnly ? keys : objects))
            #expect(last.searched == 481 && last.found == found.count && last.damage == nil)
        }
    }

    /// The text is that of the value, not of its JSON form, in which quotes and line breaks are escaped.
    @Test func quotesAndLineBreaksAreFoundAsTheyAre() throws {
        let sql = #"UPDATE database2 SET data = '{"text": "say \"hi\"\nand go"}' WHERE rowid = 7"#
        for text in [#"say "hi""#, "hi\"\nand"] {
            try withFile("json", changedBy: [sql]) { path in
                var found: [Int64] = []
                try FileSearch(SearchText(text)).run(in: try BrowsedFile(path: path).snapshot) { rowid, _ in
                    found.append(rowid)
                }
                #expect(found == [7])
            }
        }
    }

    @Test func aSearchEndsWhenItIsToldTo() throws {
        try withFile("books") { path in
            var portions = 0
            try FileSearch(SearchText("x")).run(
                in: try BrowsedFile(path: path).snapshot,
                progress: { _ in
                    portions += 1
                    return false
                }
            ) { _, _ in }
            #expect(portions == 1)
        }
    }
}
