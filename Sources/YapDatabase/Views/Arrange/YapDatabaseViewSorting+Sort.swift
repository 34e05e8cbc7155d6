extension YapDatabaseViewSorting {
    /// Returns the rows in order; `precedes` must agree with the block, and decides between rows without a prefix or with an equal
    /// one. O(n log n) comparisons, of numbers where the rows have prefixes.
    func sorted(
        _ rows: [RowContent], by precedes: (RowContent, RowContent) throws -> Bool
    ) throws -> [RowContent] {
        // Sorting moves numbers; references would be counted at each move.
        guard let prefix else {
            return try rows.indices.map(Int32.init).stablySorted { try precedes(rows[Int($0)], rows[Int($1)]) }
                .map { rows[Int($0)] }
        }
        return try rows.enumerated().map { index, row in
            let prefix = try row.prefix(prefix)
            return Prefixed(prefix: prefix ?? 0, hasPrefix: prefix != nil, row: Int32(index))
        }.stablySorted { a, b in
            if a.hasPrefix, b.hasPrefix, a.prefix != b.prefix { return a.prefix < b.prefix }
            return try precedes(rows[Int(a.row)], rows[Int(b.row)])
        }.map { rows[Int($0.row)] }
    }
}

/// A row of an array and its prefix.
private struct Prefixed {
    let prefix: UInt64
    let hasPrefix: Bool
    let row: Int32
}
