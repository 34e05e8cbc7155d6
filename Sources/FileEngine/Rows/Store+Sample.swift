import ListChanges
import SQLiteBridge

extension Store {
    /// The most rows that are passed over to reach one of an allowed collection.
    private static let passedLimit = 50

    /// Returns the rowids of at most `limit` rows in ascending order, spread evenly over all rowids. O(limit) searches.
    package func sampleOfRows(limit: Int, isAllowed: (_ collection: String) -> Bool) throws -> [Int64] {
        var rowids: [Int64] = []
        try forEachProbe(limit) { target, statement in
            if let last = rowids.last, last >= target { return }
            var passed = 0
            while passed < Self.passedLimit, try statement.step() {
                passed += 1
                guard isAllowed(statement.text(at: 1) ?? "") else { continue }
                rowids.append(statement.int64(at: 0))
                break
            }
        }
        return rowids
    }

    /// Returns about which part of all rows these collections have, from 0 to 1, by rows spread evenly over all rowids. 32 searches.
    package func share(ofCollections collections: [String]) throws -> Double {
        let names = collections.exact
        var (rows, found) = (0, 0)
        try forEachProbe(32) { _, statement in
            guard try statement.step() else { return }
            rows += 1
            if names.contains(ExactString(statement.text(at: 1) ?? "")) { found += 1 }
        }
        return rows > 0 ? Double(found) / Double(rows) : 0
    }

    /// Calls the body with rowids that are spread evenly over all, in ascending order, and a statement that reads rowid and collection of
    /// the rows from there on.
    private func forEachProbe(_ count: Int, _ body: (Int64, SQLiteStatement) throws -> Void) throws {
        let ends = try first(
            #"SELECT (SELECT min("rowid") FROM "database2"), (SELECT max("rowid") FROM "database2")"#,
            read: { $0.isNull(at: 0) ? nil : ($0.int64(at: 0), $0.int64(at: 1)) })
        guard let (least, greatest) = ends ?? nil, count > 0 else { return }
        let statement = try handle.statement(
            #"SELECT "rowid", "collection" FROM "database2" WHERE "rowid" >= ? ORDER BY "rowid""#)
        defer { statement.reset() }
        let (span, gaps) = (UInt64(bitPattern: greatest &- least), UInt64(max(1, count - 1)))
        for place in 0..<UInt64(count) {
            let target =
                least &+ Int64(bitPattern: gaps.dividingFullWidth(span.multipliedFullWidth(by: place)).quotient)
            try statement.bind(target, at: 1)
            try body(target, statement)
            statement.rewind()
        }
    }
}
