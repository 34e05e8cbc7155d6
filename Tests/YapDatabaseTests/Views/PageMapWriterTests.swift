import TestSupport
import Testing

@testable import FileEngine
import ViewPageKeys
@testable import YapDatabase

/// The map of many rows, against a dictionary.
@Suite struct PageMapWriterTests {
    private static let names = (0..<5).map { _ in PageKey.random() }

    /// Runs of neighbours, gaps, rows below those that are there, rows that are there already, the ends of the numbers.
    @Test(arguments: Effort.some([1, 2, 3, 4, 5, 6, UInt64.random(in: 7..<1_000_000)]))
    func theTableHoldsTheLastPageOfEachRow(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        try withTemporaryDatabase { database throws in
            try database.newConnection().readWrite { transaction throws in
                let store = transaction.store
                try store.createViewTables(view: "filled")
                var wanted: [Int64: String] = [:]
                for step in 0..<6 {
                    let rows = rows(step, &random)
                    let fill = try store.pageMapWriter(view: "filled")
                    // In portions, as a population hands them over.
                    for start in stride(from: 0, to: rows.count, by: 1_024) {
                        let portion = Array(rows[start..<min(start + 1_024, rows.count)])
                        try fill.write(portion, pages: Self.names.map(\.name))
                    }
                    for row in rows { wanted[row.rowid] = Self.names[Int(row.page)].text }
                    let found = try Dictionary(
                        uniqueKeysWithValues: store.all(
                            #"SELECT "rowid", "pageKey" FROM "view_filled_map""#,
                            read: { ($0.int64(at: 0), $0.text(at: 1) ?? "") }))
                    #expect(found == wanted, "seed \(seed), step \(step)")
                }
                try store.dropViewTables(view: "filled")
            }
        }
    }

    private func rows(_ step: Int, _ random: inout SplitMix64) -> [PageMapWriter.Row] {
        let starts: [Int64] = [1, 1, 500, -700, .max - 900, .min, 5_000]
        var rowids: Set<Int64> = []
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let start = step == 0 ? 1 : starts.randomElement(using: &random)!
            // All, or nearly all of a range.
            let share = [1, 1, 0.999, 0.5].randomElement(using: &random)!
            for offset in 0..<Int64.random(in: 1...900, using: &random)
            where Double.random(in: 0..<1, using: &random) < share { rowids.insert(start + offset) }
        }
        if Bool.random(using: &random) { rowids.insert(.max) }
        return rowids.sorted().map { PageMapWriter.Row(rowid: $0, page: Int32.random(in: 0..<5, using: &random)) }
    }

    /// A table that another program made.
    @Test func aTableThatNumbersNoRowsIsDamaged() throws {
        try withTemporaryDatabase { database throws in
            let rows = (1...300).map { PageMapWriter.Row(rowid: $0, page: 0) }
            let error = #expect(throws: YapDatabaseError.self) {
                try database.newConnection().readWrite { transaction throws in
                    let store = transaction.store
                    try store.execute(#"CREATE TABLE "view_filled_map" ("rowid" INTEGER, "pageKey" CHAR NOT NULL)"#)
                    try store.pageMapWriter(view: "filled").write(rows, pages: Self.names.map(\.name))
                }
            }
            #expect(error?.code == .corrupt)
        }
    }
}
