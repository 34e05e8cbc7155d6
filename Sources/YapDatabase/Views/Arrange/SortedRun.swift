import ListChanges

/// The rows of one group in a sorted batch of a population.
struct SortedRun: @unchecked Sendable {
    // @unchecked: a thread makes it and hands it over, with the contents, to the one that asked for it.

    /// The number of rows.
    let count: Int
    /// The prefix of each row, of an order that has them.
    let prefixes: [UInt64]?
    /// Whether rows with equal prefixes are equal.
    let isExact: Bool
    /// The rowids, and the keys where they are needed, if the rows themselves are not kept.
    private let bareRowids: [Int64]
    private let keys: [RowKey]?
    /// The rows that will be the first on their pages, if they are in hand and the run has all rows of the group.
    private let firstsOfPages: [RowContent]
    /// All rows, if they hold their keys alone. Objects are better freed where they were sorted, which several threads may do.
    private let rows: [RowContent]

    init(rowids: [Int64], numbers: [UInt64], keys: [RowKey]?) {
        (count, prefixes, isExact) = (rowids.count, numbers, true)
        (bareRowids, self.keys, firstsOfPages, rows) = (rowids, keys, [], [])
    }

    /// - Parameters:
    ///   - needs: what the rows hold besides their keys.
    ///   - keepsKeys: of a run that has all rows of the group and is not stored.
    init(
        _ rows: [RowContent], needs: RowNeeds, prefix: ((RowContent) throws -> UInt64)?, keepsKeys: Bool
    ) throws {
        (count, isExact) = (rows.count, false)
        if keepsKeys, needs.isEmpty {
            (self.rows, bareRowids, keys, firstsOfPages, prefixes) = (rows, [], nil, [], nil)
            return
        }
        self.rows = []
        bareRowids = rows.map(\.rowid)
        keys = keepsKeys ? rows.map(\.key) : nil
        let pageSize = ViewPages.rowsOfFilledPage
        firstsOfPages = keepsKeys ? stride(from: 0, to: rows.count, by: pageSize).map { rows[$0] } : []
        prefixes = keepsKeys ? nil : try prefix.map { prefix in try rows.map { try $0.prefix(prefix) } }
    }

    /// The rowids in order. O(n) if the rows are kept.
    var rowids: [Int64] { rows.isEmpty ? bareRowids : rows.map(\.rowid) }

    func row(at index: Int) -> ArrangedRow {
        let (page, place) = index.quotientAndRemainder(dividingBy: ViewPages.rowsOfFilledPage)
        guard rows.isEmpty else {
            let row = rows[index]
            return ArrangedRow(rowid: row.rowid, key: row.key, content: place == 0 ? row : nil)
        }
        return ArrangedRow(
            rowid: bareRowids[index], key: keys?[index], number: isExact ? prefixes?[index] : nil,
            content: place == 0 && page < firstsOfPages.count ? firstsOfPages[page] : nil)
    }
}
