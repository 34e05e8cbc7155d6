import Foundation
import SQLiteBridge
import Testing

@testable import FileEngine
@testable import YapDatabase

@Suite struct CheckTests {
    /// Damages a file of the original with SQL and returns what the check says.
    private func problems(_ damage: String) throws -> [String] {
        try withCopy(of: "books") { url in
            try SQLiteHandle(path: url.path, mode: .readWrite).execute(damage)
            return try YapDatabase.check(url: url).map(\.description)
        }
    }

    @Test func aSoundFileHasNoProblems() throws {
        for name in ["books", "chat", "json"] {
            #expect(try withCopy(of: name) { try YapDatabase.check(url: $0) } == [])
        }
    }

    /// Names that end like SQLite's own tables belong to extensions, and SQLite's own tables to SQLite alone.
    @Test func tablesOfAnyFullTextVersionBelongToIt() throws {
        try withCopy(of: "books") { url in
            let handle = try SQLiteHandle(path: url.path, mode: .readWrite)
            for (name, version) in [("words", "fts5(text)"), ("user_data", "fts4(text)"), ("my_content", "fts5(text)")]
            {
                try handle.execute("CREATE VIRTUAL TABLE fts_\(name) USING \(version)")
                try handle.execute("INSERT INTO yap2 VALUES ('\(name)', 'class', 'YapDatabaseFullTextSearch')")
            }
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    @Test func aCollectionWhoseNameIsNoTextHidesNothing() throws {
        try withCopy(of: "books") { url in
            let handle = try SQLiteHandle(path: url.path, mode: .readWrite)
            try handle.execute(
                "INSERT INTO database2 (collection, key, data) VALUES (CAST(x'62ff' AS TEXT), 'k', x'00')")
            let report = try YapDatabase.checkReport(url: url)
            #expect(report.rows == 482 && report.collections == 2)
            #expect(report.problems.contains { $0.description.contains("not UTF-8") })
        }
    }

    @Test(
        arguments: [
            ("UPDATE view_order_page SET count = count + 1 WHERE rowid = 1", "counts"),
            ("UPDATE view_order_page SET prevPageKey = 'X' WHERE rowid = 1", "that the group does not have"),
            ("UPDATE view_order_page SET prevPageKey = NULL", "first pages instead of one"),
            (
                """
                UPDATE view_order_page SET prevPageKey = pageKey WHERE pageKey = (SELECT max(pageKey) \
                FROM view_order_page WHERE prevPageKey IS NOT NULL)
                """, "cannot be reached"
            ),
            (
                "UPDATE view_order_page SET data = zeroblob(8) || substr(data, 9) WHERE rowid = 1",
                "the map says nothing"
            ),
            ("UPDATE view_order_page SET pageKey = CAST(pageKey AS BLOB) WHERE rowid = 1", "that is no text"),
            ("UPDATE view_order_page SET \"group\" = CAST(\"group\" AS BLOB)", "that is no text"),
            ("UPDATE view_order_page SET prevPageKey = CAST(prevPageKey AS BLOB)", "that is no text"),
            (
                "UPDATE view_order_map SET pageKey = CAST(pageKey AS BLOB) WHERE rowid = 1",
                "the map says what is no text"
            ),
            ("DELETE FROM view_order_map WHERE rowid = 1", "row 1 is in page"),
            ("INSERT INTO view_order_map VALUES (100000, 'X')", "row 100000 is in page X, which does not contain it"),
            ("DELETE FROM database2 WHERE rowid = 1", "row 1 is in the view, but not in the database"),
            ("DROP TABLE view_order_map", "has no map table"),
            ("DELETE FROM yap2 WHERE extension = 'order'", "no entry in yap2"),
            (
                """
                UPDATE view_order_page SET data = (SELECT data FROM view_order_page WHERE rowid = 1), \
                count = (SELECT count FROM view_order_page WHERE rowid = 1) WHERE rowid = 2
                """, "occurs twice"
            ),
        ])
    func damageIsNamed(sql: String, expected: String) throws {
        let problems = try problems(sql)
        #expect(problems.contains { $0.contains(expected) }, "\(problems)")
    }

    @Test func aDamagedPageOfTheFileIsNamed() throws {
        try withCopy(of: "books") { url in
            var bytes = try Data(contentsOf: url)
            bytes.replaceSubrange(4096 * 20..<4096 * 21, with: Data(repeating: 0x5a, count: 4096))
            try bytes.write(to: url)
            #expect(try !YapDatabase.check(url: url).isEmpty)
        }
    }

    @Test func aCheckWritesNothing() throws {
        try withCopy(of: "chat") { url in
            let before = try Data(contentsOf: url)
            _ = try YapDatabase.check(url: url)
            #expect(try Data(contentsOf: url) == before)
        }
    }

    /// The last to close takes the log and its index away, between the look at them and the first statement.
    @Test func aWriterThatClosesMeanwhileIsNoDamage() throws {
        try withCopy(of: "chat") { url in
            var writer: SQLiteHandle? = try SQLiteHandle(path: url.path, mode: .readWrite)
            try writer?.execute("UPDATE yap2 SET data = 777 WHERE extension = '' AND key = 'snapshot'")
            let snapshot = try TracelessRead.read(url: url) { store in
                writer = nil
                return try store.snapshotNumber()
            }
            #expect(snapshot == 777)
        }
    }
}

/// What a damaged file does to a program that uses it.
@Suite struct DamagedNameTests {
    /// Damaged bytes decode to another text, after which the same bytes come again, for ever.
    @Test(arguments: ["CAST(x'62ff' AS TEXT)", "x'62ff'"]) func aCollectionOfDamagedBytesIsAnError(name: String) throws
    {
        try withCopy(of: "books") { url in
            try SQLiteHandle(path: url.path, mode: .readWrite).execute(
                "UPDATE database2 SET collection = \(name) WHERE rowid = 1")
            let database = try YapDatabase(url: url, options: .forTests)
            let connection = try database.newConnection()
            expectError(.corrupt, mentioning: "collection") {
                _ = try connection.read { try $0.allCollections() }
            }
            try database.close()
        }
    }
}
