import SQLiteBridge

/// What the records of a file's mutations say of all of them.
package struct OutboxCount: Hashable, Sendable {
    /// How many wait for the server, and the least of their numbers.
    package let pending: Int
    private let firstPending: Int?
    /// The greatest number of any.
    private let last: Int
    private let bytes: Int

    fileprivate init(pending: Int, firstPending: Int?, last: Int, bytes: Int) {
        (self.pending, self.firstPending, self.last, self.bytes) = (pending, firstPending, last, bytes)
    }

    /// The summary of them.
    package var state: OutboxState {
        var state = OutboxState()
        (state.first, state.last, state.bytes) = (firstPending ?? last + 1, last, bytes)
        return state
    }

    /// What a summary says wrongly; nil if a program may believe it.
    package func fault(of summary: OutboxState) -> String? {
        if let firstPending, firstPending < summary.first || summary.last < firstPending {
            return "lacks the pending mutation \(firstPending)"
        }
        // Records of the last ones may be gone: the program has dealt with them.
        if last > summary.last { return "ends with \(summary.last), and there is a mutation \(last)" }
        if bytes < OutboxState.limit.bytes, summary.bytes >= OutboxState.limit.bytes {
            return "has \(summary.bytes) bytes of pending mutations instead of \(bytes)"
        }
        if pending < OutboxState.limit.mutations / 2, summary.pending >= OutboxState.limit.mutations {
            return "has \(summary.pending) pending mutations instead of \(pending)"
        }
        return nil
    }
}

extension Store {
    /// Counts the records of mutations. One that is damaged so that it cannot be read counts for none.
    ///
    /// O(records). They are asked by their JSON, so that also a repair, which decodes no rows, can do it.
    /// - Returns: nil if there is no record.
    package func countOfMutations() throws -> OutboxCount? {
        guard try table(isDerived: true) != nil else { return nil }
        return try first(Self.countMutations) { row -> OutboxCount? in
            guard row.type(at: 2) == .integer else { return nil }
            return OutboxCount(
                pending: Int(row.int64(at: 0)), firstPending: row.type(at: 1) == .integer ? Int(row.int64(at: 1)) : nil,
                last: Int(row.int64(at: 2)), bytes: Int(row.int64(at: 3)))
        } ?? nil
    }

    /// The number of a row is that of its key. Another one would be another mutation's.
    private static let countMutations = """
        SELECT count(*) FILTER (WHERE NOT settled), min(number) FILTER (WHERE NOT settled), max(number), \
        coalesce(sum(size) FILTER (WHERE NOT settled), 0)
        FROM (
            SELECT "key", json_extract("json", '$.number') AS number, json_extract("json", '$.isSettled') AS settled, \
            length(CAST(json_extract("json", '$.arguments') AS BLOB)) + length(CAST(json_extract("json", '$.name') AS BLOB)) \
            + \(OutboxState.sizeOfRecord) AS size
            FROM (
                SELECT "key", CASE WHEN json_valid(CAST("data" AS TEXT)) THEN CAST("data" AS TEXT) END AS "json"
                FROM "\(RowTable.derivedName)" WHERE "collection" = '\(RowTable.mutations)'
            )
        )
        WHERE typeof(number) = 'integer' AND number BETWEEN 1 AND \(OutboxState.largestNumber)
        AND "key" = printf('%016x', number) AND settled IN (0, 1) AND size IS NOT NULL
        """
}
