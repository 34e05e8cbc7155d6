import FileEngine
import Foundation
import SQLiteBridge
import Testing

@testable import FileReading

/// A walk over a table ends soon, whatever its rowids are and whatever cannot be read.
@Suite struct TableWalkTests {
    private static let unreadable: [[Int64]] = [
        [1_000_000_000_000], [.max], [.max - 1, .max], [.min, .min + 1, -5, 0, 7, 1 << 40, 1 << 62],
        [-1_000_000_000_000, 1_000_000_000_000],
    ]

    /// Rows whose values are on pages that are destroyed: their places can be found, and nothing else.
    @Test(arguments: unreadable) func aRowThatCannotBeReadIsSkippedAlone(rowids: [Int64]) throws {
        try withRows(rowids) { path, sound in
            let read = try walk(path, maxVisits: 200)
            #expect(read.rowids == sound && read.damage != nil)
        }
    }

    /// Every second leaf is destroyed, between rowids that are far apart.
    @Test func manyDamagedStretchesTakeABoundedNumberOfTries() throws {
        try withTemporaryFolder { folder in
            let path = folder.appending(path: "t.sqlite").path
            try make(path, (1...4_000).map { Int64($0) << 30 })
            var bytes = Array(try Data(contentsOf: URL(filePath: path)))
            var (isDamaged, count) = (false, 0)
            for start in stride(from: 512, to: bytes.count, by: 512) where bytes[start] == 13 {
                isDamaged.toggle()
                if isDamaged {
                    bytes.replaceSubrange(start..<start + 512, with: repeatElement(0xab, count: 512))
                    count += 1
                }
            }
            #expect(count > 50)
            try Data(bytes).write(to: URL(filePath: path))
            let read = try walk(path, maxVisits: 60_000 / 64 + 100 * count)
            #expect(read.damage != nil && read.rowids == read.rowids.sorted())
        }
    }

    /// One row with a value of many pages for each rowid, all damaged, beside sound ones.
    private func withRows(_ rowids: [Int64], _ body: (String, [Int64]) throws -> Void) throws {
        try withTemporaryFolder { folder in
            let path = folder.appending(path: "t.sqlite").path
            let sound = [Int64(1), 2, 3].filter { !rowids.contains($0) }
            try make(path, sound)
            let handle = try SQLiteHandle(path: path, mode: .readWrite)
            for rowid in rowids {
                try handle.execute("INSERT INTO t VALUES (\(rowid), CAST(printf('%.*c', 9000, 'y') AS BLOB))")
            }
            var bytes = Array(try Data(contentsOf: URL(filePath: path)))
            // What follows the first page of a value leads nowhere.
            for start in stride(from: 512, to: bytes.count, by: 512)
            where bytes[start + 8..<start + 512].allSatisfy({ $0 == UInt8(ascii: "y") }) {
                bytes.replaceSubrange(start..<start + 4, with: [0, 0, 0, 0])
            }
            try Data(bytes).write(to: URL(filePath: path))
            try body(path, sound)
        }
    }

    private func make(_ path: String, _ rowids: [Int64]) throws {
        let handle = try SQLiteHandle(path: path, mode: .create)
        try handle.execute("PRAGMA page_size = 512")
        try handle.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b)")
        try handle.execute("BEGIN")
        for rowid in rowids { try handle.execute("INSERT INTO t VALUES (\(rowid), 'some text')") }
        try handle.execute("COMMIT")
    }

    private func walk(_ path: String, maxVisits: Int) throws -> (rowids: [Int64], damage: (any Error)?) {
        let store = try Store(path: path, mode: .readOnlyAlone, busyTimeout: 0)
        var (walk, visits) = (TableWalk(), 0)
        var rowids: [Int64] = []
        while !walk.isOver {
            visits += 1
            guard visits <= maxVisits else {
                Issue.record("The walk does not end.")
                break
            }
            try walk.visit(1_000, of: "t", ", b", store) { rowids.append($0.int64(at: 0)) }
        }
        return (rowids, walk.damage)
    }
}
