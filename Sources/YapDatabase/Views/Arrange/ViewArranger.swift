import Foundation
import ListChanges

/// Finds where rows belong in a view, by calling its blocks.
///
/// A placement costs O(log n) comparisons. A search first compares with the first rows of pages; these are always the
/// same, so they are mostly cached. Before that it tries the group's ends, where most lists grow.
struct ViewArranger {
    // The transaction owns the view's transaction, which owns this.
    unowned let transaction: YapDatabaseReadTransaction
    let arrangement: Arrangement
    let pages: ViewPages
    /// What is remembered of rows that others are compared with. Code that changes a row must update it.
    let compared: any ComparedRows
    /// The end of a group that the last insert went to, if any; the next insert often goes there too.
    private var lastEnd: GroupEnd?

    private enum GroupEnd {
        case first
        case last
    }

    init(_ arrangement: Arrangement, view: String, _ pages: ViewPages, _ transaction: YapDatabaseReadTransaction) {
        self.transaction = transaction
        self.arrangement = arrangement
        self.pages = pages
        let caches = transaction.connection.caches
        if let number = arrangement.fields?.number(transaction.codings) {
            compared = caches.memory(
                ofExtension: view, if: { _ in true }, orMake: { ComparedNumbers(view: view, number) })
        } else {
            let needs = arrangement.sorting.needs
            compared = caches.memory(
                ofExtension: view, if: { $0.needs == needs }, orMake: { ComparedContents(view: view, needs: needs) })
        }
    }

    /// Remembers rows that were just written.
    func remember(_ rows: [RowContent]) throws { try compared.remember(rows, by: arrangement.sorting) }

    /// Whether a written row may keep its place, that is, whether it is in order with its neighbours.
    func isInOrder(_ row: RowContent, at place: RowPlace) throws -> Bool {
        if place.index > 0, try compare(row, toRowAt: place.index - 1, inGroup: place.group) == .orderedAscending {
            return false
        }
        let next = place.index + 1
        if next < pages.count(inGroup: place.group) {
            return try compare(row, toRowAt: next, inGroup: place.group) != .orderedDescending
        }
        return true
    }

    /// Returns the index at which a row that is not in the group belongs: after the rows that compare as equal.
    mutating func index(for row: RowContent, inGroup group: String) throws -> Int {
        let count = pages.count(inGroup: group)
        if count == 0 { return 0 }
        if lastEnd == .first, try compare(row, toRowAt: 0, inGroup: group) == .orderedAscending { return 0 }
        if lastEnd == .last, try compare(row, toRowAt: count - 1, inGroup: group) != .orderedAscending { return count }
        let index = try search(for: row, inGroup: group)
        lastEnd = index == count ? .last : index == 0 ? .first : nil
        return index
    }

    /// Returns the positions among the present rows of a group at which sorted rows belong: each after the rows that compare as
    /// equal. Each search goes on where the one before ended, by steps that double.
    func places(for rows: [RowContent], inGroup group: String) throws -> [Int] {
        let count = pages.count(inGroup: group)
        var places: [Int] = []
        places.reserveCapacity(rows.count)
        var low = 0
        for row in rows {
            if low < count, places.isEmpty || rows.count - places.count > 1,
                try compare(row, toRowAt: count - 1, inGroup: group) != .orderedAscending
            {
                // The rest comes after all that are there.
                low = count
            }
            var step = 1
            var high = low
            // All rows before `low` are before the row; it is before the row at `high`, or that is the end.
            while high < count, try compare(row, toRowAt: high, inGroup: group) != .orderedAscending {
                low = high + 1
                high = min(count, high + step)
                step *= 2
            }
            while low < high {
                let middle = (low + high) / 2
                if try compare(row, toRowAt: middle, inGroup: group) == .orderedAscending {
                    high = middle
                } else {
                    low = middle + 1
                }
            }
            places.append(low)
        }
        return places
    }

    /// Finds the page first, then the position on it.
    private func search(for row: RowContent, inGroup group: String) throws -> Int {
        let list = pages.state.groups[group]!.pages
        let page = try list.last { label, page in
            let first = try pages.firstRowid(fromPage: page, label, of: list)
            return try compare(row, toRow: first, inGroup: group) != .orderedAscending
        }
        guard let page else { return 0 }
        let rows = try pages.rows(of: page.value)
        var low = 1
        var high = rows.count
        while low < high {
            let middle = handyMiddle(of: rows, low, high)
            if try compare(row, toRow: rows[middle], inGroup: group) == .orderedAscending {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return page.weightBefore + low
    }

    /// Returns a position near the middle of a range, if possible that of a row that is remembered: reading and decoding a row costs
    /// more than the comparison that an uneven division may cost.
    private func handyMiddle(of rows: [Int64], _ low: Int, _ high: Int) -> Int {
        let middle = (low + high) / 2
        let reach = min((high - low) / 8, 4)
        for index in (middle - reach)...(middle + reach) {
            // Tries the middle itself first, then from one end to the other.
            let index = index == middle - reach ? middle : index == middle ? middle - reach : index
            if compared.isKnown(rows[index]) { return index }
        }
        return middle
    }

    private func compare(_ row: RowContent, toRowAt index: Int, inGroup group: String) throws -> ComparisonResult {
        try compare(row, toRow: pages.rowid(at: index, inGroup: group)!, inGroup: group)
    }

    private func compare(_ row: RowContent, toRow rowid: Int64, inGroup group: String) throws -> ComparisonResult {
        try compared.compare(row, toRow: rowid, group, by: arrangement.sorting, in: transaction)
    }
}
