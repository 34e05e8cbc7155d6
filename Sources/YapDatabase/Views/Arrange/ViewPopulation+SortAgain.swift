extension ViewPopulation {
    /// Passes on the present rows of each group of the view in their new order. Does not call the grouping block, and
    /// reads of the rows only what the sorting block needs.
    ///
    /// The rows are read in the order of the table, which is quick, and in which most rows of most views are nearly sorted.
    /// - Returns: the rows that cannot be decoded and are left out.
    func sortAgain(into sink: any RowSink) throws -> UndecodableRows {
        var work = self
        let groups = try work.rankRows()
        let reader = try ContentReader(transaction, arrangement.sorting.needs, isAscending: true)
        for row in work.ranks {
            let isThere = try reader.row(row.rowid) { key, read in
                let content: RowContent
                do { content = try arrangement.content(read) } catch {
                    return try work.leaveOut(row.rowid, key, error)
                }
                content.rank = row.rank
                try work.add(content, to: groups[row.group], in: transaction)
            }
            if !isThere { throw missing(row.rowid) }
        }
        try work.end(into: sink)
        return work.undecodable
    }

    /// - Returns: the groups of the view that have rows.
    private mutating func rankRows() throws -> [String] {
        var groups: [String] = []
        pages.state.groups.forEach { group, list in
            if list.weight > 0 { groups.append(group) }
            return true
        }
        for (number, group) in groups.enumerated() {
            for (rank, rowid) in try pages.rowids(inGroup: group).enumerated() {
                ranks.append(RankedRow(rowid: rowid, group: number, rank: rank))
            }
        }
        ranks.sort { $0.rowid < $1.rowid }
        return groups
    }
}

/// A row of a view and its place in its group.
struct RankedRow {
    let rowid: Int64
    let group: Int
    let rank: Int
}

extension [RankedRow] {
    /// The place of a rowid that is in the array, which is sorted by rowid. O(log n).
    func firstIndex(ofRowid rowid: Int64) -> Int {
        var (low, high) = (0, count - 1)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].rowid < rowid { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
