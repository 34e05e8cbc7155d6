import FileEngine
import FileReading
import Foundation
import SQLiteBridge
import SeededRandom
import Testing
import YapDatabase

@Suite struct FilteredRowsTests {
    /// A row as a plain value.
    private struct Plain {
        let key: String
        let price: Int?
        let genre: String
        let name: String
    }

    private static let conditions: [(String, @Sendable (Plain) -> Bool)] = [
        ("price > 20 AND genre = 'a'", { ($0.price ?? 0) > 20 && $0.genre == "a" }),
        ("price IS NULL", { $0.price == nil }),
        ("author.name LIKE '%X%'", { $0.name.contains("x") }),
        (#""author.deep.n" = price"#, { $0.price != nil }),
        (#""tags[1]" = genre AND "tags[*]" LIKE '%"b"%'"#, { $0.genre == "b" }),
        ("EXISTS (SELECT 1 FROM json_each(tags) WHERE value = genre) AND row.size > 10", { _ in true }),
        ("date > '2001-01-01T00:00:20Z' AND row.rowid > 0", { ($0.price ?? 0) > 20 }),
        ("metadata.m = 1 OR key = 'k3'", { $0.genre == "a" || $0.key == "k3" }),
        ("nowhere = 1", { _ in false }), ("1", { _ in true }), ("price / 0", { _ in false }),
    ]

    @Test(arguments: 0..<(Effort.isFull ? 60 : 6)) func theyAreThoseOfAPlainModel(seed: Int) throws {
        try withTemporaryFolder { folder throws in
            var random = SplitMix64(seed: UInt64(seed))
            let count = [0, 1, 40, 1_500][seed % 4]
            let rows = (0..<count).map { number in
                Plain(
                    key: "k\(number)",
                    price: Bool.random(using: &random) ? Int.random(in: 0..<40, using: &random) : nil,
                    genre: ["a", "b"].randomElement(using: &random)!, name: ["x1", "y2"].randomElement(using: &random)!)
            }
            let content = try content(of: rows, folder.appending(path: "rows.sqlite"))
            let sorted = rows.sorted { $0.key < $1.key }
            for (text, isTrue) in Self.conditions {
                for selection in Self.selections {
                    let wanted = Self.select(sorted.filter(isTrue), selection).map(\.key)
                    #expect(try keys(content, text, nil, selection) == wanted, "\(text), \(selection)")
                }
            }
            let byPrice = sorted.enumerated().sorted {
                ($0.element.price ?? -1, $0.offset) < ($1.element.price ?? -1, $1.offset)
            }.map(\.element)
            for selection in Self.selections {
                let wanted = Self.select(byPrice, selection).map(\.key)
                #expect(try keys(content, nil, "price", selection) == wanted, "\(selection)")
            }
            let counts = try FilteredRows(content, where: "price IS NOT NULL", order: .init("genre")).counts { _ in }
            let wanted = Dictionary(grouping: rows.filter { $0.price != nil }, by: \.genre).mapValues(\.count)
            var found: [SQLValue: Int] = [:]
            for count in counts { found[count.value, default: 0] += count.count }
            let expected = wanted.map { (SQLValue.text($0.key), $0.value) }
            #expect(found == Dictionary(uniqueKeysWithValues: expected))
        }
    }

    @Test(arguments: [
        ("price >", "is no expression"), ("date > 2026-11-01", "single quotes"), ("a.b.c = 1", "double quotes"),
        ("nofunction(1)", "no such function"), ("price > 1; DROP TABLE x", "no second statement"),
        ("x = ?", "is no expression"),
        ("load_extension('x')", "is no expression"),
        ("(SELECT name FROM sqlite_master) = 'x' AND ATTACH 'x' AS y", "is no expression"),
        ("\"a[x]\" = 1", "is no expression"), ("rowid > 1", "row.rowid"),
        ("EXISTS (SELECT 1 FROM json_each(a), json_each(b) WHERE value = 1)", "ambiguous column name: value"),
        ("'unfinished", "is no expression"),
    ])
    func aWrongExpressionIsSaid(text: String, words: String) {
        #expect { _ = try RowExpressions([text]) } throws: { error in
            (error as? YapDatabaseError)?.code == .badQuery
                && (error as? YapDatabaseError)?.message.contains(words) == true
        }
    }

    /// A condition's value is cast as SQLite does.
    @Test func aTextIsTrueIfItIsANumber() throws {
        try withFile(
            "json",
            changedBy: [
                #"UPDATE database2 SET data = '{"flag": "1"}' WHERE key = 'k001'"#,
                #"UPDATE database2 SET data = '{"flag": "0"}' WHERE key = 'k002'"#,
                #"UPDATE database2 SET data = '{"flag": "true"}' WHERE key = 'k003'"#,
                #"UPDATE database2 SET data = '{"flag": "0.5"}' WHERE key = 'k004'"#,
            ]
        ) { path in
            let snapshot = try BrowsedFile(path: path).snapshot
            let content = try ListContent(.collection(StoredText("c"), by: .key), snapshot, catalog: snapshot.catalog())
            #expect(try keys(content, "flag", nil, RowSelection()) == ["k001", "k004"])
            #expect(try keys(content, "NOT flag", "flag DESC", RowSelection()) == ["k003", "k002"])
        }
    }

    /// A name, and the same name behind a dot, are two, whichever comes first.
    @Test(arguments: [
        ("author.name = 'bob' AND name = 'zoo'", ["k001"]), ("name = 'zoo' AND author.name = 'bob'", ["k001"]),
        ("author.name = name", ["k003"]), ("name = author.name", ["k003"]),
        ("author.name = 'zoo' AND name IN (SELECT value FROM json_each('[\"bob\"]'))", ["k002"]),
        ("author.name = 'bob' AND EXISTS (SELECT 1 FROM json_each('[1]') WHERE name = 'bob')", ["k003"]),
        ("author.name IN (SELECT name)", ["k003"]), ("author.name = 'bob'", ["k001", "k003"]),
        ("row.key = 'k002' AND key = 'own'", ["k002"]), ("key = 'own' AND row.key > 'k001'", ["k002"]),
        ("row.size > 9 AND size = 7", ["k002"]), ("author.name = 'bob' AND author IS NOT NULL", ["k001", "k003"]),
    ])
    func aNameAndTheSameBehindADotAreTwo(text: String, wanted: [String]) throws {
        try withFile(
            "json",
            changedBy: [
                #"UPDATE database2 SET data = '{"name": "zoo", "author": {"name": "bob"}}' WHERE key = 'k001'"#,
                #"UPDATE database2 SET data = '{"name": "bob", "author": {"name": "zoo"}, "key": "own", "size": 7}' WHERE key = 'k002'"#,
                #"UPDATE database2 SET data = '{"name": "bob", "author": {"name": "bob"}}' WHERE key = 'k003'"#,
                #"UPDATE database2 SET data = '{"name": "x"}' WHERE key = 'k004'"#,
            ]
        ) { path in
            let snapshot = try BrowsedFile(path: path).snapshot
            let content = try ListContent(.collection(StoredText("c"), by: .key), snapshot, catalog: snapshot.catalog())
            #expect(try keys(content, text, nil, RowSelection()) == wanted)
        }
    }

    /// Two groups whose names differ in their Unicode form alone.
    @Test func groupsAreToldApartByTheirBytes() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            let database = try YapDatabase(url: url)
            let rows = YapCollection("c", of: Named.self, as: .json) { $0.id }
            try database.register(YapList("names", of: rows, groupedBy: \.name, sortedBy: .ascending(\.id)))
            try database.newConnection().readWrite { transaction throws in
                for (number, name) in ["Jos\u{e9}", "Jose\u{301}", "Jos\u{e9}", "x", "Jose\u{301}"].enumerated() {
                    try transaction[rows].save(Named(id: "\(number)", name: name))
                }
            }
            try database.close()
            let snapshot = try BrowsedFile(path: url.path).snapshot
            let content = try ListContent(.view("names", groups: nil), snapshot, catalog: snapshot.catalog())
            for (condition, order) in [("1", nil), (nil, "id"), ("1", "id")] as [(String?, String?)] {
                #expect(try keys(content, condition, order, RowSelection()).sorted() == ["0", "1", "2", "3", "4"])
                #expect(try keys(content, condition, order, RowSelection(.first(1))).sorted() == ["0", "1", "3"])
                #expect(try keys(content, condition, order, RowSelection(.last(1))).sorted() == ["2", "3", "4"])
            }
        }
    }

    private struct Named: Codable, Sendable {
        var id: String
        var name: String
    }

    @Test func aNameThatNoRowHasIsNamed() throws {
        try withFile("json") { path in
            let snapshot = try BrowsedFile(path: path).snapshot
            let content = try ListContent(
                .collection(StoredText("c"), by: .key), snapshot, catalog: snapshot.catalog())
            let rows = try FilteredRows(content, where: "genre = sci", order: nil)
            try rows.enumerate(RowSelection()) { _ in }
            #expect(Set(rows.remarks.unseenNames) == ["genre", "sci"])
        }
    }

    private static let selections: [RowSelection] = [
        RowSelection(), RowSelection(.first(3)), RowSelection(.last(3)), RowSelection(isReversed: true),
        RowSelection(.first(5), isReversed: true), RowSelection(.last(2), isReversed: true),
    ]

    private static func select(_ rows: [Plain], _ selection: RowSelection) -> [Plain] {
        let range: [Plain] =
            switch selection.range {
            case .all: rows
            case .first(let count): Array(rows.prefix(count))
            case .last(let count): rows.suffix(count)
            }
        return selection.isReversed ? range.reversed() : range
    }

    private func keys(
        _ content: ListContent, _ condition: String?, _ order: String?, _ selection: RowSelection
    ) throws -> [String] {
        var keys: [String] = []
        let rows = try FilteredRows(content, where: condition, order: order.map(FilteredRows.Order.init))
        try rows.enumerate(selection) { keys.append($0.row.address?.key.text ?? "?") }
        return keys
    }

    /// Property lists, which have dates.
    private func content(of rows: [Plain], _ url: URL) throws -> ListContent {
        try YapDatabase(url: url).close()
        let handle = try SQLiteHandle(path: url.path, mode: .readWrite)
        try handle.execute("BEGIN")
        let insert = try handle.statement(
            "INSERT INTO database2 (collection, key, data, metadata) VALUES ('c', ?, ?, ?)")
        for row in rows {
            var object: [String: Any] = [
                "genre": row.genre, "author": ["name": row.name, "deep": ["n": row.price ?? -1]],
                "tags": ["z", row.genre],
                "date": Date(timeIntervalSinceReferenceDate: Double(row.price ?? 0)),
            ]
            object["price"] = row.price
            let data = try PropertyListSerialization.data(fromPropertyList: object, format: .binary, options: 0)
            try insert.bind(row.key, at: 1)
            try insert.bind([UInt8](data), at: 2)
            try insert.bind(row.genre == "a" ? #"{"m":1}"# : "{}", at: 3)
            try insert.run()
            insert.reset()
        }
        try handle.execute("COMMIT")
        let snapshot = try BrowsedFile(path: url.path).snapshot
        return try ListContent(
            .collection(StoredText("c"), by: .key), snapshot, catalog: snapshot.catalog(), mustExist: false)
    }
}
