import Foundation
import SQLiteBridge
import TestTraits
import Testing

@testable import YapDatabase

/// Names of any bytes and numbers of any size: an answer or an error, and an end.
@Suite(.ends(within: 300)) struct HostileRowsTests {
    private func withChanged(_ sql: [String], _ body: (URL) throws -> Void) throws {
        try withCopy(of: "books") { url in
            do {
                let handle = try SQLiteHandle(path: url.path, mode: .readWrite)
                for statement in sql { try handle.execute(statement) }
            }
            try body(url)
        }
    }

    @Test(
        arguments: [
            ("x''", "not text"), ("x'62ff'", "not text"), ("CAST(x'ff' AS TEXT)", "not UTF-8"),
            ("CAST(x'c3' AS TEXT)", "not UTF-8"), ("CAST(x'6100ff' AS TEXT)", "not UTF-8"),
            ("x'626f6f6b73'", "not text"),
        ])
    func everyWalkOverCollectionsEnds(name: String, words: String) throws {
        try withChanged(["UPDATE database2 SET collection = \(name) WHERE rowid IN (1, 2)"]) { url in
            let report = try YapDatabase.checkReport(url: url)
            #expect(report.rows == 481 && report.collections == 2)
            #expect(report.problems.contains { $0.description.contains(words) }, "\(report.problems)")
            let database = try YapDatabase(url: url, options: .forTests)
            try database.newConnection().read { transaction throws in
                expectError(.corrupt, mentioning: "browse") { _ = try transaction.allCollections() }
                #expect(try transaction.numberOfKeys(inCollection: "books") == 479)
                var count = 0
                try transaction.iterateKeysInAllCollections { _, _, _ in count += 1 }
                #expect(count == 481)
            }
            try database.close()
        }
    }

    @Test(arguments: ["x'6b'", "CAST(x'ff6b' AS TEXT)"]) func keysOfAnyBytesAreRead(key: String) throws {
        try withChanged(["UPDATE database2 SET key = \(key) WHERE rowid = 1"]) { url in
            let database = try YapDatabase(url: url, options: .forTests)
            try database.newConnection().read { transaction throws in
                #expect(try transaction.allKeys(inCollection: "books").count == 481)
            }
            try database.close()
        }
    }

    /// SQLite is told that an index rises which falls: each row comes before the last, as where an index leads in circles.
    @Test func anIndexOutOfOrderIsAnError() throws {
        try withChanged([
            "CREATE INDEX falling ON database2 (collection, key DESC)", "PRAGMA writable_schema = ON",
            """
            UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'falling') \
            WHERE name = 'true_primary_key'
            """, "DELETE FROM sqlite_master WHERE name = 'falling'",
        ]) { url in
            let database = try YapDatabase(url: url, options: .forTests)
            try database.newConnection().read { transaction throws in
                expectError(.corrupt, mentioning: "order") { _ = try transaction.allKeys(inCollection: "books") }
                expectError(.corrupt, mentioning: "order") {
                    try transaction.iterateKeysInAllCollections { _, _, _ in }
                }
            }
            try database.close()
            #expect(try !YapDatabase.check(url: url).isEmpty)
        }
    }

    /// The rows of a collection that has few of all rows are looked up in the index, which is an older one here.
    @Test func aRowOfTheIndexThatIsNotInTheTableIsAnError() throws {
        try withChanged([
            "UPDATE database2 SET metadata = NULL, collection = iif(rowid <= 5, 'rare', collection)",
            "CREATE INDEX old ON database2 (collection, key)",
            "CREATE TABLE root AS SELECT rootpage FROM sqlite_master WHERE name = 'old'", "PRAGMA writable_schema = ON",
            "DELETE FROM sqlite_master WHERE name = 'old'", "PRAGMA writable_schema = RESET",
            "DELETE FROM database2 WHERE rowid = 3", "PRAGMA writable_schema = ON",
            "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM root) WHERE name = 'true_primary_key'",
        ]) { url in
            let database = try YapDatabase(url: url, options: .forTests)
            let options = YapDatabaseViewOptions()
            options.allowedCollections = YapWhitelistBlacklist(whitelist: ["rare"])
            let view = YapDatabaseAutoView(
                grouping: .withMetadataBlock { _, _, _, _ in "" },
                sorting: .withKeyBlock { _, _, _, _, _, _ in .orderedSame },
                options: options)
            expectError(.corrupt, mentioning: "Row 3") { try database.register(view, withName: "rare") }
            try database.close()
        }
    }

    /// Without their index rows of one key may be there twice.
    @Test func anIndexThatIsNoKeyIsRefused() throws {
        try withChanged([
            "DROP INDEX true_primary_key", #"CREATE INDEX "true_primary_key" ON "database2" ("collection","key")"#,
        ]) { url in
            expectError(.notAYapDatabase, mentioning: "true_primary_key") { _ = try YapDatabase(url: url) }
        }
        try withChanged(["DROP INDEX true_primary_key"]) { url in
            try YapDatabase(url: url, options: .forTests).close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    private static let edges: [Int64] = [Int64.max, Int64.max / 8 + 1, Int64.max / 8, Int64.min, -1, 4_294_967_296]

    @Test(arguments: edges)
    func countsOfAnySizeAreErrors(count: Int64) throws {
        for condition in ["", " WHERE rowid = 1"] {
            try withChanged(["UPDATE view_order_page SET \"count\" = \(count)\(condition)"]) { url in
                let report = try YapDatabase.checkReport(url: url)
                #expect(report.problems.contains { $0.description.contains("counts \(count) rows") })
                let database = try YapDatabase(url: url, options: .forTests)
                let connection = try database.newConnection()
                try connection.read { _ in }
                let pages = try connection.read { try $0.store.pages(ofView: "order") }
                expectError(.corrupt, mentioning: "order") {
                    _ = try ViewState(pages, view: "order")
                }
                try database.close()
            }
        }
    }

    @Test(arguments: ["x'01'", "'12345678'", "7", "NULL", "zeroblob(80000)"])
    func pagesOfAnyBytesAreTold(data: String) throws {
        try withChanged(["UPDATE view_order_page SET data = \(data) WHERE rowid = 1"]) { url in
            let problems = try YapDatabase.check(url: url)
            #expect(problems.contains { $0.description.contains("counts") }, "\(problems)")
        }
    }

    /// Damage to each row of a view is told in bounded memory.
    @Test func aViewThatIsWrongThroughoutIsToldInShort() throws {
        try withChanged(["UPDATE view_order_map SET pageKey = 'nowhere'"]) { url in
            let problems = try YapDatabase.check(url: url).filter { $0.extensionName == "order" }
            #expect(problems.count == 962)
        }
    }
}
