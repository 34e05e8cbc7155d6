import FileEngine
import Foundation
import SQLiteBridge
import SeededRandom
import TestSupport
import Testing

@testable import YapDatabase

/// SQLite's check of a file looks into full-text indexes only in its newest versions; ours does in all, and writes nothing.
@Suite struct FullTextCheckTests {
    private static let words = ["fox", "dog", "quick", "Straße", "\u{e9}t\u{e9}", "日本", "a", "of"]
    private static let modules: [(module: String, options: [String: String])] = [
        ("fts5", [:]), ("fts5", ["prefix": "'2 3'", "tokenize": "porter"]), ("fts5", ["detail": "none"]), ("fts4", [:]),
        ("fts4", ["tokenize": "porter", "prefix": "2", "order": "desc"]), ("fts4", ["matchinfo": "fts3"]),
        ("fts3", [:]),
    ]

    private static func search(
        _ module: String, _ options: [String: String], versionTag: String = "1"
    ) -> YapDatabaseFullTextSearch {
        YapDatabaseFullTextSearch(
            columnNames: ["text"], options: options,
            handler: .withObjectBlock { _, texts, _, _, object in texts["text"] = object as? String },
            ftsVersion: module, versionTag: versionTag)
    }

    private func withIndex(
        _ number: Int, _ seed: UInt64, _ body: (URL, YapDatabase) throws -> Void
    ) throws {
        var random = SplitMix64(seed: seed)
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            let database = try YapDatabase(url: url, options: .forTests)
            let (module, options) = Self.modules[number]
            try database.register(Self.search(module, options), withName: "words")
            let connection = try database.newConnection()
            for _ in 0..<12 {
                try connection.readWrite { transaction throws in
                    for _ in 0..<random.below(20) {
                        let key = "k\(random.below(60))"
                        if random.below(4) == 0 { try transaction.removeObject(forKey: key, inCollection: "c") }
                        let text = (0..<random.below(30)).map { _ in random.pick(Self.words) }.joined(separator: " ")
                        try transaction.setObject(text, forKey: key, inCollection: "c")
                    }
                }
            }
            try body(url, database)
        }
    }

    @Test(arguments: modules.indices, 0..<Effort.cases(UInt64(3)))
    func anIndexThatFitsIsSoundAndOneThatDoesNotIsNamed(number: Int, seed: UInt64) throws {
        try withIndex(number, seed) { url, database throws in
            #expect(try YapDatabase.check(url: url) == [], "\(Self.modules[number]), seed \(seed)")
            try database.close()
            let column = Self.modules[number].module == "fts5" ? "c0" : "c0text"
            let key = Self.modules[number].module == "fts5" ? "id" : "docid"
            let one = "\(key) = (SELECT max(\(key)) FROM fts_words_content)"
            for damage in [
                "UPDATE fts_words_content SET \(column) = 'unheard of' WHERE \(one)",
                "DELETE FROM fts_words_content WHERE \(one)",
            ] {
                let copy = url.deletingLastPathComponent().appending(path: "copy.sqlite")
                try? FileManager.default.removeItem(at: copy)
                try FileManager.default.copyItem(at: url, to: copy)
                do {
                    let handle = try SQLiteHandle(path: copy.path, mode: .readWrite)
                    try handle.execute("PRAGMA journal_mode = DELETE")
                    try handle.execute(damage)
                }
                let before = try Data(contentsOf: copy)
                let problems = try YapDatabase.check(url: copy)
                #expect(problems.map(\.extensionName) == ["words"], "\(Self.modules[number]), seed \(seed), \(damage)")
                #expect(problems.first?.canBeRebuilt == true && problems.first?.remedy.contains("version tag") == true)
                let files = try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
                #expect(
                    try Data(contentsOf: copy) == before && files.filter { $0.hasPrefix("copy") } == ["copy.sqlite"])
            }
        }
    }

    /// A schema may have been written by anyone: what it says of the tables is not run.
    @Test(arguments: [0, 3]) func conditionsOfTheTablesAreNotRun(number: Int) throws {
        try withIndex(number, 1) { url, database throws in
            try database.close()
            do {
                let handle = try SQLiteHandle(path: url.path, mode: .readWrite)
                try handle.execute("PRAGMA writable_schema = ON")
                try handle.execute(
                    "UPDATE sqlite_master SET sql = substr(sql, 1, length(sql) - 1) || ', CHECK(length(hex(zeroblob(400000000))) > 0))' "
                        + "WHERE name = 'fts_words_content'")
            }
            let start = ContinuousClock.now
            _ = try YapDatabase.check(url: url)
            // One row would take a second.
            #expect(ContinuousClock.now - start < .seconds(5))
        }
    }

    /// SQLite opens a file whose schema has another name for a column of an index, which then cannot be used.
    @Test(arguments: modules.indices) func aTableWithoutOneOfItsColumnsIsNamed(number: Int) throws {
        try withIndex(number, 1) { url, database throws in
            try database.close()
            let isFive = Self.modules[number].module == "fts5"
            let change = isFive ? "replace(sql, 'block', 'blocj')" : "replace(sql, 'start_block', 'start_b,ock')"
            do {
                let handle = try SQLiteHandle(path: url.path, mode: .readWrite)
                try handle.execute("PRAGMA writable_schema = ON")
                try handle.execute(
                    "UPDATE sqlite_master SET sql = \(change) WHERE name = 'fts_words_\(isFive ? "data" : "segdir")'")
            }
            let problems = try YapDatabase.check(url: url)
            #expect(problems.map(\.extensionName) == ["words"], "\(problems)")
            #expect(problems.allSatisfy { $0.canBeRebuilt }, "\(problems)")
            let again = try YapDatabase(url: url, options: .forTests)
            let (module, options) = Self.modules[number]
            try again.register(Self.search(module, options, versionTag: "2"), withName: "words")
            try again.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    /// What the remedy says.
    @Test func registeringItAgainMendsIt() throws {
        try withIndex(0, 1) { url, database throws in
            try database.close()
            try SQLiteHandle(path: url.path, mode: .readWrite).execute("UPDATE fts_words_content SET c0 = 'other'")
            #expect(try YapDatabase.check(url: url).count == 1)
            let again = try YapDatabase(url: url, options: .forTests)
            try again.register(Self.search("fts5", [:], versionTag: "2"), withName: "words")
            try again.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }
}
