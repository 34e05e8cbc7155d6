import Foundation
import SQLiteBridge
import Testing
import YapDatabase

@Suite struct CheckCommandTests {
    @Test func aSoundFileIsCountedAndNotWritten() throws {
        try withCopy(of: "books") { url in
            let before = try FileTrace(url)
            let answer = try check([url.path])
            #expect(answer.code == 0)
            #expect(answer.text.contains("481 rows in 1 collection, 3 views, commit 24\n"))
            #expect(answer.text.contains("view \"order\": 481 rows in 5 groups"))
            #expect(answer.text.hasSuffix("All is well.\n"))
            #expect(try FileTrace(url) == before)
        }
    }

    @Test(
        arguments: [
            ("UPDATE view_order_page SET count = count + 1 WHERE rowid = 1", "view \"order\": page", "version tag"),
            ("DELETE FROM view_order_map WHERE rowid = 1", "row 1 is in page", "version tag"),
            ("DELETE FROM database2 WHERE rowid = 1", "row 1 is in the view, but not in the database", "version tag"),
            ("DELETE FROM yap2 WHERE extension = 'order'", "no entry in yap2", "version tag"),
            (
                "DROP TABLE view_order_map; DROP TABLE view_order_page", "has no page table",
                "version tag"
            ),
            (
                "ALTER TABLE view_order_map RENAME COLUMN pageKey TO page", "view \"order\" cannot be read",
                "version tag"
            ),
            ("CREATE TABLE secondaryIndex_x (a)", "\"x\": has a table, but no entry in yap2", "version tag"),
            (
                """
                UPDATE yap2 SET data = 'YapDatabaseManualView' WHERE extension = 'order' AND key = 'class'; \
                DELETE FROM view_order_map WHERE rowid = 1
                """, "row 1 is in page", "Restore a backup"
            ),
        ])
    func damageIsNamedWithWhatToDo(sql: String, problem: String, remedy: String) throws {
        try withCopy(of: "books") { url in
            let handle = try SQLiteHandle(path: url.path, mode: .readWrite)
            for statement in sql.split(separator: "; ") { try handle.execute(String(statement)) }
            let answer = try check([url.path])
            #expect(answer.code == 1)
            #expect(answer.text.contains(problem), "\(answer.text)")
            #expect(answer.text.contains(remedy) && answer.text.contains("yap repair --to COPY"), "\(answer.text)")
        }
    }

    /// Changes one byte at the beginning of each value, which SQLite's own check cannot detect.
    @Test(arguments: [("books", "bplist00"), ("chat", "bplist00")])
    func valuesThatNoLongerDecodeAreCounted(name: String, magic: String) throws {
        try withCopy(of: name) { url in
            #expect(try check([url.path]).code == 0)
            let handle = try SQLiteHandle(path: url.path, mode: .readWrite)
            try handle.execute(
                "UPDATE database2 SET data = CAST('bpl' AS BLOB) || x'00' || substr(data, 5) WHERE data IS NOT NULL")
            let answer = try check([url.path])
            #expect(answer.code == 1 && answer.text.contains("collection \""), "\(answer.text)")
            #expect(answer.text.contains("object values") && answer.text.contains("the first of the key"))
            #expect(answer.text.contains("Restore these values"))
            #expect(try check(["--quick", url.path]).code == 0)
        }
    }

    @Test func oneDamagedValueOfManyIsNamed() throws {
        try withCopy(of: "json") { url in
            #expect(try check([url.path]).code == 0)
            let handle = try SQLiteHandle(path: url.path, mode: .readWrite)
            try handle.execute("UPDATE database2 SET data = substr(data, 1, length(data) - 1) || x'00' WHERE rowid = 7")
            let answer = try check([url.path])
            let key = try IndependentReader(path: url.path).rows("SELECT key FROM database2 WHERE rowid = 7")[0][0]!
            #expect(
                answer.code == 1 && answer.text.contains("1 value is damaged, the first of the key \"\(key)\""),
                "\(answer.text)")
        }
    }

    @Test func aLostIndexEntryIsNoLossOfRows() throws {
        try withCopy(of: "books") { url in
            let handle = try SQLiteHandle(path: url.path, mode: .readWrite)
            // The index is hidden from the delete, so its entry stays.
            try handle.execute("PRAGMA writable_schema = ON")
            try handle.execute("CREATE TABLE hidden AS SELECT * FROM sqlite_master WHERE name = 'true_primary_key'")
            try handle.execute("DELETE FROM sqlite_master WHERE name = 'true_primary_key'")
            let second = try SQLiteHandle(path: url.path, mode: .readWrite)
            try second.execute("INSERT INTO database2 (collection, key, data) VALUES ('books', 'unindexed', x'00')")
            try second.execute("PRAGMA writable_schema = ON")
            try second.execute("INSERT INTO sqlite_master SELECT * FROM hidden")
            let answer = try check([url.path])
            #expect(answer.code == 1)
            #expect(answer.text.contains("index true_primary_key"), "\(answer.text)")
            #expect(answer.text.contains("REINDEX. The rows are intact"), "\(answer.text)")
        }
    }

    @Test func damagedRowsAskForABackup() throws {
        try withCopy(of: "books") { url in
            var bytes = try Data(contentsOf: url)
            bytes.replaceSubrange(4096 * 20..<4096 * 21, with: Data(repeating: 0x5a, count: 4096))
            try bytes.write(to: url)
            let answer = try check([url.path])
            #expect(answer.code == 1)
            #expect(answer.text.contains("table \"database2\""), "\(answer.text)")
            #expect(answer.text.contains("yap repair --to COPY '\(url.path)'"), "\(answer.text)")
            #expect(answer.text.contains("Rows are lost"), "\(answer.text)")
            #expect(!answer.text.contains("VACUUM") && !answer.text.contains("REINDEX"), "\(answer.text)")
        }
    }

    /// The rows below an inner page that is destroyed, or the root, are on pages that nothing leads to.
    @Test func rowsThatNothingLeadsToAreNotCalledLost() throws {
        try withCopy(of: "books") { url in
            let root = try Int(
                IndependentReader(path: url.path).rows("SELECT rootpage FROM sqlite_master WHERE name = 'database2'")[
                    0][0]!)!
            var bytes = try Data(contentsOf: url)
            bytes.replaceSubrange(4096 * (root - 1)..<4096 * root, with: Data(count: 4096))
            try bytes.write(to: url)
            let answer = try check([url.path])
            #expect(answer.code == 1 && answer.text.contains("481 rows were found on pages"), "\(answer.text)")
            #expect(
                answer.text.contains("no table leads to page") && !answer.text.contains("never used"), "\(answer.text)")
            #expect(answer.text.contains("No row is lost: the copy of yap repair has all of them."), "\(answer.text)")
            #expect(!answer.text.contains("VACUUM") && !answer.text.contains("REINDEX"), "\(answer.text)")
            let listed = try browse("--list", url.path)
            #expect(listed.code == 3, "\(listed.text)")
        }
    }

    @Test func lostRowsAreListedByTheirKeys() throws {
        try withCopy(of: "books") { url in
            var bytes = try Data(contentsOf: url)
            bytes.replaceSubrange(4096 * 20..<4096 * 21, with: Data(count: 4096))
            try bytes.write(to: url)
            let object = try #require(try check(["--json", url.path]).objects().first)
            let lost = try #require(object["lost"] as? [[String: Any]])
            let exported = try YapRun(["export", "--to", "-", url.path])
            let lines = try exported.objects().filter { $0["lost"] != nil }
            #expect(exported.code == 1 && !lost.isEmpty && lines.count == lost.count)
            #expect(lost.map { $0["key"] as? String } == lines.map { $0["key"] as? String })
            #expect(exported.errors.contains("Lost: books/\(lost[0]["key"] as? String ?? "")"), "\(exported.errors)")
            #expect(try browse("--list", url.path).code == 3)
        }
    }

    /// A trigger or an index of another program is no damage, and neither is what follows from the rows.
    @Test(arguments: [
        (
            "CREATE TRIGGER boom AFTER INSERT ON database2 BEGIN DELETE FROM database2; END", "foreign",
            "nothing is damaged"
        ),
        ("DELETE FROM view_order_map WHERE rowid = 1", "rebuildable", "everything damaged can be rebuilt"),
    ]) func theLastLineFollowsFromTheWorst(sql: String, kind: String, words: String) throws {
        try withCopy(of: "books") { url in
            try SQLiteHandle(path: url.path, mode: .readWrite).execute(sql)
            let answer = try check([url.path])
            #expect(answer.code == 1 && answer.lines.last?.contains(words) == true, "\(answer.text)")
            let object = try #require(try check(["--json", url.path]).objects().first)
            let problems = try #require(object["problems"] as? [[String: Any]])
            #expect(problems.map { $0["kind"] as? String } == [kind])
        }
    }

    @Test func aFileThatIsCutOffNamesTheRepair() throws {
        try withCopy(of: "books") { url in
            try Data(contentsOf: url).prefix(200_000).write(to: url)
            let answer = try check([url.path])
            #expect(
                answer.code == 1 && answer.errors.contains("is cut off")
                    && answer.errors.contains("yap repair --to COPY"))
        }
    }

    @Test func aLogIsReadAndLeftAlone() throws {
        try withCopy(of: "books") { url in
            let writer = try SQLiteHandle(path: url.path, mode: .readWrite)
            writer.setCheckpointOnClose(false)
            try writer.execute("UPDATE view_order_page SET count = count + 1 WHERE rowid = 1")
            for keepsIndex in [true, false] {
                // As a killed program leaves it; without the index, as in a copy made by hand.
                let left = url.deletingLastPathComponent().appending(path: "left-\(keepsIndex).sqlite")
                try copyParts(keepsIndex ? ["", "-wal", "-shm"] : ["", "-wal"], of: url, to: left)
                let before = try FileTrace(left)
                let answer = try check([left.path])
                #expect(answer.code == 1)
                #expect(answer.text.contains("view \"order\""))
                #expect(try FileTrace(left) == before)
            }
            // While the writer has the file open.
            try writer.execute("UPDATE view_order_page SET count = count - 1 WHERE rowid = 1")
            let before = try FileTrace(url)
            #expect(try check([url.path]).code == 0)
            #expect(try FileTrace(url) == before)
        }
    }

    /// SQLite itself waits ten seconds for such a log and gives up.
    @Test func aWriterKilledBetweenTheLogsHeaderAndItsFirstPageIsNoDamage() throws {
        try withCopy(of: "books") { url in
            let writer = try SQLiteHandle(path: url.path, mode: .readWrite)
            try writer.execute("UPDATE database2 SET metadata = x'00' WHERE rowid = 1")
            let left = url.deletingLastPathComponent().appending(path: "left.sqlite")
            try copyParts(["", "-shm"], of: url, to: left)
            let log = try Data(contentsOf: URL(filePath: url.path + "-wal"))
            try log.prefix(32).write(to: URL(filePath: left.path + "-wal"))
            let before = try FileTrace(left)
            #expect(try check([left.path]).code == 0)
            #expect(try FileTrace(left) == before)
        }
    }

    @Test func anIndexOfTheLogThatIsGarbageIsNoDamage() throws {
        try withCopy(of: "books") { url in
            let writer = try SQLiteHandle(path: url.path, mode: .readWrite)
            try writer.execute("UPDATE view_order_page SET count = count + 1 WHERE rowid = 1")
            let left = url.deletingLastPathComponent().appending(path: "left.sqlite")
            try copyParts(["", "-wal"], of: url, to: left)
            for garbage in [Data(), Data(repeating: 0x5a, count: 32_768)] {
                try garbage.write(to: URL(filePath: left.path + "-shm"))
                let before = try FileTrace(left)
                #expect(try check([left.path]).text.contains("view \"order\": page"))
                #expect(try FileTrace(left) == before)
            }
        }
    }

    @Test func aFileThatIsWrittenMeanwhileIsSound() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appending(path: "busy.sqlite")
            let database = try YapDatabase(url: url)
            let connection = try database.newConnection()
            let writer = Task {
                var number = 0
                while !Task.isCancelled {
                    number += 1
                    let value = number
                    try await connection.write { try $0.setObject("\(value)", forKey: "k\(value % 500)") }
                }
            }
            for _ in 0..<5 {
                let answer = try check([url.path])
                #expect(answer.code == 0, "\(answer)")
            }
            writer.cancel()
            _ = await writer.result
            try database.close()
        }
    }

    @Test func aFolderThatCannotBeWrittenIsNoHindrance() throws {
        try withCopy(of: "json") { url in
            let folder = url.deletingLastPathComponent().path
            try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: url.path)
            try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
            let answer = try check([url.path])
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
            #expect(answer.code == 0, "\(answer)")
        }
    }

    @Test(arguments: ["other", "zeros", "cut", "empty", "foreign", "missing", "folder"])
    func whatIsNoDatabaseGetsOneClearSentence(kind: String) throws {
        try withCopy(of: "json") { url in
            let (path, words) = try Self.makeNoDatabase(kind, beside: url)
            let answer = try check([path])
            #expect(answer.code == 1)
            #expect(answer.text == "")
            #expect(answer.errors.hasPrefix("yap: ") && answer.errors.contains(words), "\(answer.errors)")
            #expect(answer.errors.split(separator: "\n").count == 1)
            let json = try check(["--json", path])
            #expect(json.code == 1)
            #expect(json.text.contains(#""isSound":false"#) && json.text.contains(#""error":"#))
        }
    }

    @Test func jsonIsOneLineForPrograms() throws {
        try withCopy(of: "json") { url in
            let handle = try SQLiteHandle(path: url.path, mode: .readWrite)
            try handle.execute("DELETE FROM view_view_map WHERE rowid = 1")
            let answer = try check(["--json", url.path])
            let object = try #require(try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: Any])
            #expect(object["rows"] as? Int == 120)
            let problems = try #require(object["problems"] as? [[String: Any]])
            #expect(problems.count == 1)
            #expect(problems.first?["extension"] as? String == "view")
            #expect(problems.first?["canBeRebuilt"] as? Bool == true)
        }
    }

    @Test(arguments: [[], ["a", "b"], ["--nonsense", "a"]]) func aWrongCallIsRefused(arguments: [String]) throws {
        #expect(try check(arguments).code == 2)
    }

    private static func makeNoDatabase(_ kind: String, beside url: URL) throws -> (path: String, words: String) {
        let place = url.deletingLastPathComponent().appending(path: kind)
        switch kind {
        case "other":
            try Data("Dear diary".utf8).write(to: place)
            return (place.path, "is not a database")
        case "zeros":
            try Data(count: 8192).write(to: place)
            return (place.path, "is not a database")
        case "cut":
            try Data(contentsOf: url).prefix(20_000).write(to: place)
            return (place.path, "is cut off")
        case "empty":
            try Data().write(to: place)
            return (place.path, "is empty")
        case "foreign":
            try SQLiteHandle(path: place.path, mode: .create).execute("CREATE TABLE notes (text)")
            return (place.path, "of another program")
        case "folder": return (url.deletingLastPathComponent().path, "is a folder")
        default: return (place.path, "There is no file")
        }
    }
}
