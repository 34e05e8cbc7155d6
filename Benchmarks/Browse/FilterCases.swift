import FileReading
import Foundation

/// `yap browse --where` with two conditions against `--search` for a text that no row has, in the same run: processor seconds of all threads.
let filterCases: [Case] = [
    // All rows are JSON, which a search reads without decoding.
    filterCase("browse_filter/json", count: 1_000_000, collection: "books", "price > 70 AND genre = 'sci-fi'") {
        try makeBooks($0, count: 1_000_000)
    },
    // Three of four rows are archives.
    filterCase(
        "browse_filter/mixed", count: programRows, collection: "messages", "sender LIKE '%7' AND serverID > 0",
        make: makeProgramRows),
]

private func filterCase(
    _ name: String, count: Int, collection: String, _ condition: String, make: @escaping @Sendable (URL) throws -> Void
) -> Case {
    Case(name: name, n: count, k: count, unit: "s", targets: [.ratio(atMost: 1.5)], isAlone: true) {
        try withScratchFolder { folder in
            let url = folder.appending(path: "rows.sqlite")
            try make(url)
            var (times, searches): ([Double], [Double]) = ([], [])
            for _ in 0..<5 {
                searches.append(
                    try usedByAll {
                        var search = FileSearch(SearchText("zzzzzz"))
                        search.collection = StoredText(collection)
                        try search.run(in: BrowsedFile(path: url.path).snapshot) { rowid, _ in keep(rowid) }
                    })
                times.append(
                    try usedByAll {
                        try filtered(url.path, in: collection, where: condition, order: nil, RowSelection())
                    })
            }
            return Measurement(times, searches, scale: 1)
        }
    }
}

/// Makes rows in JSON, of which one in six is in the genre of the condition.
private func makeBooks(_ url: URL, count: Int) throws {
    let handle = try RawHandle(url, setup: ["PRAGMA user_version = 3"])
    try handle.execute(
        #"CREATE TABLE "yap2" ("extension" CHAR NOT NULL, "key" CHAR NOT NULL, "data" BLOB, PRIMARY KEY ("extension","key"))"#
    )
    let genres = ["sci-fi", "mystery", "fantasy", "cooking", "history", "travel"]
    let insert = try handle.prepare("INSERT INTO database2 (rowid, collection, key, data) VALUES (?, 'books', ?, ?)")
    try handle.inTransaction {
        for row in 0..<count {
            let genre = genres[row * 7 % 6]
            let book = """
                {"title":"Title \(row)","genre":"\(genre)","price":\(Double(row * 37 % 8_000) / 100),"sales":\(row * 31 % 1_000_000),\
                "inStock":\(row % 2 == 0),"author":{"name":"Author \(row % 977)","born":\(1_900 + row % 80)},"tags":["a","b"]}
                """
            try insert.run(Int64(row + 1), String(format: "book-%07d", row), Data(book.utf8))
        }
    }
    try handle.execute("PRAGMA wal_checkpoint(TRUNCATE)")
}
