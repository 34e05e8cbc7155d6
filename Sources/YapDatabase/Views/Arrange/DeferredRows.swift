import ListChanges

/// Rows that a transaction has written and that have no place in their view yet.
///
/// The first rows of a transaction are placed at once, each by a search. After these, rows are collected, sorted, and merged into
/// the pages together: when the view is read, when there are too many, and at the commit.
///
/// Only a view that no other view follows defers rows. "Too many" are 131,072 rows or 32 MB of contents. A row that changes its
/// place leaves the old one at once, so the log stays in order and only the insertions come later. A block that
/// throws while rows are merged fails the commit, not the call that wrote the row.
///
/// Memory: 24 bytes a row, and its content where blocks compare contents; where numbers alone decide the order, these are kept. Its key is in the
/// transaction's list. Rows that come in the order of their rowids, as new ones do, are found by halving; others by a dictionary.
struct DeferredRows {
    /// The rows of a transaction that are placed at once. A block that fails on one of them fails in the very call that wrote it.
    static let placedAtOnce = 64
    /// What is held at most, as in a population.
    private static let limit = ViewPopulation.Limit()

    private struct Row {
        let rowid: Int64
        /// What decides the order, where numbers do.
        let number: UInt64
        /// The number of the key in the transaction's list.
        let key: UInt32
        /// The group among `names`; -1 for a row that was taken out.
        var group: Int32
    }

    /// In the order in which they came.
    private var rows: [Row] = []
    /// The contents of the rows, where blocks compare these.
    private var contents: [RowContent] = []
    private var keys: RowKeyList?
    /// The rows that were not taken out.
    private(set) var count = 0
    private var bytes = 0
    private var names: [String] = []
    private var groupNumbers = ExactDictionary<Int32>()
    /// The places of rows, once one did not come in the order of the rowids.
    private var places: [Int64: Int32]?

    var isEmpty: Bool { count == 0 }
    var isFull: Bool { count >= Self.limit.rows || rows.count >= 2 * Self.limit.rows || bytes >= Self.limit.bytes }

    /// Adds a row that is not in the view.
    /// - Parameters:
    ///   - number: what stands for the content, where numbers alone decide the order; for all rows or for none.
    ///   - keys: the transaction's list.
    mutating func add(_ row: RowContent, to group: String, number: UInt64?, keys: RowKeyList) {
        self.keys = keys
        if places == nil, let last = rows.last, last.rowid >= row.rowid { findByDictionary() }
        places?[row.rowid] = Int32(rows.count)
        rows.append(
            Row(
                rowid: row.rowid, number: number ?? 0, key: keys.number(of: row.key), group: self.number(of: group)))
        count += 1
        guard number == nil else { return }
        contents.append(row)
        bytes += row.size
    }

    private mutating func findByDictionary() {
        places = Dictionary(minimumCapacity: 2 * rows.count)
        for (index, row) in rows.enumerated() where row.group >= 0 { places?[row.rowid] = Int32(index) }
    }

    /// Takes a row out, if it is here. O(log n).
    mutating func remove(_ rowid: Int64) -> (group: String, row: RowContent)? {
        guard !isEmpty, let index = index(of: rowid), rows[index].group >= 0 else { return nil }
        let removed = (names[Int(rows[index].group)], content(at: index))
        places?[rowid] = nil
        rows[index].group = -1
        count -= 1
        if !contents.isEmpty { bytes -= contents[index].size }
        return removed
    }

    private func content(at index: Int) -> RowContent {
        let row = rows[index]
        if !contents.isEmpty { return contents[index].noteKey(row.key) }
        return RowContent(rowid: row.rowid, key: keys![row.key], number: row.number).noteKey(row.key)
    }

    private func index(of rowid: Int64) -> Int? {
        if let places { return places[rowid].map { Int($0) } }
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = (low + high) / 2
            if rows[middle].rowid < rowid { low = middle + 1 } else { high = middle }
        }
        return low < rows.count && rows[low].rowid == rowid ? low : nil
    }

    /// Calls the body with each group and its rows, in the order in which they came; the groups in the order of their names.
    func forEachGroup(_ body: (_ name: String, [RowContent]) throws -> Void) rethrows {
        var members = Array(repeating: [Int32](), count: names.count)
        for (index, row) in rows.enumerated() {
            if row.group >= 0 { members[Int(row.group)].append(Int32(index)) }
        }
        for number in names.indices.sorted(by: { names[$0].precedes(names[$1]) }) where !members[number].isEmpty {
            try body(names[number], members[number].map { content(at: Int($0)) })
        }
    }

    private mutating func number(of group: String) -> Int32 {
        if let number = groupNumbers[group] { return number }
        let number = Int32(names.count)
        groupNumbers[group] = number
        names.append(group)
        return number
    }
}

/// What a view did, as it tells the extensions that are made from it. They are told after each change, so a view and its followers
/// are never more than one change apart.
enum FollowedChange {
    /// The row was inserted, moved or updated. Nil for a row that was not in the view before.
    case placed(ChangedRow, from: String?)
    /// The row is no longer in the view, and perhaps not in the database.
    case left(Int64, RowKey)
    /// All rows left.
    case cleared
    /// Many rows were placed at once.
    case rearranged(Rearrangement)
}

/// What may differ after many rows were placed at once.
enum Rearrangement {
    /// The order of the groups' rows alone.
    case order
    /// Which rows are in a group. Those that were there before keep their order.
    case rows
    /// Groups, rows and their order.
    case groups
}
