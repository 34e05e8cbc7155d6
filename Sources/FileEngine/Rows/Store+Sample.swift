import SQLiteBridge

extension Store {
    /// The most rows that are passed over to reach one of an allowed collection.
    private static let passedLimit = 50

    /// Returns the rowids of at most `limit` rows in ascending order, spread evenly over all rowids. O(limit) searches.
    package func sampleOfRows(limit: Int, isAllowed: (_ collection: String) -> Bool) throws -> [Int64] {
        let ends = try first(
            #"SELECT (SELECT min("rowid") FROM "database2"), (SELECT max("rowid") FROM "database2")"#,
            read: { $0.isNull(at: 0) ? nil : ($0.int64(at: 0), $0.int64(at: 1)) })
        guard let (least, greatest) = ends ?? nil, limit > 0 else { return [] }
        let statement = try handle.statement(
            #"SELECT "rowid", "collection" FROM "database2" WHERE "rowid" >= ? ORDER BY "rowid""#)
        defer { statement.reset() }
        let (span, gaps) = (UInt64(bitPattern: greatest &- least), UInt64(max(1, limit - 1)))
        var rowids: [Int64] = []
        for place in 0..<UInt64(limit) {
            let target =
                least &+ Int64(bitPattern: gaps.dividingFullWidth(span.multipliedFullWidth(by: place)).quotient)
            if let last = rowids.last, last >= target { continue }
            try statement.bind(target, at: 1)
            var passed = 0
            while passed < Self.passedLimit, try statement.step() {
                passed += 1
                guard isAllowed(statement.text(at: 1) ?? "") else { continue }
                rowids.append(statement.int64(at: 0))
                break
            }
            statement.rewind()
        }
        return rowids
    }
}
