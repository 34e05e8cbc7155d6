import Foundation
import HostileFiles
import SQLiteBridge
import SeededRandom
import YapDatabase

/// A file of ours with a change that no correct program makes.
struct HostileFile {
    let url: URL
    /// The changes, in SQL and in words.
    private(set) var changes: [String] = []

    init(_ url: URL, using random: inout SplitMix64) throws {
        self.url = url
        try makeSoundFile(url)
        for _ in 0..<Int.random(in: 1...3, using: &random) { try change(using: &random) }
        if Int.random(in: 0..<4, using: &random) == 0 { try damage(using: &random) }
    }

    private mutating func change(using random: inout SplitMix64) throws {
        let sql: [String] =
            switch Int.random(in: 0..<13, using: &random) {
            case 0: HostileSchema.all.randomElement(using: &random)!.changes
            case 1: ["UPDATE yap2 SET data = \(value(using: &random)) WHERE extension = '' AND key = 'snapshot'"]
            case 2: ["UPDATE view_items_page SET count = \(value(using: &random))"]
            case 3: ["UPDATE view_items_page SET data = \(value(using: &random)) WHERE rowid % 2 = 0"]
            case 4: ["UPDATE view_items_map SET pageKey = \(value(using: &random)) WHERE rowid % 3 = 0"]
            case 5:
                [
                    "UPDATE database2 SET \(["collection", "key"].randomElement(using: &random)!) = \(value(using: &random)) "
                        + "WHERE rowid = \(Int.random(in: 1...40, using: &random))"
                ]
            case 6:
                [
                    "INSERT OR REPLACE INTO yap2 (extension, key, data) VALUES (\(value(using: &random)), "
                        + "'class', \(value(using: &random)))"
                ]
            case 7:
                // Pages without a unique key: duplicate names, empty ones, chains of many.
                [
                    "CREATE TABLE p AS SELECT * FROM view_items_page", "DROP TABLE view_items_page",
                    "CREATE TABLE view_items_page (pageKey, \"group\", prevPageKey, count, data)",
                    "INSERT INTO view_items_page SELECT * FROM p",
                    "INSERT INTO view_items_page SELECT \(value(using: &random)), 'a', pageKey, 0, x'' FROM p",
                    "DROP TABLE p",
                ]
            case 8:
                [
                    "INSERT OR REPLACE INTO view_items_page SELECT 'e' || i, 'a', "
                        + "CASE i WHEN 1 THEN (SELECT pageKey FROM view_items_page WHERE \"group\" = 'a') ELSE 'e' || (i - 1) END, 0, x'' "
                        + "FROM (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 300) SELECT i FROM n)",
                    "UPDATE view_items_page SET count = 0, data = x'' WHERE \(Int.random(in: 0...1, using: &random))",
                ]
            case 9:
                // Values on pages of their own, which the damage may destroy, at the edges of what a rowid can be.
                edges.map {
                    "INSERT OR REPLACE INTO database2 VALUES (\($0), 'a', 'edge \($0)', randomblob(\(Int.random(in: 9...20_000, using: &random))), NULL)"
                }
            case 10:
                // Only the program that made it has these.
                [
                    "CREATE TABLE people (id INTEGER PRIMARY KEY, name COLLATE NOCASE)",
                    "CREATE INDEX folded ON people (lower(name))",
                    "INSERT INTO people VALUES (1, 'a'), (2, 'B')", "PRAGMA writable_schema = ON",
                    "UPDATE sqlite_master SET sql = replace(replace(sql, 'NOCASE', 'LOCALIZED'), 'lower(', 'myfold(')",
                ]
            case 11:
                [
                    "CREATE TABLE notes_content (id INTEGER PRIMARY KEY, a)", "PRAGMA writable_schema = ON",
                    "INSERT INTO sqlite_master VALUES ('table', 'notes', 'notes', 0, 'CREATE VIRTUAL TABLE notes USING "
                        + "\(["fts3(tokenize mozporter, a)", "vec0(a)", "fts4(tokenize=icu)", "dbstat"].randomElement(using: &random)!)')",
                ]
            default:
                [
                    #"CREATE TABLE IF NOT EXISTS "yap_commits" ("number" INTEGER PRIMARY KEY, "data" BLOB)"#,
                    "INSERT OR REPLACE INTO yap_commits VALUES (\(Int.random(in: 0...60, using: &random)), \(value(using: &random)))",
                ]
            }
        let handle = try SQLiteHandle(path: url.path, mode: .readWrite, busyTimeout: 1_000)
        // An endless trigger of an earlier change ends here. Where that has left a schema that SQLite does not read, no change follows.
        guard (try? handle.execute("PRAGMA max_page_count = 2000")) != nil else { return }
        for statement in sql {
            changes.append(statement)
            // A change that contradicts an earlier one is skipped.
            try? handle.execute(statement)
        }
    }

    /// Returns a value at a limit of its column.
    private func value(using random: inout SplitMix64) -> String {
        [
            "NULL", "0", "-1", "9223372036854775807", "-9223372036854775808", "1152921504606846976",
            "1152921504606846977",
            "4611686018427387904", "2147483648", "1e300", "'1'", "'many'", "''", "x''", "x'ff'", "x'ffffffffffffffff'",
            "x'0000000000000080'", "randomblob(50000)", "CAST(x'c3' AS TEXT)", "CAST(x'41ff42' AS TEXT)",
            "CAST(x'610062' AS TEXT)", "char(27) || '[2J'", "hex(randomblob(20000))", "'items'", "'../../x'",
        ].randomElement(using: &random)!
    }

    private let edges: [Int64] = [.min, .min + 1, -1, 0, 1 << 32, 1_000_000_000_000, .max - 1, .max]

    /// Damages bytes of the file itself: flips, zeroes, or cuts them off.
    private mutating func damage(using random: inout SplitMix64) throws {
        var bytes = try Data(contentsOf: url)
        let place = Int.random(in: 100..<bytes.count, using: &random)
        let page = place / 4096 * 4096
        switch Int.random(in: 0..<6, using: &random) {
        case 3:
            bytes.replaceSubrange(
                page..<min(page + 4096, bytes.count), with: Data(count: min(4096, bytes.count - page)))
        // The first page, with or without its header.
        case 4:
            let start = Bool.random(using: &random) ? 0 : 100
            bytes.replaceSubrange(start..<4096, with: Data(count: 4096 - start))
        // The bytes at the end of each page that are reserved for other programs, and others of the header.
        case 5:
            bytes[Bool.random(using: &random) ? 20 : Int.random(in: 16..<100, using: &random)] = .random(
                in: 0...255, using: &random)
        case 0: bytes[place] ^= UInt8.random(in: 1...255, using: &random)
        case 1:
            bytes.replaceSubrange(
                place..<min(place + 512, bytes.count), with: Data(count: min(512, bytes.count - place)))
        default: bytes = bytes.prefix(place)
        }
        changes.append("damage at \(place)")
        try bytes.write(to: url)
    }
}

/// Forty rows in two collections, and a view of them.
private func makeSoundFile(_ url: URL) throws {
    let database = try YapDatabase(url: url, options: .forAttacks)
    try database.register(itemsView(), withName: "items")
    try database.newConnection().readWrite { transaction in
        for number in 0..<40 {
            try transaction.setObject("item \(number)", forKey: "k\(number)", inCollection: number % 3 == 0 ? "b" : "a")
        }
    }
    try database.close()
}

func itemsView(tag: String = "1") -> YapDatabaseAutoView {
    YapDatabaseAutoView(
        grouping: .withKeyBlock { _, collection, _ in collection },
        sorting: .withKeyBlock { _, _, _, key1, _, key2 in
            key1 == key2 ? .orderedSame : key1 < key2 ? .orderedAscending : .orderedDescending
        }, versionTag: tag)
}

extension YapDatabaseOptions {
    static var forAttacks: YapDatabaseOptions {
        var options = YapDatabaseOptions()
        options.pragmaSynchronous = .off
        options.busyTimeout = 2_000
        return options
    }
}
