import Foundation
import SQLiteBridge
import SeededRandom
import TestSupport
import Testing

/// Commits whose pages reach the log in one call.
@Suite final class GatheredCommitTests {
    private let folder: URL
    private var path: String { folder.appending(path: "t.sqlite").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "yap-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Two handles in turn, transactions of all sizes, rollbacks, pages that do not fit into the cache, logs that begin again:
    /// what is in the files after each commit is what was committed.
    @Test(arguments: Effort.some([1, 2, 3, UInt64.random(in: 4..<1_000_000)]))
    func theFilesHoldEachCommit(seed: UInt64) throws {
        print("GatheredCommitTests: seed \(seed)")
        var random = SplitMix64(seed: seed)
        let synchronous = ["OFF", "NORMAL", "FULL"].randomElement(using: &random)!
        let handles = try (0..<2).map { _ in
            let handle = try SQLiteHandle(path: path, mode: .create, busyTimeout: 1_000)
            try select(handle, "PRAGMA journal_mode = WAL")
            try handle.execute("PRAGMA synchronous = \(synchronous)")
            // Most transactions write pages before their commit, and some write them twice.
            try handle.execute("PRAGMA cache_size = 10")
            return handle
        }
        try handles[0].execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b)")
        var stored: [Int64: [UInt8]] = [:]
        for step in 0..<120 {
            let handle = handles.randomElement(using: &random)!
            var written = stored
            try handle.execute("BEGIN IMMEDIATE")
            try write(Int.random(in: 0..<[3, 30, 300].randomElement(using: &random)!, using: &random), &written)
            if Int.random(in: 0..<4, using: &random) == 0 {
                try handle.execute("ROLLBACK")
            } else {
                try handle.commit()
                stored = written
                try #require(try rowsOfCopy() == stored, "seed \(seed), step \(step), \(synchronous)")
            }
            if Int.random(in: 0..<10, using: &random) == 0 { _ = try handles[0].checkpoint(.restart) }

            func write(_ count: Int, _ rows: inout [Int64: [UInt8]]) throws {
                for _ in 0..<count {
                    let (number, size) = (
                        Int64.random(in: 0..<400, using: &random), Int.random(in: 0..<900, using: &random)
                    )
                    let bytes = [UInt8](repeating: UInt8.random(in: 0...255, using: &random), count: size)
                    let insert = try handle.statement("INSERT OR REPLACE INTO t VALUES (?, ?)")
                    defer { insert.reset() }
                    try insert.bind(number, at: 1)
                    try insert.bind(bytes, at: 2)
                    try insert.run()
                    rows[number] = bytes
                }
            }
        }
        for handle in handles { #expect(try select(handle, "PRAGMA integrity_check") == "ok") }
    }

    @Test func aCommitThatFailsLeavesNothingForTheNext() throws {
        let handle = try SQLiteHandle(path: path, mode: .create)
        try select(handle, "PRAGMA journal_mode = WAL")
        try handle.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b)")
        try handle.execute("CREATE TABLE child (a REFERENCES t DEFERRABLE INITIALLY DEFERRED)")
        try handle.execute("PRAGMA foreign_keys = ON")
        try handle.execute("BEGIN IMMEDIATE")
        try handle.execute("INSERT INTO child VALUES (1)")
        #expect(throws: (any Error).self) { try handle.commit() }
        try handle.execute("INSERT INTO t VALUES (1, x'01')")
        try handle.commit()
        #expect(try rowsOfCopy() == [1: [1]])
        // Without a transaction there is nothing to commit.
        #expect(throws: (any Error).self) { try handle.commit() }
    }

    /// The rows that are found after a power failure of which nothing was lost: without the log's index.
    private func rowsOfCopy() throws -> [Int64: [UInt8]] {
        let copy = folder.appending(path: "copy.sqlite").path
        for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: copy + ending) }
        for ending in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + ending, toPath: copy + ending) }
        let handle = try SQLiteHandle(path: copy, mode: .readWrite)
        let rows = try handle.statement("SELECT a, b FROM t")
        defer { rows.reset() }
        var found: [Int64: [UInt8]] = [:]
        while try rows.step() { found[rows.int64(at: 0)] = rows.withBlob(at: 1) { $0.map(Array.init) ?? [] } }
        return found
    }

    @discardableResult private func select(_ handle: SQLiteHandle, _ sql: String) throws -> String? {
        let statement = try handle.statement(sql)
        defer { statement.reset() }
        return try statement.step() ? statement.text(at: 0) : nil
    }
}
