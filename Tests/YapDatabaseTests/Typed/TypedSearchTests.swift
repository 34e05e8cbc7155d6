import Foundation
import ListChanges
import SeededRandom
import TestSupport
import TestTraits
import Testing

@testable import YapDatabase

/// What a person types is found, whatever it contains, and lists over filters and searches are what a scan finds.
@Suite struct TypedSearchTests {
    private static let texts = YapTextIndex("texts", of: Novel.all, on: \.title, \.author.name)
    private static let order = YapList(
        "order", of: Novel.all, groupedBy: \.shelf, sortedBy: .ascending(\.title), .ascending(\.id))

    @Test func nothingThatIsTypedIsAWrongQuery() throws {
        try withTemporaryDatabase { database throws in
            try database.register(Self.order, Self.texts)
            let results = try database.register(YapList("results", searching: Self.texts, in: Self.order))
            let connection = try database.newConnection()
            try connection.readWrite { transaction throws in
                for (id, title) in [
                    "O'Brien", "a-b", "say (x) AND y", "one \"two\" three", "Éva", "NEAR far", "col:umn",
                ].enumerated() {
                    try transaction[Novel.all].save(Novel(id, title, author: "n"))
                }
            }
            let expected: [(YapSearchText, [Int])] = [
                (.prefixes(of: "o'br"), [0]), (.words(in: "o'br"), []), (.words(in: "o'brien"), [0]),
                (.words(in: "a-b"), [1]),
                (.prefixes(of: "("), []), (.words(in: "(x"), [2]), (.words(in: "AND"), [2]), (.words(in: "\"two"), [3]),
                (.phrase("two three"), [3]), (.phrase("three two"), []), (.words(in: "three two"), [3]),
                (.prefixes(of: "thr tw"), [3]), (.words(in: "eva"), [4]), (.words(in: "NEAR"), [5]),
                (.words(in: "col:umn"), [6]), (.words(in: "*"), []), (.words(in: "NOT"), []), (.words(in: " \n"), []),
                (.words(in: "^a-b"), [1]), (.words(in: "x\u{0}y"), [2]), (.query("brien OR b"), [0, 1]),
            ]
            for (text, ids) in expected {
                let found = try connection.read { try $0[Self.texts].values(matching: text).map(\.id) }
                #expect(Set(found) == Set(ids), "\(text)")
                try connection.readWrite { try $0[results].search(for: text) }
                let shown = try connection.read { transaction throws in
                    let rows = try transaction[results]
                    return try rows.groups.flatMap { try rows.values(in: $0).map(\.id) }
                }
                #expect(Set(shown) == Set(ids), "\(text)")
            }
            #expect(try connection.read { try $0[Self.texts].values(matchingWordsIn: "brien").count } == 1)
            #expect(try connection.read { try $0[Self.texts].keys(matching: .phrase("say")) } == [2])
            #expect(throws: YapDatabaseError.self) {
                try connection.read { _ = try $0[Self.texts].values(matching: .query("a AND")) }
            }
        }
    }

    /// Random texts, also of quotation marks, brackets, signs and letters of several scripts, as FTS5 and FTS4 store them.
    @Test(arguments: ["fts5", "fts4", "fts3"]) func randomTextsNeverThrow(module: String) throws {
        try withTemporaryDatabase { database throws in
            let handler = YapDatabaseColumnHandler.withObjectBlock { _, texts, _, _, object in
                texts["text"] = object as? String
            }
            try database.register(
                YapDatabaseFullTextSearch(columnNames: ["text"], handler: handler, ftsVersion: module), withName: "fts")
            let connection = try database.newConnection()
            var random = SplitMix64(seed: 7)
            let parts =
                Array("ab\"'()*:^-+.,{}|&~ \t\u{0}éß京タ한👨‍👩‍👧‍👦").map(String.init) + [
                    "AND", "OR", "NOT", "NEAR", "text", " ", "\u{301}", "\u{200D}", "\u{FE0F}", "\u{600}",
                ]
            for step in 0..<Effort.cases(3_000) {
                let typed = (0..<random.below(9)).map { _ in parts[random.below(parts.count)] }.joined()
                try connection.readWrite {
                    let stored = typed.unicodeScalars.map { $0 == "\0" ? " " : String($0) }.joined()
                    try $0.setObject(stored, forKey: "\(random.below(30))")
                }
                for text in [YapSearchText.words(in: typed), .prefixes(of: typed), .phrase(typed)] {
                    try connection.read { transaction throws in
                        let search = transaction.ext("fts") as! YapDatabaseFullTextSearchTransaction
                        var found: [String] = []
                        try search.find(search.query(for: text)).forEachKey { _, key, _ in found.append(key) }
                        // What is stored is found by itself, if it has a word.
                        if typed.contains(where: { "abéß".contains($0) }) {
                            #expect(!found.isEmpty, "\(text), step \(step)")
                        }
                    }
                }
            }
        }
    }

    /// For Swift a quotation mark with a combining mark behind it is another character, for SQLite it is two.
    @Test(arguments: ["a\"\u{301}b", "\"\u{200D}", "\u{600}\"\"\u{FE0F}'\u{301}"])
    func namesAreQuotedByScalars(name: String) throws {
        try withTemporaryDatabase { database throws in
            let texts = YapTextIndex("t\(name)", of: Novel.all, on: \.title)
            let order = YapList("l\(name)", of: Novel.all, sortedBy: .ascending(\.title))
            let index = YapIndex("i\(name)", of: Novel.all, on: \.title)
            try database.register([texts, order, index])
            let connection = try database.newConnection()
            try connection.readWrite { try $0[Novel.all].save(Novel(1, "Dune", author: "n")) }
            let found = try connection.read { transaction throws in
                (
                    try transaction[texts].values(matching: .words(in: "dune")).count,
                    try transaction[order].values().count,
                    try transaction[Novel.all].where(\.title == "Dune").values().count
                )
            }
            #expect(found == (1, 1, 1))
            try database.unregister(order)
        }
    }

    /// A text that was pasted: its first words count.
    @Test func aVeryLongTextIsSearchedSoon() throws {
        try withTemporaryDatabase { database throws in
            try database.register(Self.texts)
            let connection = try database.newConnection()
            try connection.readWrite { try $0[Novel.all].save(Novel(1, "word", author: "n")) }
            let pasted = Array(repeating: "word", count: 100_000).joined(separator: " ")
            for text in [YapSearchText.words(in: pasted), .prefixes(of: pasted)] {
                #expect(try connection.read { try $0[Self.texts].keys(matching: text) } == [1])
            }
        }
    }

    @Test func tokenizersFindWhatTheySay() throws {
        try withTemporaryDatabase { database throws in
            let connection = try database.newConnection()
            let titles = ["Éva running", "O'Brien", "東京タワーの夜", "서울의 밤", "京東"]
            try connection.readWrite { transaction throws in
                for (id, title) in titles.enumerated() { try transaction[Novel.all].save(Novel(id, title, author: "")) }
            }
            let expected: [(YapTokenizer, [(YapSearchText, [Int])])] = [
                (.words, [(.words(in: "eva"), [0]), (.words(in: "runs"), [])]),
                (.wordsWithDiacritics, [(.words(in: "eva"), []), (.words(in: "éva"), [0])]),
                (.englishStems, [(.words(in: "runs"), [0])]),
                (.trigrams, [(.words(in: "rie"), [1]), (.words(in: "京タワ"), [2]), (.words(in: "ri"), [])]),
                (
                    .eastAsian,
                    [
                        (.words(in: "東京"), [2]), (.words(in: "京"), [2, 4]), (.words(in: "タワー"), [2]),
                        (.words(in: "울의"), [3]),
                        (.prefixes(of: "東"), [2, 4]), (.words(in: "京東"), [4]), (.words(in: "eva"), [0]),
                    ]
                ),
            ]
            for (number, (tokenizer, searches)) in expected.enumerated() {
                let texts = try database.register(
                    YapTextIndex("texts\(number)", of: Novel.all, on: \.title, tokenizer: tokenizer))
                for (text, ids) in searches {
                    let found = try connection.read { try $0[texts].values(matching: text).map(\.id) }
                    #expect(Set(found) == Set(ids), "\(tokenizer.name), \(text)")
                }
            }
        }
    }

    /// A word counts if the tokenizer of the index makes anything of it, which SQLite is asked here.
    @Test func wordsAreLeftOutOnlyWhereTheIndexHasNone() throws {
        let words = [
            "+++", "—", "-", "_", "\u{E000}", "\u{AD}x", "·", "\u{1F600}", "\u{1F970}", "a", "ab", "abc", "१", "Ⅷ",
            "\u{301}", "x\u{301}",
            "\u{1E900}", "\u{200B}", "\u{E0001}", "©", "…", "c++", "\u{20BF}", "\u{20AC}",
        ]
        let tables: [(module: String, tokenizer: String?)] = [
            ("fts5", nil), ("fts5", "'unicode61 remove_diacritics 0'"), ("fts5", "'porter unicode61'"),
            ("fts5", "trigram"),
            ("fts4", nil), ("fts4", "porter"), ("fts4", "unicode61"), ("fts3", nil),
            ("fts4", "unicode61 \"tokenchars=-+\""),
        ]
        for (module, tokenizer) in tables {
            try withTemporaryDatabase { database throws in
                let search = YapDatabaseFullTextSearch(
                    columnNames: ["text"], options: tokenizer.map { ["tokenize": $0] },
                    handler: .withObjectBlock { _, texts, _, _, object in texts["text"] = object }, ftsVersion: module)
                try database.register(search, withName: "search")
                try database.newConnection().readWrite { transaction throws in
                    for word in words + [""] { try transaction.setObject("\(word) rie", forKey: "\(word) rie") }
                    let access = try #require(transaction.ext("search") as? YapDatabaseFullTextSearchTransaction)
                    func keys(_ query: String) throws -> Set<String> {
                        var keys: Set<String> = []
                        try access.iterateKeys(matching: query) { _, key, _ in keys.insert(key) }
                        return keys
                    }
                    let all = try keys("rie")
                    #expect(all.count == words.count + 1)
                    for word in words {
                        let alone = try keys("\"\(word)\"")
                        let found = try keys(access.query(for: .words(in: "\(word) rie")))
                        #expect(
                            found == (alone.isEmpty ? all : alone),
                            "\(module) \(tokenizer ?? ""): \(word.unicodeScalars.map { String($0.value, radix: 16) })")
                    }
                }
            }
        }
    }

    @Test func snippetsShowWhatMatches() throws {
        try withTemporaryDatabase { database throws in
            var snippets = YapSnippets()
            (snippets.start, snippets.end, snippets.words) = ("[", "]", 3)
            let found = YapList("found", searching: Self.texts, sortedBy: .descending(\.title), snippets: snippets)
            try database.register(Self.texts, found)
            let connection = try database.newConnection()
            try connection.readWrite { transaction throws in
                try transaction[Novel.all].save([
                    Novel(1, "the spice must flow on"), Novel(2, "a spice"), Novel(3, "none"),
                ])
                try transaction[found].search(for: .prefixes(of: "spi"))
                #expect(try transaction[found].values().map(\.id) == [1, 2])
                #expect(try transaction[found].snippet(of: 2) == "a [spice]")
                #expect(try transaction[found].snippet(of: 3) == nil)
            }
        }
    }

    /// Rows change, the filter changes, the search changes; each update of a stream applies to what was shown, and is what a scan finds.
    @Test(arguments: Effort.some([1, 2, 3, 4] as [UInt64])) func filteredAndFoundListsAreWhatAScanFinds(seed: UInt64)
        async throws
    {
        try await withTemporaryDatabase { database async throws in
            var random = SplitMix64(seed: seed)
            let filtered = YapList("filtered", filtering: Self.order, where: \.price < 10)
            let results = YapList("results", searching: Self.texts, in: filtered)
            let found = YapList(
                "found", searching: Self.texts, sortedBy: .ascending(\.price), .ascending(\.id),
                where: \.isOwned == true)
            try await database.register(Self.order, Self.texts, filtered, results, found)
            let connection = try database.newConnection()
            let lists = [filtered, results, found]
            var streams = lists.map { connection.updates(of: $0).makeAsyncIterator() }
            var shown: [[ListSection<Novel>]] = []
            for number in lists.indices { shown.append(try #require(try await streams[number].next()).sections) }
            var (stored, limit, word): ([Int: Novel], Double, String) = ([:], 10, "")
            for step in 0..<Effort.cases(400) {
                let context: Comment = "seed \(seed), step \(step)"
                var (novels, removed): ([Novel], [Int]) = ([], [])
                for _ in 0..<random.below(4) {
                    let id = random.below(30)
                    if random.percent(25) {
                        (stored[id], removed) = (nil, removed + [id])
                        novels.removeAll { $0.id == id }
                    } else {
                        let novel = Novel(
                            id, "t\(random.below(3)) x\(random.below(3))", random.percent(50) ? .hall : .attic,
                            price: Double(random.below(20)), isOwned: random.percent(70), author: "")
                        stored[id] = novel
                        removed.removeAll { $0 == id }
                        novels.append(novel)
                    }
                }
                if random.percent(20) { limit = Double(random.below(20)) }
                if random.percent(30) { word = ["t1", "x2", "t0 x0", ""][random.below(4)] }
                try await connection.write { [novels, removed, limit, word] transaction throws in
                    try transaction[Novel.all].remove(removed)
                    try transaction[Novel.all].save(novels)
                    try transaction[filtered].setFilter(\.price < limit)
                    try transaction[results].search(for: .words(in: word))
                    try transaction[found].search(for: .prefixes(of: word))
                }
                func matches(_ novel: Novel) -> Bool {
                    !word.isEmpty
                        && word.split(separator: " ").allSatisfy { novel.title.split(separator: " ").contains($0) }
                }
                func sections(_ isIncluded: (Novel) -> Bool) -> [[Int]] {
                    [Novel.Shelf.attic, .hall].map { shelf in
                        stored.values.filter { $0.shelf == shelf && $0.price < limit && isIncluded($0) }
                            .sorted { ($0.title, $0.id) < ($1.title, $1.id) }.map(\.id)
                    }.filter { !$0.isEmpty }
                }
                let own = stored.values.filter { matches($0) && $0.isOwned }.sorted {
                    ($0.price, $0.id) < ($1.price, $1.id)
                }
                let expected = [sections { _ in true }, sections(matches), own.isEmpty ? [] : [own.map(\.id)]]
                for number in lists.indices {
                    while shown[number].map({ $0.rows.map(\.id) }) != expected[number]
                        || shown[number].flatMap(\.rows).contains(where: { stored[$0.id] != $0 })
                    {
                        let update = try #require(try await streams[number].next(), context)
                        guard case .changes(let changes) = update.outcome else {
                            Issue.record("\(update.outcome), \(lists[number].name), \(context)")
                            return
                        }
                        try changes.apply(to: &shown[number]) { update.sections[$0.section].rows[$0.row] }
                        #expect(shown[number].map(\.rows) == update.sections.map(\.rows), context)
                    }
                }
            }
        }
    }
}
