import Foundation
import ListChanges

/// Finds where rows belong in a view, by asking its blocks.
///
/// Cost of a placement: O(log n) comparisons, each of which may read and decode one row of the group; rows at the
/// group's ends, where most lists grow, are tried first.
struct ViewArranger {
    let name: String
    // The transaction owns the view's transaction, which owns this.
    unowned let transaction: YapDatabaseReadTransaction
    let arrangement: Arrangement
    let pages: ViewPages
    /// Whether the last insert went to a group's beginning or end; the next one often goes there too.
    private var lastEnd: GroupEnd?

    private enum GroupEnd {
        case first
        case last
    }

    init(name: String, transaction: YapDatabaseReadTransaction, arrangement: Arrangement, pages: ViewPages) {
        self.name = name
        self.transaction = transaction
        self.arrangement = arrangement
        self.pages = pages
    }

    /// Whether a row that was written may keep its place: it stands in order between its neighbours.
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

    /// Where a row that is not in the group belongs: after those that compare the same.
    mutating func index(for row: RowContent, inGroup group: String, from start: Int = 0) throws -> Int {
        let count = pages.count(inGroup: group)
        if start == count { return count }
        if lastEnd == .first, start == 0, try compare(row, toRowAt: 0, inGroup: group) == .orderedAscending {
            return 0
        }
        if lastEnd == .last, try compare(row, toRowAt: count - 1, inGroup: group) != .orderedAscending {
            return count
        }
        let index = try search(for: row, inGroup: group, in: start..<count)
        lastEnd = index == count ? .last : index == 0 ? .first : nil
        return index
    }

    private func search(for row: RowContent, inGroup group: String, in range: Range<Int>) throws -> Int {
        var low = range.lowerBound
        var high = range.upperBound
        while low < high {
            let middle = (low + high) / 2
            if try compare(row, toRowAt: middle, inGroup: group) == .orderedAscending {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return low
    }

    private func compare(_ row: RowContent, toRowAt index: Int, inGroup group: String) throws -> ComparisonResult {
        let rowid = try pages.rowid(at: index, inGroup: group)!
        let other = try RowContent(
            rowid: rowid, needs: arrangement.sorting.needs, view: name, transaction: transaction)
        return try arrangement.sorting.compare(transaction, group, row, other)
    }
}
