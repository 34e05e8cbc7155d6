extension YapDatabaseViewSorting {
    /// Returns the rows in order; `precedes` must agree with the block, and decides between rows with an equal prefix. O(n log n) comparisons, of numbers where the rows have prefixes.
    func sorted(
        _ rows: [RowContent], by precedes: (RowContent, RowContent) throws -> Bool
    ) throws -> [RowContent] {
        // Sorting moves numbers; references would be counted at each move.
        guard let prefix else {
            return try rows.indices.map(Int32.init).stablySorted { try precedes(rows[Int($0)], rows[Int($1)]) }
                .map { rows[Int($0)] }
        }
        let prefixed = try rows.enumerated().map { Prefixed(prefix: try $1.prefix(prefix), row: Int32($0)) }
        let sorted = try prefixed.stablySorted { a, b throws -> Bool in
            if a.prefix != b.prefix { return a.prefix < b.prefix }
            return try precedes(rows[Int(a.row)], rows[Int(b.row)])
        }
        return sorted.map { rows[Int($0.row)] }
    }
}

/// A row of an array and its prefix.
private struct Prefixed {
    let prefix: UInt64
    let row: Int32
}
