import Foundation
import ListChanges
import SQLiteBridge
import TestSupport
import Testing
import YapDatabase

@testable import FileReading

/// For any commits of others: the change-set applied to the rows before gives the rows after, and every shown row that
/// changed is named.
@Suite struct FollowLawTests {
    @Test(arguments: Effort.some([UInt64(1), 20_261_120])) func changeSetsAreExactBesidePlainSQL(seed: UInt64) throws {
        try withDatabase { path in
            var random = SplitMix64(seed: seed)
            let writer = try SQLiteHandle(path: path, mode: .readWrite)
            let scene = try FollowScene(path, collections: ["a", "b"], &random)
            for step in 0..<60 {
                try writer.execute("BEGIN")
                for _ in 0..<Int.random(in: 1...6, using: &random) { try change(writer, &random) }
                try writer.execute("COMMIT")
                try scene.expectLaw("seed \(seed), step \(step)")
            }
        }
    }

    /// While the writer begins its log again, the state before cannot be read. What was shown of it is known.
    @Test(arguments: Effort.some([UInt64(3), 20_261_130])) func changeSetsAreExactBehindAWriter(seed: UInt64) throws {
        try withDatabase { path throws in
            var random = SplitMix64(seed: seed)
            let writer = try SQLiteHandle(path: path, mode: .readWrite)
            let scene = try FollowScene(path, collections: ["a", "b"], &random)
            try change(writer, &random)
            try scene.expectLaw("seed \(seed), first step")
            var known = 0
            for step in 0..<40 {
                scene.letGo()
                for _ in 0..<Int.random(in: 1...6, using: &random) {
                    try change(writer, &random)
                    if random.below(3) == 0 { _ = try writer.checkpoint(.truncate) }
                }
                known += try scene.expectLaw("seed \(seed), step \(step)", mayReload: true)
            }
            #expect(known > 40, "seed \(seed)")
        }
    }

    @Test(arguments: Effort.some([UInt64(2), 20_261_121])) func changeSetsAreExactBesideOurWriters(seed: UInt64) throws
    {
        try withDatabase { path in
            var random = SplitMix64(seed: seed)
            let database = try YapDatabase(url: URL(filePath: path))
            try database.register(view, withName: "order")
            let connection = try database.newConnection()
            let scene = try FollowScene(path, collections: ["a"], views: ["order"], &random)
            for step in 0..<60 {
                try connection.readWrite { transaction in
                    for _ in 0..<Int.random(in: 1...6, using: &random) {
                        let key = "k\(Int.random(in: 0..<30, using: &random))"
                        if Bool.random(using: &random) {
                            try transaction.setObject(
                                Int.random(in: 0..<40, using: &random), forKey: key, inCollection: "a")
                        } else {
                            try transaction.removeObject(forKey: key, inCollection: "a")
                        }
                    }
                }
                try scene.expectLaw("seed \(seed), step \(step)")
            }
            try database.close()
        }
    }

    /// A change that a program may make that knows nothing of us: rowids are reused, keys change, rows move.
    private func change(_ writer: SQLiteHandle, _ random: inout SplitMix64) throws {
        let collection = Bool.random(using: &random) ? "a" : "b"
        let key = "k\(Int.random(in: 0..<30, using: &random))"
        let value = "x'\(String(Int.random(in: 16..<256, using: &random), radix: 16))'"
        switch Int.random(in: 0..<7, using: &random) {
        case 6:
            // SQLite gives the greatest rowid to the next row.
            try writer.execute("DELETE FROM database2 WHERE rowid = (SELECT max(rowid) FROM database2)")
            try writer.execute(
                "INSERT OR REPLACE INTO database2 (collection, key, data) VALUES ('\(collection)', '\(key)', \(value))")
        case 0: try writer.execute("DELETE FROM database2 WHERE key = '\(key)'")
        case 1: try writer.execute("UPDATE database2 SET data = \(value) WHERE key = '\(key)'")
        case 2: try writer.execute("UPDATE OR IGNORE database2 SET key = 'm' || key WHERE key = '\(key)'")
        case 3: try writer.execute("UPDATE OR IGNORE database2 SET collection = '\(collection)' WHERE key = '\(key)'")
        case 4: try writer.execute("UPDATE OR IGNORE database2 SET rowid = rowid + 7 WHERE key = '\(key)'")
        default:
            try writer.execute(
                "INSERT OR REPLACE INTO database2 (collection, key, data) VALUES ('\(collection)', '\(key)', \(value))")
        }
    }

    /// Three groups, which come and go.
    private var view: YapDatabaseAutoView {
        YapDatabaseAutoView(
            grouping: .withObjectBlock { _, _, _, object in
                ((object as? Int) ?? 0) % 4 == 3 ? nil : "group \(((object as? Int) ?? 0) % 4)"
            },
            sorting: .withObjectBlock { _, _, _, keyA, a, _, keyB, b in
                let (a, b) = ((a as? Int) ?? 0, (b as? Int) ?? 0)
                return a == b ? keyA.compare(keyB) : a < b ? .orderedAscending : .orderedDescending
            }, versionTag: "1")
    }

    private func withDatabase(_ body: (String) throws -> Void) throws {
        try withTemporaryFolder { folder in
            let path = folder.appending(path: "test.sqlite").path
            let database = try YapDatabase(url: URL(filePath: path))
            try database.newConnection().readWrite { transaction in
                for number in 0..<10 { try transaction.setObject(number, forKey: "k\(number)", inCollection: "a") }
            }
            try database.close()
            try body(path)
        }
    }
}
