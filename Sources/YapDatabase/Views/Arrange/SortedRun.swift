import ListChanges

/// The rows of one group in a sorted batch of a population.
struct SortedRun: @unchecked Sendable {
    // @unchecked: a thread makes it and hands it over, with the contents, to the one that asked for it.

    /// The number of rows.
    let count: Int
    /// The prefix of each row; nil if not every row has one.
    let prefixes: [UInt64]?
    /// Whether rows with equal prefixes are equal.
    let isExact: Bool
    /// The rowids, if the rows themselves are not kept.
    private let numbers: [Int64]
    private let keys: [RowKey]?
    /// The rows, if they are kept.
    private let rows: [RowContent]

    init(rowids: [Int64], numbers: [UInt64], keys: [RowKey]?) {
        (count, prefixes, isExact, self.numbers, self.keys, rows) = (rowids.count, numbers, true, rowids, keys, [])
    }

    /// - Parameter keepsRows: for a run that has all rows of the group and is not stored.
    init(_ rows: [RowContent], prefix: ((RowContent) throws -> UInt64?)?, keepsRows: Bool) throws {
        (count, isExact, keys) = (rows.count, false, nil)
        if keepsRows {
            (self.rows, numbers, prefixes) = (rows, [], nil)
            return
        }
        (self.rows, numbers) = ([], rows.map(\.rowid))
        let known = try prefix.map { prefix in try rows.compactMap { try $0.prefix(prefix) } }
        prefixes = known?.count == rows.count ? known : nil
    }

    /// The rowids in order. O(n) if the rows are kept.
    var rowids: [Int64] { rows.isEmpty ? numbers : rows.map(\.rowid) }

    func row(at index: Int) -> ArrangedRow {
        guard rows.isEmpty else {
            let row = rows[index]
            let isFirst = index % ViewPages.rowsOfFilledPage == 0
            return ArrangedRow(rowid: row.rowid, key: row.key, content: isFirst ? row : nil)
        }
        return ArrangedRow(rowid: numbers[index], key: keys?[index], number: prefixes?[index])
    }
}
