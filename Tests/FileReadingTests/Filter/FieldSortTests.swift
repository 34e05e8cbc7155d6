import FileEngine
import FileReading
import Foundation
import SQLiteBridge
import SeededRandom
import Testing

/// What the screen sorts and counts is what `--sort` and `--count-by` print.
@Suite struct FieldSortTests {
    @Test(arguments: 0..<(Effort.isFull ? 40 : 6)) func theOrderIsThatOfSQLite(seed: Int) throws {
        try withValues(seed) { path, random in
            for isDescending in [false, true] {
                let content = try content(path)
                let order = FilteredRows.Order("v", isDescending: isDescending)
                let sort = FieldSort(content, order, RowDecoder())
                #expect(sort.progress.rows == 0 && !sort.progress.isOver)
                try sort.run()
                #expect(sort.progress.isOver && !sort.progress.isCut)
                let wanted = try rowids(content, order)
                #expect(try rowids(sort.sorted()) == wanted)
                // Only touched rows are read again.
                let touched = Set(wanted.filter { _ in Int.random(in: 0..<5, using: &random) == 0 })
                try change(path, touched, &random)
                let newer = try self.content(path)
                let again = FieldSort(newer, order, RowDecoder())
                try again.run(after: (sort, .some(touched)))
                #expect(try rowids(again.sorted()) == rowids(newer, order))
            }
        }
    }

    @Test(arguments: 0..<(Effort.isFull ? 20 : 4)) func theCountsAreThoseOfTheLines(seed: Int) throws {
        try withValues(seed) { path, _ in
            let content = try content(path)
            let count = FieldCount(content, "v", RowDecoder())
            try count.run()
            let lines = try FilteredRows(content, where: nil, order: .init("v")).counts { _ in }
            let result = count.result()
            #expect(result.isOver && result.entries.map(\.value) == lines.map(\.value))
            #expect(result.entries.map(\.count) == lines.map(\.count) && result.values == lines.count)
            // Each value's literal selects as many rows as were counted.
            for entry in result.entries.prefix(30) {
                var found = 0
                try FilteredRows(content, where: "v IS \(entry.value.literal)", order: nil).enumerate(RowSelection()) {
                    _ in
                    found += 1
                }
                #expect(found == entry.count, "\(entry)")
            }
        }
    }

    @Test func textsThatLookAlikeAreTwo() throws {
        try withFile(
            "json",
            changedBy: [
                "UPDATE database2 SET data = json_object('v', char(233)) WHERE rowid % 2 = 0",
                "UPDATE database2 SET data = json_object('v', 'e' || char(769)) WHERE rowid % 2 = 1",
            ]
        ) { path in
            let count = FieldCount(try content(path), "v", RowDecoder())
            try count.run()
            #expect(count.result().entries.map(\.count) == [60, 60])
        }
    }

    @Test func aCancelledSortEnds() throws {
        try withFile("books") { path in
            let sort = FieldSort(try content(path), .init("price", isDescending: false), RowDecoder())
            sort.cancel()
            try sort.run()
            #expect(sort.progress.isOver && sort.progress.rows < 481)
        }
    }

    private func withValues(_ seed: Int, body: (String, inout SplitMix64) throws -> Void) throws {
        try withFile("json") { path in
            var random = SplitMix64(seed: UInt64(seed))
            try change(path, nil, &random)
            try body(path, &random)
        }
    }

    /// Gives rows, all if nil, values of every kind: whole and broken numbers, large ones, texts, nothing.
    private func change(_ path: String, _ rowids: Set<Int64>?, _ random: inout SplitMix64) throws {
        let handle = try SQLiteHandle(path: path, mode: .readWrite)
        let all = try query(path, "SELECT rowid FROM database2").compactMap { Int64($0[0]) }
        for rowid in all where rowids?.contains(rowid) ?? true {
            let value = [
                "\(Int.random(in: -3...3, using: &random))", "\(Double(Int.random(in: -6...6, using: &random)) / 2)",
                "9007199254740993", "9007199254740992.0", "\"é\"", "\"z\"", "\"Z\"", "\"it's\"", "\"\"", "null", "true",
                "[1, 2]",
            ].randomElement(using: &random)!
            let json = Int.random(in: 0..<8, using: &random) == 0 ? "{}" : "{\"v\": \(value)}"
            try handle.execute(
                "UPDATE database2 SET data = '\(json.replacing("'", with: "''"))' WHERE rowid = \(rowid)")
        }
        try handle.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    private func content(_ path: String) throws -> ListContent {
        let snapshot = try BrowsedFile(path: path).snapshot
        let catalog = try snapshot.catalog()
        return try ListContent(
            .collection(try #require(catalog.collections.first), by: .key), snapshot, catalog: catalog)
    }

    private func rowids(_ content: ListContent) throws -> [Int64] {
        var rowids: [Int64] = []
        try content.enumerate(RowSelection()) { rowids.append($0.row.rowid) }
        return rowids
    }

    private func rowids(_ content: ListContent, _ order: FilteredRows.Order) throws -> [Int64] {
        var rowids: [Int64] = []
        try FilteredRows(content, where: nil, order: order).enumerate(RowSelection()) { rowids.append($0.row.rowid) }
        return rowids
    }
}
