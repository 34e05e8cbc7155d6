import Foundation
import SQLiteBridge
import TerminalTesting
import TestSupport
import Testing

/// Tasks of a person with a database file, in lines.
@Suite struct TaskCommandTests {
    private static let edges = [
        """
        CREATE TABLE relationship_graph (rowid INTEGER PRIMARY KEY, name CHAR NOT NULL, src INTEGER NOT NULL, dst BLOB NOT NULL, \
        rules INTEGER, manual INTEGER)
        """,
        "INSERT INTO relationship_graph VALUES (1, 'author', 1, 2, 4, 0), (2, 'sequel', 3, 1, 8, 1)",
        "INSERT INTO yap2 VALUES ('graph', 'class', 'YapDatabaseRelationship')",
        "CREATE TABLE secondaryIndex_prices (rowid INTEGER PRIMARY KEY, price REAL)",
        "INSERT INTO secondaryIndex_prices SELECT rowid, rowid / 2.0 FROM database2",
        "INSERT INTO yap2 VALUES ('prices', 'class', 'YapDatabaseSecondaryIndex')",
        "CREATE VIRTUAL TABLE fts_words USING fts4(text)",
        "INSERT INTO fts_words (docid, text) SELECT rowid, 'word' || rowid FROM database2",
        "INSERT INTO yap2 VALUES ('words', 'class', 'YapDatabaseFullTextSearch')",
        "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT, data BLOB)",
        "INSERT INTO notes VALUES (7, 'by another program', CAST('{\"a\":[1]}' AS BLOB))",
    ]

    private func withEdges(_ body: (String, [String]) throws -> Void) throws {
        try withCopy(of: "books") { url in
            let handle = try SQLiteHandle(path: url.path, mode: .readWrite)
            try handle.execute("PRAGMA journal_mode = DELETE")
            for sql in Self.edges { try handle.execute(sql) }
            let keys = try IndependentReader(path: url.path).rows("SELECT key FROM database2 ORDER BY rowid LIMIT 3")
            try body(url.path, keys.map { $0[0]! })
        }
    }

    @Test func task16ARowSaysAllThatItIsIn() throws {
        try withEdges { path, keys in
            let row = try #require(browse("--key", "books/\(keys[0])", "--json", path).objects().first)
            let membership = try #require(row["in"] as? [String: Any])
            let edges = try #require(membership["edges"] as? [[String: Any]])
            #expect(edges.map { $0["direction"] as? String } == ["out", "in"])
            #expect(edges.map { $0["key"] as? String } == [keys[1], keys[2]])
            #expect(edges[0]["ruleNames"] as? [String] == ["delete source if destination deleted"])
            #expect(edges[1]["manual"] as? Bool == true)
            #expect(membership["fullText"] as? [String] == ["words"])
            let indexes = try #require(membership["indexes"] as? [[String: Any]])
            #expect((indexes[0]["columns"] as? [String: Any])?["price"] as? Double == 0.5)
        }
    }

    @Test func task16EdgesInLinesCarryKeys() throws {
        try withEdges { path, keys in
            let lines = try browse("--relationship", "graph", "--json", path).objects()
            let columns = try lines.map { try #require($0["columns"] as? [String: Any]) }
            #expect(columns.map { $0["from"] as? String } == ["books/\(keys[0])", "books/\(keys[2])"])
            #expect(columns.map { $0["to"] as? String } == ["books/\(keys[1])", "books/\(keys[0])"])
            #expect(columns[1]["rule"] as? String == "delete destination if source deleted")
            #expect(try browse("--relationship", "graph", "--plain", path).text.contains("from=books/\(keys[0])"))
            let table = try browse("--relationship", "graph", "--csv", path).lines.map {
                $0.trimmingCharacters(in: .newlines)
            }
            #expect(table.first == "rowid,name,from,to,src,dst,rules,manual,rule")
            #expect(table.dropFirst().first?.hasPrefix("1,author,books/\(keys[0]),books/\(keys[1]),1,2,4,0,") == true)
            let prices = try browse("--index", "prices", "--csv", path).lines
            #expect(prices.first?.hasPrefix("collection,key,rowid,size,metadata,price,object") == true)
            #expect(prices.dropFirst().first?.contains(",0.5,") == true)
        }
    }

    @Test func task11EachChangeOfOneRowIsALine() throws {
        try withCopy(of: "json") { url in
            let writer = try SQLiteHandle(path: url.path, mode: .readWrite, busyTimeout: 30_000)
            try writer.execute("UPDATE database2 SET metadata = NULL WHERE rowid = 1")
            let run = try YapProcess(["browse", "--key", "c/new", "--follow", url.path])
            try waitUntil("the file is watched") { run.hasWatch }
            func next() throws -> [String: Any] {
                let line = try #require(try run.readLine())
                return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            }
            try writer.execute(#"INSERT INTO database2 (collection, key, data) VALUES ('c', 'new', '{"a":1}')"#)
            var line = try next()
            #expect(line["change"] as? String == "insert" && line["key"] as? String == "new")
            // A commit of another row is no change of this one.
            try writer.execute(#"UPDATE database2 SET data = '{"a":0}' WHERE key = 'k001'"#)
            try writer.execute(#"UPDATE database2 SET data = '{"a":2}' WHERE key = 'new'"#)
            line = try next()
            #expect(line["change"] as? String == "update" && line["object"] as? [String: Int] == ["a": 2])
            try writer.execute("DELETE FROM database2 WHERE key = 'new'")
            line = try next()
            #expect(line["change"] as? String == "delete" && line["object"] as? [String: Int] == ["a": 2])
            run.send(SIGINT)
            #expect(run.exitCode() == 130)
        }
    }

    @Test func task23ATableOfAnotherProgramIsRows() throws {
        try withEdges { path, _ in
            let row = try #require(browse("--table", "notes", "--json", path).objects().first)
            let columns = try #require(row["columns"] as? [String: Any])
            #expect(columns["text"] as? String == "by another program" && columns["id"] as? Int == 7)
            #expect((columns["data"] as? [String: Any])?["a"] as? [Int] == [1])
            let lines = try browse("--table", "notes", "--csv", path).lines
            let fields = lines.map { $0.split(separator: ",", omittingEmptySubsequences: false).count }
            #expect(Set(lines.first?.dropLast().split(separator: ",").map(String.init) ?? []) == Set(columns.keys))
            #expect(
                lines.count > 1 && fields.allSatisfy { $0 == columns.count } && lines[1].contains("by another program"))
            let missing = try browse("--table", "nots", path)
            #expect(missing.code == 1 && missing.errors.contains("\"notes\""), "\(missing.errors)")
        }
    }

    @Test func task21TheListHasTheBytesOfEachPart() throws {
        try withEdges { path, _ in
            let list = try #require(browse("--list", "--json", path).objects().first)
            let collections = try #require(list["collections"] as? [[String: Any]])
            #expect((collections[0]["bytes"] as? Int ?? 0) > 50_000)
            let tables = try #require(list["tables"] as? [[String: Any]])
            #expect(tables.map { $0["name"] as? String } == ["notes"] && tables[0]["bytes"] as? Int == 4_096)
        }
    }

    @Test func aSearchTakesARange() throws {
        let path = originalFile("books").path
        let all = try browse("--search", "cooking", "--json", path).lines
        #expect(all.count > 20)
        func some(_ options: String...) throws -> [String] {
            try YapRun(["browse", "--search", "cooking", "--json", "--collection", "books"] + options + [path]).lines
        }
        #expect(try some("--first", "3") == Array(all.prefix(3)))
        #expect(try some("--last", "4") == Array(all.suffix(4)))
        #expect(try some("--reversed") == all.reversed())
        #expect(try some("--last", "2", "--reversed") == all.suffix(2).reversed())
        #expect(try browse("--search", "cooking", "--where", "1", path).errors.contains("--where and --search"))
    }

    @Test func tasks18To20ADamagedFileGivesItsRowsAndTask27Verifies() throws {
        for page in [1, 2, 20] {
            try withCopy(of: "books") { url in
                var bytes = try Data(contentsOf: url)
                bytes.replaceSubrange(4_096 * (page - 1)..<4_096 * page, with: Data(count: 4_096))
                try bytes.write(to: url)
                #expect(try check([url.path]).code == 1)
                let copy = url.path + ".mended"
                let run = try YapRun(["repair", "--to", copy, "--json", url.path])
                let report = try #require(try run.objects().first, "\(page): \(run.errors)")
                let lost = (report["lost"] as? [Any])?.count ?? 0
                #expect(report["rows"] as? Int == 481 - lost, "\(page)")
                #expect(try check([copy]).code == 0, "\(page)")
            }
        }
    }

    /// Without a key: as lines, in one command. On 1,000,000 rows it is the benchmark `browse_filter/json`.
    @Test func tasks7To9AreACommandEach() throws {
        let path = originalFile("books").path
        let found = try browse("--collection", "books", "--where", "price > 20 AND genre = 'sci-fi'", "--json", path)
            .objects()
        let prices = found.compactMap { ($0["object"] as? [String: Any])?["price"] as? Double }
        #expect(!found.isEmpty && prices.count == found.count && prices.allSatisfy { $0 > 20 })
        let counts = try browse("--collection", "books", "--count-by", "genre", "--json", path).objects().compactMap {
            $0["count"] as? Int
        }
        #expect(counts.count == 5 && counts.reduce(0, +) == 481)
    }

    @Test func task13TheFilteredListIsATableInACommand() throws {
        let path = originalFile("books").path
        let table = try browse(
            "--collection", "books", "--where", "genre = 'travel'", "--columns", "title,price", "--csv", path)
        #expect(table.text.hasPrefix("title,price\r\n") && table.lines.count == 93)
    }

    /// The system's `join` has both lists in the order of the field that they share.
    @Test func task22TwoCollectionsAreJoinedInLines() throws {
        try withCopy(of: "json") { url in
            let handle = try SQLiteHandle(path: url.path, mode: .readWrite)
            for (key, author, title) in [("1", "ann", "Dune"), ("2", "bob", "Emma"), ("3", "ann", "Ubik")] {
                try handle.execute(
                    #"INSERT INTO database2 (collection, key, data) VALUES ('b', '\#(key)', '{"by":"\#(author)","title":"\#(title)"}')"#
                )
            }
            try handle.execute(
                #"INSERT INTO database2 (collection, key, data) VALUES ('a', 'ann', '{"name":"Ann"}'), ('a', 'bob', '{"name":"Bob"}')"#
            )
            let yap = "'\(try builtProduct("yap"))' browse '\(url.path)'"
            let folder = url.deletingLastPathComponent().path
            let command = """
                cd '\(folder)'; \(yap) --collection b --sort by --columns by,title --csv > b; \
                \(yap) --collection a --columns key,name --csv > a; join -t, --header b a | tr -d '\\r'
                """
            let joined = try output(of: "/bin/sh", ["-c", command])
            #expect(joined == "by,title,name\nann,Dune,Ann\nann,Ubik,Ann\nbob,Emma,Bob\n")
        }
    }

    @Test func task24AFileThatIsLockedExclusivelyIsRead() throws {
        try withCopy(of: "books") { url in
            let writer = try SQLiteHandle(path: url.path, mode: .readWrite)
            try writer.execute("PRAGMA journal_mode = DELETE")
            try writer.execute("BEGIN EXCLUSIVE")
            #expect(try browse("--collection", "books", "--json", url.path).lines.count == 481)
            try writer.execute("ROLLBACK")
        }
    }
}
