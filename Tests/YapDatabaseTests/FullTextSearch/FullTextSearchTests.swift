import Foundation
import Synchronization
import Testing

@testable import YapDatabase

@Suite struct FullTextSearchTests {
    private static let texts = [
        "a": "the quick brown fox jumps over the lazy dog", "b": "a quick answer", "c": "the fox and the other fox",
        "d": "nothing of that kind",
    ]

    private func withTexts(version: String? = nil, _ body: (YapDatabase) throws -> Void) throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            try database.register(Item.search(version: version), withName: "fts")
            try database.newConnection().readWrite { transaction throws in
                for (key, text) in Self.texts.sorted(by: { $0.key < $1.key }) {
                    let item = Item(group: key == "d" ? "quick" : "other", sort: 0, text: text)
                    try transaction.setObject(item, forKey: key, inCollection: "c", withMetadata: "meta \(key)")
                }
            }
            try body(database)
        }
    }

    @Test(arguments: ["fts5", "fts4", "fts3", nil])
    func wordsPhrasesBeginningsAndColumnsAreFound(version: String?) throws {
        try withTexts(version: version) { database throws in
            try database.newConnection().read { transaction throws in
                let search = try transaction.search()
                #expect(try search.module() == version ?? "fts5")
                #expect(try search.keys("quick") == ["a", "b", "d"])
                #expect(try search.keys("text:quick") == ["a", "b"])
                #expect(try search.keys("\"quick brown\"") == ["a"])
                #expect(try search.keys("jum*") == ["a"])
                #expect(try search.keys("fox NOT quick") == ["c"])
                #expect(try search.keys("answer OR lazy") == ["a", "b"])
                #expect(try search.keys("absent") == [] && search.keys("") == [])
                var rows: [String] = []
                try search.iterateRows(matching: "fox") { collection, key, object, metadata, _ in
                    rows.append("\(collection) \(key) \(try #require(object as? Item).text.count) \(metadata ?? "-")")
                }
                #expect(rows == ["c a 43 meta a", "c c 25 meta c"])
                rows = []
                try search.enumerateKeysAndMetadata(matching: "fox") { _, key, metadata, stop in
                    rows.append("\(key) \(metadata ?? "-")")
                    stop = true
                }
                try search.enumerateKeysAndObjects(matching: "answer") { _, key, object, _ in
                    rows.append("\(key) \((object as? Item)?.group ?? "-")")
                }
                #expect(rows == ["a meta a", "b other"])
            }
        }
    }

    @Test(arguments: ["fts5", "fts4", "fts3"]) func snippetsMarkTheWords(version: String) throws {
        try withTexts(version: version) { database throws in
            try database.newConnection().read { transaction throws in
                let search = try transaction.search()
                func snippets(_ text: String, _ options: YapDatabaseFullTextSearchSnippetOptions?) throws -> [String] {
                    var found: [String] = []
                    try search.enumerateKeys(matching: text, with: options) { snippet, _, key, _ in
                        found.append("\(key): \(snippet)")
                    }
                    return found
                }
                #expect(
                    try snippets("fox", nil) == [
                        "a: the quick brown <b>fox</b> jumps over the lazy dog",
                        "c: the <b>fox</b> and the other <b>fox</b>",
                    ])
                let options = YapDatabaseFullTextSearchSnippetOptions()
                options.startMatchText = "["
                options.endMatchText = "]"
                options.ellipsesText = "~"
                options.numberOfTokens = 3
                options.columnName = "text"
                let short = try snippets("lazy", options)
                #expect(short.count == 1 && short[0].hasPrefix("a: ~") && short[0].contains("[lazy]"))
                #expect(short[0].split(separator: " ").count == 4)
                options.numberOfTokens = 1_000_000
                options.columnName = "grp"
                #expect(try snippets("quick", options).last == "d: [quick]")
                var rows = 0
                try search.enumerateRows(matching: "fox", with: nil) { snippet, _, _, object, metadata, _ in
                    rows += snippet.contains("<b>fox</b>") && object is Item && metadata is String ? 1 : 0
                }
                #expect(rows == 2)
            }
        }
    }

    @Test func weightsDecideTheOrder() throws {
        try withTexts { database throws in
            try database.newConnection().read { transaction throws in
                let search = try transaction.search()
                func ranked(_ weights: [Double]?) throws -> [String] {
                    var keys: [String] = []
                    try search.enumerateBm25OrderedKeys(matching: "quick", withWeights: weights) { _, key, _ in
                        keys.append(key)
                    }
                    return keys
                }
                #expect(try ranked([1, 100]).first == "d")
                #expect(try ranked([100, 1]) == ["b", "a", "d"])
                #expect(Set(try ranked(nil)) == ["a", "b", "d"])
                #expect(try ranked([1, 100, 3, 4]).first == "d")
                var texts: [String] = []
                try search.enumerateBm25OrderedKeysAndObjects(matching: "fox", withWeights: [1]) { _, _, object, _ in
                    texts.append((object as? Item)?.text ?? "-")
                }
                #expect(texts.first == "the fox and the other fox")
            }
        }
        try withTexts(version: "fts4") { database throws in
            try database.newConnection().read { transaction throws in
                expectError(.badQuery, mentioning: "FTS4", "ftsVersion") {
                    try transaction.search().enumerateBm25OrderedKeys(matching: "fox") { _, _, _ in }
                }
            }
        }
    }

    @Test(arguments: [
        ("fts5", "quick AND", "at its end"), ("fts5", "(quick", "at its end"),
        ("fts5", "quick AND OR fox", "character 11"),
        ("fts5", "fox or ) or )", "character 8"), ("fts5", "quick nope:fox", "no such column: nope, at character 7"),
        ("fts5", "fox \"open", "unterminated string"), ("fts5", "a-b", "character 3"), ("fts5", "*", "*"),
        ("fts5", "NEAR(a b, x)", "character 11"), ("fts4", "fox OR (quick", "malformed MATCH"),
        ("fts4", "fox AND (dog AND AND", "at character 5, before \"AND (dog"), ("fts3", "(", "at character 1"),
        ("fts5", "'", "character 1"), ("fts5", "ü AND é AND", "at its end"),
    ])
    func theErrorOfABadSearchNamesThePlace(version: String, text: String, words: String) throws {
        try withTexts(version: version) { database throws in
            try database.newConnection().readWrite { transaction throws in
                let search = try transaction.search()
                expectError(.badQuery, mentioning: "The search of the extension \"fts\"", words) {
                    try search.iterateKeys(matching: text) { _, _, _ in }
                }
                expectError(.badQuery) { try search.enumerateKeys(matching: text, with: nil) { _, _, _, _ in } }
                try transaction.removeObject(forKey: "a", inCollection: "c")
                #expect(try search.keys("fox") == ["c"])
            }
        }
    }

    /// Whatever a person types: an answer or an error, never a crash.
    @Test(arguments: ["fts5", "fts4"]) func anyTextIsAnsweredOrRefused(version: String) throws {
        let parts = [
            "fox", "\"", "(", ")", "*", "^", ":", "-", "AND", "OR", "NOT", "NEAR", "NEAR/2", "{", "}", "+", "text", "'",
            "\0", "é",
            " ", " ", ",", "9",
        ]
        try withTexts(version: version) { database throws in
            try database.newConnection().read { transaction throws in
                var random = SplitMix64(seed: 3)
                let search = try transaction.search()
                for _ in 0..<2_000 {
                    let text = (0..<Int.random(in: 0..<9, using: &random)).map { _ in
                        parts.randomElement(using: &random)!
                    }.joined()
                    do {
                        try search.enumerateKeys(matching: text, with: nil) { _, _, _, _ in }
                    } catch let error as YapDatabaseError {
                        #expect(error.code == .badQuery, "\(text): \(error)")
                    }
                }
            }
        }
    }

    @Test func optionsReachSQLite() throws {
        try withTemporaryDatabase { database throws in
            let handler = YapDatabaseFullTextSearchHandler.withKeyBlock { _, dict, _, key in dict["key"] = key }
            for (version, tokenizer) in [("fts5", "\"porter ascii\""), ("fts4", "porter")] {
                let search = YapDatabaseFullTextSearch(
                    columnNames: ["key"], options: ["tokenize": tokenizer, "prefix": "\"2 3\""], handler: handler,
                    ftsVersion: version)
                try database.register(search, withName: version)
            }
            try database.newConnection().readWrite { try $0.setObject("", forKey: "running dogs") }
            try database.newConnection().read { transaction throws in
                #expect(try transaction.search("fts5").keys("dog run*") == ["running dogs"])
                #expect(try transaction.search("fts4").keys("dog run*") == ["running dogs"])
            }
            let wrong = YapDatabaseFullTextSearch(
                columnNames: ["key"], options: ["tokenize": "nonsense"], handler: handler)
            expectError(.sqlite, mentioning: "nonsense") { try database.register(wrong, withName: "wrong") }
        }
    }

    @Test func aFileOfTheOriginalIsReadWithoutABlockAndWrittenToAsFTS4() throws {
        try withCopy(of: "json") { url throws in
            let calls = Mutex(0)
            let search = YapDatabaseFullTextSearch(
                columnNames: ["text"],
                handler: .withObjectBlock { _, dict, _, _, object in
                    calls.withLock { $0 += 1 }
                    dict["text"] = (object as? Item)?.text
                }, versionTag: "f1")
            let database = try YapDatabase(url: url, options: .forTests)
            database.registerCodableSerialization(Item.self, forCollection: "c", as: .json)
            let before = try definition(url)
            try database.register(search, withName: "fts")
            #expect(calls.withLock { $0 } == 0)
            let connection = try database.newConnection()
            try connection.readWrite { transaction throws in
                #expect(try transaction.search().keys("number").count == 120)
                let item = Item(group: "odd", sort: -1, text: "one more number")
                try transaction.setObject(item, forKey: "new", inCollection: "c")
                try transaction.removeObject(forKey: "k001", inCollection: "c")
            }
            try connection.read { transaction throws in
                #expect(try transaction.search().keys("number").count == 120)
                var snippets: [String] = []
                try transaction.search().enumerateKeys(matching: "more", with: nil) { snippet, _, _, _ in
                    snippets.append(snippet)
                }
                #expect(snippets == ["one <b>more</b> number"])
            }
            try database.close()
            #expect(try YapDatabase.check(url: url) == [])
            #expect(try definition(url) == before)

            // Another module is asked for.
            let again = try YapDatabase(url: url, options: .forTests)
            again.registerCodableSerialization(Item.self, forCollection: "c", as: .json)
            let modern = YapDatabaseFullTextSearch(
                columnNames: ["text"], handler: search.handler, ftsVersion: YapDatabaseFullTextSearchFTS5Version,
                versionTag: "f1")
            try again.register(modern, withName: "fts")
            try again.newConnection().read { transaction throws in
                #expect(try transaction.search().keys("number").count == 120)
            }
            try again.close()
            #expect(try YapDatabase.check(url: url) == [])
            #expect(try definition(url).joined().contains("USING fts5"))
            #expect(try definition(url).contains("ftsVersiontextfts5"))
        }
    }

    private func definition(_ url: URL) throws -> [String] {
        let program = try foreignProgram(url)
        let statement = try program.statement(
            "SELECT sql FROM sqlite_master WHERE name LIKE 'fts_fts%' AND sql IS NOT NULL UNION ALL "
                + "SELECT key || typeof(data) || data FROM yap2 WHERE extension = 'fts' ORDER BY 1")
        defer { statement.reset() }
        var lines: [String] = []
        while try statement.step() { lines.append(statement.text(at: 0) ?? "") }
        return lines
    }
}
