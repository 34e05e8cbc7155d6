import Foundation
import SQLiteBridge
import TestSupport
import Testing
import YapDatabase

@testable import FileReading

@Suite struct SchemaRepairTests {
    private static let rows = 12

    /// Creates a small file with a table of every kind; returns the ranges of its schema's text.
    private func make(in folder: URL) throws -> (path: String, texts: [Range<Int>]) {
        let path = folder.appending(path: "small.sqlite").path
        let handle = try SQLiteHandle(path: path, mode: .create)
        for sql in [
            "PRAGMA user_version = 3", "PRAGMA page_size = 1024",
            #"CREATE TABLE "yap2" ("extension" CHAR NOT NULL, "key" CHAR NOT NULL, "data" BLOB, PRIMARY KEY ("extension","key"))"#,
            #"CREATE TABLE "database2" ("rowid" INTEGER PRIMARY KEY, "collection" CHAR NOT NULL, "key" CHAR NOT NULL, "data" BLOB, "metadata" BLOB)"#,
            #"CREATE UNIQUE INDEX "true_primary_key" ON "database2" ("collection","key")"#,
            #"CREATE TABLE "view_order_map" ("rowid" INTEGER PRIMARY KEY, "pageKey" CHAR NOT NULL)"#,
            #"CREATE TABLE "view_order_page" ("pageKey" CHAR NOT NULL PRIMARY KEY, "group" CHAR NOT NULL, "prevPageKey" CHAR, "count" INTEGER, "data" BLOB)"#,
            #"CREATE TABLE "secondaryIndex_year" ("rowid" INTEGER PRIMARY KEY, "year" INTEGER)"#,
            #"CREATE INDEX "year" ON "secondaryIndex_year" ("year")"#,
            #"CREATE VIRTUAL TABLE "fts_text" USING fts4("title")"#,
            "INSERT INTO yap2 VALUES ('', 'snapshot', 5)",
        ] { try handle.execute(sql) }
        for row in 1...Self.rows {
            try handle.execute("INSERT INTO database2 VALUES (\(row), 'c', 'key-\(row)', '{\"n\":\(row)}', NULL)")
            try handle.execute("INSERT INTO secondaryIndex_year VALUES (\(row), \(1_900 + row))")
            try handle.execute("INSERT INTO fts_text (docid, title) VALUES (\(row), 'title \(row)')")
        }
        let bytes = Array(try Data(contentsOf: URL(filePath: path)))
        let statement = try handle.statement(
            "SELECT type || name || tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL")
        defer { statement.reset() }
        var texts: [Range<Int>] = []
        while try statement.step() {
            let (names, sql) = (Array((statement.text(at: 0) ?? "").utf8), Array((statement.text(at: 1) ?? "").utf8))
            let at = try #require(bytes.firstRange(of: sql))
            texts.append(at)
            // The page number of the table, which lies between, is not text.
            if let range = bytes.firstRange(of: names) { texts.append(range) }
        }
        return (path, texts)
    }

    /// Flips every bit in turn; only a sample of them unless `YAP_FUZZ` is set.
    @Test(.timeLimit(.minutes(60))) func anyBitOfTheSchemasTextLosesNoRow() throws {
        try withTemporaryFolder { folder in
            let (path, texts) = try make(in: folder)
            let sound = Array(try Data(contentsOf: URL(filePath: path)))
            let bits = texts.flatMap { $0.flatMap { place in (0..<8).map { (place, $0) } } }
            let isLong = ProcessInfo.processInfo.environment["YAP_FUZZ"] != nil
            let seed = UInt64.random(in: 0...(.max))
            var random = SplitMix64(seed: seed)
            let step = isLong ? 1 : Effort.isFull ? 101 : 1_009
            let first = random.below(step)
            for (place, bit) in stride(from: first, to: bits.count, by: step).map({ bits[$0] }) {
                var bytes = sound
                bytes[place] ^= 1 << UInt8(bit)
                let damaged = folder.appending(path: "damaged.sqlite").path
                try Data(bytes).write(to: URL(filePath: damaged))
                let what =
                    "seed \(seed), byte \(place), bit \(bit): \(String(decoding: bytes[max(0, place - 20)..<place + 20].filter { $0 >= 0x20 }, as: UTF8.self))"
                #expect(throws: Never.self, "\(what)") { try expectAllRows(damaged, what) }
            }
        }
    }

    /// The page of the schema loses the record itself, or the record names another page: the rows are found by their pages.
    @Test(arguments: ["record", "page", "yap2"]) func aTableThatTheSchemaDoesNotNameLosesNoRow(_ loss: String) throws {
        try withTemporaryFolder { folder in
            let (path, _) = try make(in: folder)
            let handle = try SQLiteHandle(path: path, mode: .readWrite)
            // Enough rows that the tree has a page inside.
            for row in 13...400 {
                try handle.execute(
                    "INSERT INTO database2 VALUES (\(row), 'd', 'key-\(row)', '\(String(repeating: "x", count: 90))', NULL)"
                )
            }
            var bytes = Array(try Data(contentsOf: URL(filePath: path)))
            let names = try #require(bytes.firstRange(of: Array("tabledatabase2database2".utf8)))
            if loss == "page" {
                bytes[names.upperBound] = 1
            } else {
                // Removes the pointer to the record from the page, or to two records.
                let pointers = (0..<Int(bytes[104])).map { 108 + 2 * $0 }
                let offsets = pointers.map { Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]) }
                let place = try #require(offsets.lastIndex { $0 < names.lowerBound && $0 + 12 > names.lowerBound })
                var kept = offsets
                kept.remove(at: place)
                if loss == "yap2" { kept.remove(at: 0) }
                bytes[104] = UInt8(kept.count)
                for (pointer, offset) in zip(pointers, kept) {
                    (bytes[pointer], bytes[pointer + 1]) = (UInt8(offset >> 8), UInt8(offset & 0xff))
                }
            }
            try Data(bytes).write(to: URL(filePath: path))
            try expectAllRows(path, loss, rows: 400)
            #expect(try BrowsedFile(path: path).notes.contains { $0.contains("found by its rows") })
        }
    }

    /// SQLite treats such a name as the same, so it blocks the right one.
    @Test func aNameWithAnotherCapitalLosesNoRow() throws {
        try withTemporaryFolder { folder in
            let sound = Array(try Data(contentsOf: URL(filePath: make(in: folder).path)))
            let name = try #require(sound.firstRange(of: Array("\"secondaryIndex_year\" (".utf8)))
            for place in name.prefix(20) where sound[place] > 0x60 {
                var bytes = sound
                bytes[place] ^= 0x20
                let damaged = folder.appending(path: "damaged.sqlite").path
                try Data(bytes).write(to: URL(filePath: damaged))
                try expectAllRows(damaged, "byte \(place)")
            }
        }
    }

    /// SQLite accepts some texts that differ in a bit and fails later at the index that they require; one has invalid
    /// UTF-8.
    @Test(arguments: [
        (#"rowid" INTEGER PRIMARY KEY, "year""#, 6, 3), (#"rowid" INTEGER PRIMARY KEY, "year""#, 14, 3),
        (#" KEY, "year" INTEGER"#, 4, 2), (#" KEY, "year" INTEGER"#, 12, 3),
        (#""rowid" INTEGER PRIMARY KEY, "year""#, 0, 7),
    ]) func aDefinitionThatFailsLateLosesNoRow(text: String, offset: Int, bit: Int) throws {
        try withTemporaryFolder { folder in
            var bytes = Array(try Data(contentsOf: URL(filePath: make(in: folder).path)))
            let place = try #require(bytes.firstRange(of: Array(text.utf8))).lowerBound + offset
            bytes[place] ^= 1 << UInt8(bit)
            let damaged = folder.appending(path: "damaged.sqlite").path
            try Data(bytes).write(to: URL(filePath: damaged))
            try expectAllRows(damaged, "\(text), byte \(offset), bit \(bit)")
        }
    }

    /// SQLite accepts these texts too: of a virtual table with another column, and of its tables with one column more or less. The copy has a
    /// full-text index that works.
    @Test(arguments: [
        (#"fts4("title")"#, 11, 4), (#"fts4("title")"#, 11, 6), ("start_block", 7, 6),
        ("leaves_end_block", 12, 6), (",end_block", 6, 6), (" value BLOB", 3, 6), (",end_block", 0, 6),
    ]) func whatIsTrueOfAVirtualTableItsRowsSay(text: String, offset: Int, bit: Int) throws {
        try withTemporaryFolder { folder in
            let sound = try make(in: folder).path
            var bytes = Array(try Data(contentsOf: URL(filePath: sound)))
            let place = try #require(bytes.firstRange(of: Array(text.utf8))).lowerBound + offset
            bytes[place] ^= 1 << UInt8(bit)
            let damaged = folder.appending(path: "damaged.sqlite").path
            try Data(bytes).write(to: URL(filePath: damaged))
            try expectAllRows(damaged, "\(text), byte \(offset), bit \(bit)")
            let file = try BrowsedFile(path: damaged)
            #expect(file.notes.contains { $0.contains("\"fts_text") && $0.contains("is damaged") }, "\(file.notes)")
            let copy = folder.appending(path: "copy.sqlite").path
            let target = try FileImport(path: copy)
            var lines: [UInt8] = []
            _ = try FileExport(file).run { lines += $1 }
            for line in lines.split(separator: 0x0A) { try target.add(Array(line)) }
            try target.end()
            #expect(try query(copy, "SELECT docid FROM fts_text WHERE title MATCH '7'") == [["7"]])
            #expect(try query(copy, Self.schema) == query(sound, Self.schema))
            func problems(_ path: String) throws -> [String] {
                try YapDatabase.check(url: URL(filePath: path)).map(\.description)
            }
            #expect(try problems(copy) == problems(sound))
        }
    }

    /// A virtual table with fewer or more columns than its rows have: one bit is put right. With more damage it is carried over as it is, with
    /// its tables.
    @Test(arguments: ["title, body", "titlel body", "tit,e, body", "title, body, more, columns"])
    func aVirtualTableOfOtherColumnsLosesNoText(columns: String) throws {
        try withTemporaryFolder { folder in
            let path = try make(in: folder).path
            do {
                let handle = try SQLiteHandle(path: path, mode: .readWrite)
                for sql in [
                    "DROP TABLE fts_text", "CREATE VIRTUAL TABLE fts_text USING fts4(title, body)",
                    "INSERT INTO fts_text (docid, title, body) VALUES (1, 'first', 'words'), (2, 'second', 'others')",
                    "PRAGMA writable_schema = ON",
                    "UPDATE sqlite_master SET sql = replace(sql, 'title, body', '\(columns)') WHERE name = 'fts_text'",
                ] { try handle.execute(sql) }
            }
            try expectAllRows(path, columns)
            var lines: [UInt8] = []
            let file = try BrowsedFile(path: path)
            let report = try FileExport(file).report { lines += $1 }
            let notes = file.notes + report.notes + report.damage
            let copy = folder.appending(path: "copy.sqlite").path
            let target = try FileImport(path: copy)
            for line in lines.split(separator: 0x0A) { try target.add(Array(line)) }
            try target.end()
            let texts = try query(copy, "SELECT c1body FROM fts_text_content ORDER BY docid")
            #expect(texts == [["words"], ["others"]])
            if columns.contains("more") {
                #expect(notes.contains { $0.contains("\"fts_text\" is carried over") }, "\(notes)")
            } else {
                #expect(notes.contains { $0.contains("is damaged") } == (columns != "title, body"), "\(notes)")
                #expect(try query(copy, "SELECT docid FROM fts_text WHERE body MATCH 'others'") == [["2"]])
            }
        }
    }

    private static let schema = "SELECT name, sql FROM sqlite_master ORDER BY name"

    /// The first definition of the schema has a neighbour that is a statement, of a table with fewer columns than are stored.
    @Test func aNeighbourThatDoesNotFitIsTakenBackAlone() throws {
        try withTemporaryFolder { folder in
            let path = folder.appending(path: "first.sqlite").path
            let handle = try SQLiteHandle(path: path, mode: .create)
            for sql in [
                "PRAGMA user_version = 3", "CREATE TABLE a(x,y)", "INSERT INTO a VALUES (1, 2)",
                #"CREATE TABLE "yap2" ("extension" CHAR NOT NULL, "key" CHAR NOT NULL, "data" BLOB, PRIMARY KEY ("extension","key"))"#,
                #"CREATE TABLE "database2" ("rowid" INTEGER PRIMARY KEY, "collection" CHAR NOT NULL, "key" CHAR NOT NULL, "data" BLOB, "metadata" BLOB)"#,
                #"CREATE UNIQUE INDEX "true_primary_key" ON "database2" ("collection","key")"#,
                "INSERT INTO yap2 VALUES ('', 'snapshot', 5)",
                "INSERT INTO database2 WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT \(Self.rows)) "
                    + "SELECT i, 'c', 'key-' || i, CAST('{\"n\":' || i || '}' AS BLOB), NULL FROM n",
                // One bit makes a space of it, and two a comma.
                "PRAGMA writable_schema = ON", "UPDATE sqlite_master SET sql = 'CREATE TABLE a(x!y)' WHERE name = 'a'",
            ] { try handle.execute(sql) }
            try expectAllRows(path, "a")
            #expect(try FileExport(BrowsedFile(path: path)).run { _, _ in }.contains { $0.contains("\"a\"") })
        }
    }

    private func expectAllRows(_ path: String, _ what: String, rows: Int = rows) throws {
        let file = try BrowsedFile(path: path)
        let content = try ListContent(
            .collection(StoredText("c"), by: .key), file.snapshot, catalog: file.snapshot.catalog())
        var keys: Set<String> = []
        try content.enumerate(RowSelection()) { stop in
            let row = stop.row
            if row.object?.bytes == Array("{\"n\":\(row.rowid)}".utf8) { keys.insert(row.address?.key.text ?? "") }
        }
        #expect(keys == Set((1...Self.rows).map { "key-\($0)" }), "\(what)")
        var lines: [UInt8] = []
        _ = try FileExport(file).run { lines += $1 }
        let copy = path + ".copy"
        let target = try FileImport(path: copy)
        do {
            for line in lines.split(separator: 0x0A) { try target.add(Array(line)) }
            try target.end()
            let found = try query(copy, "SELECT count(*), sum(rowid), count(DISTINCT key) FROM database2")
            #expect(found == [["\(rows)", "\(rows * (rows + 1) / 2)", "\(rows)"]], "\(what)")
            #expect(try query(copy, "PRAGMA integrity_check") == [["ok"]], "\(what)")
        } catch {
            Issue.record("\(what): \(error)")
        }
        try target.abandon()
    }

    @Test(arguments: originalFiles) func aSoundSchemaNeedsNoRepair(name: String) throws {
        try withFile(name) { path in
            let file = try BrowsedFile(path: path)
            #expect(file.notes.isEmpty && !file.isPartial)
            let repair = try file.snapshot.read { try SchemaRepair($0, isMalformed: true) }
            #expect(repair.repairs + repair.losses == [])
            #expect(repair.definitions.isEmpty)
            let rows = try query(path, "SELECT count(*) FROM sqlite_master")[0][0]
            #expect("\(repair.entries.count)" == rows)
        }
    }
}
