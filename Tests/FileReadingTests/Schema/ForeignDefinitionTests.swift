import FileEngine
import Foundation
import SQLiteBridge
import Testing
import YapDatabase

@testable import FileReading

/// What only another program has, a module, a tokenizer, a collation or a function, is no damage: its definitions are carried over byte for
/// byte, with every row, and named.
@Suite struct ForeignDefinitionTests {
    /// From Thunderbird, Firefox, iOS, sqlite-vec and the extensions of SQLite's own source.
    private static let modules = [
        "fts3(tokenize mozporter, subject, body, attachmentNames, author, recipients)",
        "fts3(tokenize icu en_US, a, b)",
        "fts4(a, b, tokenize=icu en_US)", "fts4(a, tokenize=mmicu)", "fts5(a, tokenize = 'better_trigram')",
        "fts5(a, contentless_delete_of_tomorrow=1)", "vec0(embedding float[4])", "spellfix1", "csv(filename='x.csv')",
        "fuzzer(costs)", "transitive_closure(tablename='t', idcolumn='a', parentcolumn='b')",
        "amatch(vocabulary_table=v)",
        "zipfile('x.zip')", "unionvtab('SELECT 1')", "geopoly(a, b)", "fts5vocab('fts_x', 'row')", "fts4aux(fts_x)",
        "dbstat",
        "wholenumber", "vtablog", #"vec0("chunk size" integer primary key, +text)"#,
    ]

    @Test(arguments: modules) func aVirtualTableIsCarriedOverWithItsTables(module: String) throws {
        let sql = "CREATE VIRTUAL TABLE notes USING \(module)"
        let changes = [
            "CREATE TABLE 'notes_content'(docid INTEGER PRIMARY KEY, 'c0subject', 'c1body')",
            "CREATE TABLE 'notes_data'(id INTEGER PRIMARY KEY, block BLOB)",
            "CREATE TABLE 'notes_config'(k PRIMARY KEY, v) WITHOUT ROWID",
            "INSERT INTO notes_content VALUES (1, 'the subject', 'the body'), (2, x'00ff', NULL)",
            "INSERT INTO notes_data VALUES (10, x'0102')", "INSERT INTO notes_config VALUES ('version', 4)",
            "CREATE TABLE notes_archive (id INTEGER PRIMARY KEY, text)",
            "INSERT INTO notes_archive WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100) SELECT i, 'n' || i FROM n",
            "PRAGMA writable_schema = ON",
            // Before its tables, as the program that made it has it.
            "INSERT INTO sqlite_master (rowid, type, name, tbl_name, rootpage, sql) VALUES (-1, 'table', 'notes', 'notes', 0, '\(sql.replacing("'", with: "''"))')",
        ]
        try withFile("json", changedBy: changes) { path in
            #expect(try BrowsedFile(path: path).notes == [])
            let report = try expectCopy(path)
            #expect(report.damage == [])
            #expect(
                report.notes.contains { $0.contains("\"notes\" is carried over") && $0.contains("SQLite") },
                "\(report.notes)")
        }
    }

    @Test func whatIsMissingIsNamed() throws {
        for (module, words) in [
            ("fts3(tokenize mozporter, a)", "lacks the tokenizer mozporter"), ("vec0(a)", "lacks the module vec0"),
            ("fts5(a, tokenize='nope')", "lacks the tokenizer nope"),
        ] {
            let changes = [
                "PRAGMA writable_schema = ON",
                "INSERT INTO sqlite_master VALUES ('table', 'n', 'n', 0, 'CREATE VIRTUAL TABLE n USING \(module.replacing("'", with: "''"))')",
            ]
            try withFile("json", changedBy: changes) { path in
                let notes = try expectCopy(path).notes
                #expect(notes.contains { $0.contains(words) }, "\(notes)")
            }
        }
    }

    /// Tables that differ from the library's own in a letter are tables of the app.
    @Test func tablesThatResembleOursKeepTheirNames() throws {
        let changes = [
            #"CREATE TABLE "database3" ("rowid" INTEGER PRIMARY KEY, "collection" CHAR NOT NULL, "key" CHAR NOT NULL, "data" BLOB, "metadata" BLOB)"#,
            #"CREATE UNIQUE INDEX "true_primary_kez" ON "database3" ("collection","key")"#,
            "INSERT INTO database3 SELECT * FROM database2 WHERE rowid < 9",
        ]
        try withFile("json", changedBy: changes) { path in
            let report = try expectCopy(path)
            #expect(report.damage + report.notes == [])
        }
    }

    private static let collation = [
        "CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE)",
        "CREATE INDEX people_name ON people (name)",
        "CREATE TABLE words (word TEXT COLLATE NOCASE PRIMARY KEY, n) WITHOUT ROWID",
        "CREATE TABLE tags (id INTEGER PRIMARY KEY, tag TEXT COLLATE NOCASE UNIQUE)",
        "INSERT INTO people VALUES (1, 'b'), (2, 'A'), (3, 'c')",
        "INSERT INTO words VALUES ('b', 1), ('A', 2), ('c', 3)",
        "INSERT INTO tags VALUES (1, 'b'), (2, 'A'), (3, 'c')", "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET sql = replace(sql, 'NOCASE', 'LOCALIZED')",
    ]
    private static let function = [
        "CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, CHECK (lower(name) <> ''))",
        "CREATE INDEX people_name ON people (lower(name))",
        "CREATE INDEX people_some ON people (name) WHERE lower(name) = 'b'",
        "INSERT INTO people VALUES (1, 'b'), (2, 'A'), (3, 'c')", "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET sql = replace(sql, 'lower(', 'myfold(')",
    ]

    @Test(arguments: [collation, function]) func tablesWithWhatOnlyTheAppHasAreReadWhole(changes: [String]) throws {
        try withFile("json", changedBy: changes) { path in
            let report = try YapDatabase.checkReport(url: URL(filePath: path))
            #expect(report.rows == 120 && report.problems.allSatisfy { $0.kind == .foreign }, "\(report.problems)")
            #expect(report.problems.contains { $0.description.contains("is missing") })
            let isCollation = changes[0].contains("NOCASE")
            let exported = try expectCopy(
                path, besides: isCollation ? ["people_name"] : ["people_name", "people_some"])
            #expect(exported.damage == [])
            let words = isCollation ? "the collation LOCALIZED" : "the function myfold"
            #expect(exported.notes.contains { $0.contains(words) }, "\(exported.notes)")
        }
    }

    /// Exports and imports a file: the copy has the same definitions and the same rows in the same order.
    /// - Parameter leftOut: the indexes that the copy cannot have.
    private func expectCopy(_ path: String, besides leftOut: [String] = []) throws -> ExportReport {
        var bytes: [UInt8] = []
        let report = try FileExport(BrowsedFile(path: path)).report { bytes += $1 }
        let copy = path + ".copy"
        let target = try FileImport(path: copy)
        for line in bytes.split(separator: 0x0A) { try target.add(Array(line)) }
        try target.end()
        #expect(target.leftOut == 0, "\(target.brokenRule ?? "")")
        for name in leftOut { #expect(target.notes.contains { $0.contains(name) }, "\(target.notes)") }
        let others =
            leftOut.isEmpty ? "" : "AND name NOT IN (" + leftOut.map { "'\($0)'" }.joined(separator: ", ") + ")"
        let schema =
            "SELECT type, name, tbl_name, hex(sql) FROM sqlite_master WHERE sql IS NOT NULL \(others) ORDER BY name"
        #expect(try query(path, schema) == query(copy, schema))
        for table in try Store(path: path, mode: .readOnlyAlone, busyTimeout: 0).all(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 AND name NOT LIKE 'sqlite%'",
            read: { $0.text(at: 0) ?? "" })
        {
            func rows(_ path: String) throws -> [[String]] {
                let store = try Store(path: path, mode: .readOnlyAlone, busyTimeout: 0)
                return try store.all("SELECT * FROM \(table.quotedSQL)") { row in
                    (0..<row.columnCount).map { row.text(at: $0) ?? "NULL" }
                }
            }
            #expect(try rows(path) == rows(copy), "\(table)")
        }
        try target.abandon()
        return report
    }
}
