import ListChanges

/// The rows of one group in a sorted batch of a population.
struct SortedRun: @unchecked Sendable {
    // @unchecked: a thread makes it and hands it over, with the contents, to the one that asked for it.

    let rowids: [Int64]
    /// The prefix of each row; nil if not every row has one.
    let prefixes: [UInt64]?
    /// Nil where they are not needed.
    let keys: [RowKey]?
    /// Whether rows with equal prefixes are equal.
    let isExact: Bool
    /// The rows that will be the first on their pages, if they are in hand and the run has all rows of the group.
    private let firstsOfPages: [RowContent]

    init(rowids: [Int64], numbers: [UInt64], keys: [RowKey]?) {
        (self.rowids, prefixes, self.keys, isExact, firstsOfPages) = (rowids, numbers, keys, true, [])
    }

    init(_ rows: [RowContent], prefix: ((RowContent) throws -> UInt64?)?, keepsKeys: Bool) throws {
        rowids = rows.map(\.rowid)
        keys = keepsKeys ? rows.map(\.key) : nil
        isExact = false
        let pageSize = ViewPages.rowsOfFilledPage
        firstsOfPages = keepsKeys ? stride(from: 0, to: rows.count, by: pageSize).map { rows[$0] } : []
        guard let prefix, !keepsKeys else {
            prefixes = nil
            return
        }
        let known = try rows.compactMap { try $0.prefix(prefix) }
        prefixes = known.count == rows.count ? known : nil
    }

    func row(at index: Int) -> ArrangedRow {
        let (page, place) = index.quotientAndRemainder(dividingBy: ViewPages.rowsOfFilledPage)
        return ArrangedRow(
            rowid: rowids[index], key: keys?[index], number: isExact ? prefixes?[index] : nil,
            content: place == 0 && page < firstsOfPages.count ? firstsOfPages[page] : nil)
    }
}
