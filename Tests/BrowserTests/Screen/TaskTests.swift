import FileReading
import Foundation
import LiveTable
import SQLiteBridge
import TestSupport
import Testing

@testable import Browser

/// Tasks of a person with a database file, each with the number of keys that it takes on the screen. The numbers are those of the list of tasks
/// that this browser is measured by beside others.
@MainActor @Suite struct TaskTests {
    /// A file with rows in every format, an index, a full-text index, edges, and a table of another program.
    private static let everything = [
        "CREATE TABLE secondaryIndex_prices (rowid INTEGER PRIMARY KEY, price REAL, genre TEXT)",
        "INSERT INTO secondaryIndex_prices SELECT rowid, rowid / 2.0, 'g' || rowid % 3 FROM database2",
        "INSERT INTO yap2 VALUES ('prices', 'class', 'YapDatabaseSecondaryIndex')",
        "CREATE VIRTUAL TABLE fts_words USING fts4(text)",
        "INSERT INTO fts_words (docid, text) SELECT rowid, 'word' || rowid FROM database2",
        "INSERT INTO yap2 VALUES ('words', 'class', 'YapDatabaseFullTextSearch')",
        """
        CREATE TABLE relationship_graph (rowid INTEGER PRIMARY KEY, name CHAR NOT NULL, src INTEGER NOT NULL, dst BLOB NOT NULL, \
        rules INTEGER, manual INTEGER)
        """,
        "INSERT INTO relationship_graph VALUES (1, 'author', 1, 2, 4, 0), (2, 'sequel', 3, 1, 8, 1)",
        "INSERT INTO yap2 VALUES ('graph', 'class', 'YapDatabaseRelationship')",
        "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)", "INSERT INTO notes VALUES (7, 'by another program')",
    ]

    // MARK: 1 to 5

    @Test func task1TheFirstRowsAreThereWithoutAKey() throws {
        try withFile("books") { path in
            let scene = try BrowserScene(path)
            #expect(scene.text.contains("book-000") && scene.text.contains("481 rows"))
            #expect(scene.keys == 0)
        }
    }

    @Test func task2TheEndTakesTwoKeysAndAKeyByItsBeginningOnlyItsLetters() throws {
        try withFile("books") { path in
            let scene = try BrowserScene(path)
            scene.press(.enter)
            scene.type("G")
            #expect(try scene.screen.list.selectedTexts?.key == query(path, "SELECT max(key) FROM database2")[0])
            #expect(scene.keys == 2)
            scene.type(":book-07")
            scene.press(.enter)
            #expect(scene.keys == 2 + 9)
            #expect(scene.screen.list.selectedTexts?.key == "book-070")
        }
    }

    @Test(arguments: [("json", "number 77"), ("books", "title 00183")])
    func tasks3And4AValueInsideIsFoundWhileItIsTyped(name: String, text: String) throws {
        try withFile(name) { path in
            let scene = try BrowserScene(path)
            scene.press(.enter)
            scene.type("/" + text)
            scene.press(.enter)
            #expect(scene.screen.state.search?.search.count ?? 0 > 0, "\(scene.text)")
            scene.press(.tab)
            #expect(scene.keys == text.count + 4)
            #expect(scene.text.lowercased().contains(text), "\(scene.text)")
        }
    }

    @Test func task5ARowSaysWithoutAKeyWhichViewsHaveItAndWhere() throws {
        try withFile("books") { path in
            let scene = try BrowserScene(path, height: 40)
            #expect(scene.text.contains("order/") && scene.text.contains("salesRank/"), "\(scene.text)")
            #expect(scene.keys == 0)
        }
    }

    // MARK: 8

    /// On many rows the keys are the same. What it costs on 1,000,000 is the benchmark `browse_filter/json`.
    @Test func task8ManyRowsAreFilteredIn35Keys() throws {
        try withFile("json") { path in
            let rows = Effort.isFull ? 100_000 : 5_000
            try change(
                path,
                [
                    "DELETE FROM database2",
                    """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
                    INSERT INTO database2 (collection, key, data) SELECT 'books', printf('book-%07d', i), CAST(printf(
                    '{"title":"Title %d","price":%d.5,"genre":"%s"}', i, i % 50, iif(i % 3, 'travel', 'sci-fi')) AS BLOB) FROM n
                    """,
                ])
            let scene = try BrowserScene(path, width: 140)
            scene.press(.enter)
            scene.type("&=price > 20 AND genre = 'sci-fi'")
            scene.press(.enter)
            let found = try query(
                path, "SELECT count(*) FROM database2 WHERE data ->> 'price' > 20 AND data ->> 'genre' = 'sci-fi'")[0]
            #expect(scene.text.contains("\(RowCount(Int(found)!)) rows"), "\(found) in\n\(scene.text)")
            #expect(scene.keys == 35)
        }
    }

    // MARK: 12 and 15

    @Test func task12KeyValuePathAndRowAreCopiedByAKeyEach() throws {
        try withFile("json") { path in
            let scene = try BrowserScene(path)
            scene.press(.enter)
            scene.type("y")
            #expect(scene.copied == "k000")
            scene.type("Y")
            #expect(scene.copied == "c/k000")
            scene.press(.enter)
            scene.type("y")
            #expect(scene.copied == #"{"group":"even","text":"hello number 0","sort":0}"#)
            scene.type("x")
            scene.type("y")
            #expect(
                scene.copied == #"{"group": "even", "sort": 0, "text": "hello number 0"}"# || scene.copied?.first == "{"
            )
            #expect(scene.hint.contains("Copied the stored bytes"))
            #expect(scene.keys == 7)
        }
    }

    /// A protobuf message, compressed twice: one of its fields is a message too.
    @Test func task15CompressedMessagesUnfoldWithoutAKey() throws {
        let bytes = """
            1f8b080000000000020393efe660000126e6c78fce799c3d79325ce3bcfe294f\
            c188c32a47cf1d9d3573faf42816869e488665924045001f8e26f82d000000
            """
        try withFile("json", changedBy: "UPDATE database2 SET data = x'\(bytes)' WHERE key = 'k000'") { path in
            let scene = try BrowserScene(path, height: 40)
            #expect(scene.text.contains("hello world") && scene.text.contains("inner"), "\(scene.text)")
            #expect(scene.keys == 0)
        }
    }

    // MARK: 16 and 17

    /// Why is it here: all that has the row is one key away, once its line is selected.
    @Test func task16EdgesIndexesAndTextsAreNamedByKeyAndGoneToWithEnter() throws {
        try withFile("books") { path in
            try change(path, Self.everything)
            let scene = try BrowserScene(path, width: 120, height: 60)
            let keys = try query(path, "SELECT key FROM database2 WHERE rowid IN (1, 2, 3) ORDER BY rowid")
            scene.press(.enter)
            scene.type(":\(keys[0])")
            scene.press(.enter)
            scene.press(.enter)
            for text in [
                "EDGES", "author to", "books/\(keys[1])", "sequel from", "books/\(keys[2])", "prices",
                "price 0.5,",
                "words", "full text",
            ] {
                #expect(scene.text.contains(text), "\(text) is not in\n\(scene.text)")
            }
            #expect(scene.text.contains("delete source if"), "\(scene.text)")
            try select("›author to", scene)
            let before = scene.keys
            scene.press(.enter)
            #expect(scene.keys == before + 1)
            #expect(scene.screen.list.selectedTexts?.key == keys[1] && scene.screen.state.focus == .list)
            // Back by the edge's other end.
            scene.press(.enter)
            try select("›author from", scene)
            scene.press(.enter)
            #expect(scene.screen.list.selectedTexts?.key == keys[0])
            scene.press(.enter)
            try select("›prices", scene)
            scene.press(.enter)
            #expect(scene.screen.list.subject == .index("prices", by: nil))
            #expect(scene.screen.list.selectedRowid == 1)
        }
    }

    @Test func task16TheListOfEdgesHasKeys() throws {
        try withFile("books") { path in
            try change(path, Self.everything)
            let scene = try BrowserScene(path, width: 160, height: 40)
            let keys = try query(path, "SELECT key FROM database2 WHERE rowid IN (1, 2) ORDER BY rowid")
            scene.screen.tree.select(.relationship("graph"), at: scene.screen.now())
            scene.press(.enter)
            #expect(scene.text.contains("books/\(keys[0])") && scene.text.contains("books/\(keys[1])"), "\(scene.text)")
        }
    }

    @Test func task17AQueryOfTheFullTextIndexTakesOneKeyAndItsWords() throws {
        try withFile("books") { path in
            try change(path, Self.everything)
            let scene = try BrowserScene(path)
            scene.type("Fword7")
            scene.press(.enter)
            #expect(scene.text.contains("1 row") && scene.screen.list.selectedRowid == 7)
            #expect(scene.keys == 7)
        }
    }

    // MARK: 21 and 23

    @Test func task21TheBytesOfEachPartTakeOneKey() throws {
        try withFile("books") { path in
            try change(path, Self.everything)
            let scene = try BrowserScene(path, height: 40)
            let space = try #require(try FileSpace(scene.screen.file.snapshot))
            scene.type("b")
            #expect(scene.keys == 1)
            let bytes = FileFacts.bytes(space.collections[StoredText("books")]!.bytes)
            #expect(scene.text.contains(bytes) && scene.text.contains("all rows"), "\(scene.text)")
            #expect(
                scene.lines.contains { $0.contains("notes") && $0.contains(FileFacts.bytes(4_096)) }, "\(scene.text)")
            scene.type("b")
            #expect(!scene.text.contains("all rows") && scene.text.contains("2 columns"))
        }
    }

    @Test func task23TheTablesOfOtherProgramsAreLists() throws {
        try withFile("books") { path in
            try change(path, Self.everything + ["CREATE VIEW seen AS SELECT * FROM notes"])
            let scene = try BrowserScene(path, width: 120, height: 44)
            #expect(scene.text.contains("TABLES") && scene.text.contains("SQL view, not run"), "\(scene.text)")
            scene.screen.tree.select(.table("notes"), at: scene.screen.now())
            scene.press(.enter)
            #expect(scene.text.contains("by another program") && scene.text.contains("1 row"), "\(scene.text)")
            scene.press(.enter)
            scene.type("/another")
            scene.press(.enter)
            #expect(scene.screen.state.search?.search.count == 1)
        }
    }

    /// Swift's texts are equal, the names are not.
    @Test func namesThatDifferInTheirFormAloneAreTwoLists() throws {
        try withFile("books") { path in
            let names = ["caf\u{e9}", "cafe\u{301}"]
            try change(
                path,
                names.enumerated().flatMap { number, name in
                    [
                        "CREATE TABLE \"\(name)\" (a)", "INSERT INTO \"\(name)\" VALUES ('row of \(number)')",
                    ]
                })
            let scene = try BrowserScene(path, width: 120, height: 44)
            for round in 0..<2 {
                for (number, name) in names.enumerated() {
                    scene.screen.tree.select(.table(name), at: scene.screen.now())
                    scene.press(.enter)
                    #expect(scene.text.contains("row of \(number)"), "\(round): \(scene.text)")
                    #expect(!scene.text.contains("row of \(1 - number)"), "\(round): \(scene.text)")
                    scene.press(.escape)
                }
            }
        }
    }

    @Test func task23AnyFileOfSQLiteOpens() throws {
        try withTemporaryFolder { folder in
            let path = folder.appending(path: "other.sqlite").path
            let handle = try SQLiteHandle(path: path, mode: .create)
            try handle.execute("CREATE TABLE people (name TEXT PRIMARY KEY, born INTEGER) WITHOUT ROWID")
            try handle.execute("INSERT INTO people VALUES ('Ada', 1815), ('Grace', 1906)")
            let scene = try BrowserScene(path)
            scene.press(.enter)
            #expect(
                scene.text.contains("Ada") && scene.text.contains("1906") && scene.text.contains("2 rows"),
                "\(scene.text)")
            #expect(scene.keys == 1)
        }
    }

    /// What is copied is the value, and not the text that is shown of it.
    @Test func aValueOfAnotherTableIsCopiedAndSavedWhole() throws {
        try withTemporaryFolder { folder in
            let path = folder.appending(path: "other.sqlite").path
            let handle = try SQLiteHandle(path: path, mode: .create)
            try handle.execute("CREATE TABLE other (\"\u{e9}\", \"e\u{301}\", blob)")
            try handle.execute(
                "INSERT INTO other VALUES ('nfc', replace(hex(zeroblob(500)), '0', 'x'), x'\(String(repeating: "00ff", count: 200))')"
            )
            let scene = try BrowserScene(path, width: 140)
            scene.press(.enter, .enter)
            #expect(scene.screen.list.selectedTexts?.stored["\u{e9}"] == "nfc")
            scene.type("jy")
            #expect(scene.copied == String(repeating: "x", count: 1_000))
            scene.type("jy")
            #expect(scene.hint.contains("Copied the stored bytes, 400 of them"), "\(scene.hint)")
            let target = folder.appending(path: "blob.bin")
            scene.type("w")
            while let field = scene.screen.state.prompt?.field, !field.isEmpty { scene.press(.backspace) }
            scene.type(target.path)
            scene.press(.enter)
            #expect(
                try Data(contentsOf: target)
                    == Data([UInt8](repeating: 0, count: 400).enumerated().map { UInt8($0.offset % 2 * 255) }))
        }
    }

    // MARK: What else was asked of the whole file

    @Test func aRangeSaysHowManyOfHowMany() throws {
        try withFile("books") { path in
            let scene = try BrowserScene(path)
            scene.press(.enter)
            scene.type("Rlast 5")
            scene.press(.enter)
            #expect(scene.text.contains("5 of 481 rows"), "\(scene.text)")
            scene.type("Rfirst 900")
            scene.press(.enter)
            #expect(scene.text.contains("all 481 rows"), "\(scene.text)")
        }
    }

    @Test func aValueOfMoreThan64KilobytesKeepsItsColumns() throws {
        let large =
            #"UPDATE database2 SET data = CAST('{"group":"even","sort":0,"text":"large","pad":"' || hex(zeroblob(60000)) || '"}' AS BLOB) WHERE rowid = 1"#
        try withFile("json", changedBy: large) { path in
            let scene = try BrowserScene(path)
            scene.press(.enter)
            _ = scene.text
            scene.wait()
            let line = try #require(scene.lines.first { $0.contains("▌k000") })
            #expect(
                line.contains("even") && line.contains("large") && !scene.text.contains("too large"), "\(scene.text)")
        }
    }

    /// Selects a line of the row.
    private func select(_ text: String, _ scene: BrowserScene) throws {
        scene.type("g")
        for _ in 0..<80 {
            if scene.lines.contains(where: { $0.contains("▌" + text) }) { return }
            scene.type("j")
        }
        Issue.record("no line with \(text):\n\(scene.text)")
    }
}

/// The first column of a query.
func query(_ path: String, _ sql: String) throws -> [String] {
    let handle = try SQLiteHandle(path: path, mode: .readOnlyAlone)
    let statement = try handle.statement(sql)
    defer { statement.reset() }
    var rows: [String] = []
    while try statement.step() { rows.append(statement.text(at: 0) ?? "NULL") }
    return rows
}
