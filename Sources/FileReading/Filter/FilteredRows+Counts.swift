import FileEngine

extension FilteredRows {
    /// The most values that are told apart.
    private static let mostValues = 1_000_000

    /// Returns how many rows have each value of the order's expression, the most frequent first.
    /// - Throws: ``YapDatabaseError`` with code `badQuery` if there are more than a million values.
    package func counts(progress: @escaping (Int) throws -> Void) throws -> [(value: SQLValue, count: Int)] {
        var counts: [SQLValue: Int] = [:]
        try eachFound(progress) { found in
            counts[found.key, default: 0] += 1
            guard counts.count <= Self.mostValues else {
                throw YapDatabaseError(.badQuery, "There are more than a million values. Count by fewer.")
            }
        }
        return counts.sorted { ($1.value, "\($0.key)") < ($0.value, "\($1.key)") }.map { ($0.key, $0.value) }
    }
}
