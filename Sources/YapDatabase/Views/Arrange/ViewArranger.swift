import Foundation
import ListChanges

/// Finds where rows belong in a view, by calling its blocks.
///
/// A placement costs O(log n) comparisons. A search first compares with the first rows of pages; these are always the
/// same, so they are mostly cached. Before that it tries the group's ends, where most lists grow. A stored row that cannot be decoded,
/// which another program put there, is passed over: the next one that can stands for it.
///
/// Where a number stands for a row's first field, the page and the place on it are estimated from the numbers at both
/// ends: a search reads three rows instead of six.
final class ViewArranger {
    // The transaction owns the view's transaction, which owns this.
    unowned let transaction: YapDatabaseReadTransaction
    let arrangement: Arrangement
    let pages: ViewPages
    /// What is remembered of rows that others are compared with. Code that changes a row must update it.
    let compared: any ComparedRows
    /// Whether the numbers of rows decide their order alone.
    let ordersByNumber: Bool
    /// The end of a group that the last insert went to, if any; the next insert often goes there too.
    @exclusivity(unchecked) private var lastEnd: GroupEnd?

    private enum GroupEnd {
        case first
        case last
    }

    /// - Precondition: the transaction writes, because what is remembered belongs to the writers.
    init(
        _ arrangement: Arrangement, _ pages: ViewPages, _ transaction: YapDatabaseReadTransaction
    ) {
        self.transaction = transaction
        self.arrangement = arrangement
        self.pages = pages
        let name = pages.name
        let memory = (transaction as! YapDatabaseReadWriteTransaction).memory.memory(of: arrangement, named: name) {
            guard let number = arrangement.fields?.number(transaction.codings) else {
                return ComparedContents(
                    view: name, arrangement.sorting, arrangement.fields?.sortKey(transaction.codings))
            }
            return ComparedNumbers(view: name, number)
        }
        // By class: a cast to a protocol looks it up at run time, in each transaction.
        if let numbers = memory as? ComparedNumbers {
            (compared, ordersByNumber) = (numbers, true)
        } else {
            (compared, ordersByNumber) = (memory as! ComparedContents, false)
        }
    }

    /// Remembers rows that were just written.
    func remember(_ rows: [RowContent]) throws { try compared.remember(rows, by: arrangement.sorting) }

    /// Whether a written row may keep its place, that is, whether it is in order with its neighbours. First rows of pages around it, which
    /// are mostly remembered, answer most calls without a query.
    func isInOrder(_ row: RowContent, at place: RowPlace) throws -> Bool {
        let isBetween = try pages.state.groups[place.group]!.pages.allBounds(of: place.label) { page, isBefore in
            guard let first = page.content.first, first != row.rowid, compared.isKnown(first) else { return true }
            return try compare(row, toRow: first, isFirst: true, inGroup: place.group)
                != (isBefore ? .orderedAscending : .orderedDescending)
        }
        guard isBetween else { return false }
        if try compareToLast(row, before: place.index, inGroup: place.group) == .orderedAscending { return false }
        return try compareToFirst(row, from: place.index + 1, inGroup: place.group) != .orderedDescending
    }

    /// Returns the index at which a row that is not in the group belongs: after the rows that compare as equal.
    func index(for row: RowContent, inGroup group: String) throws -> Int {
        guard let list = pages.state.groups[group]?.pages, list.weight > 0 else { return 0 }
        let count = list.weight
        if lastEnd == .first, try compareToFirst(row, from: 0, inGroup: group) == .orderedAscending { return 0 }
        if lastEnd == .last, try compareToLast(row, before: count, inGroup: group) != .orderedAscending { return count }
        let index = try search(for: row, in: list, ofGroup: group)
        lastEnd = index == count ? .last : index == 0 ? .first : nil
        try checkOrder(of: row, at: index, of: count, inGroup: group)
        return index
    }

    /// Compares a row that was placed with the ends of the group, which tells of orders that contradict themselves.
    private func checkOrder(of row: RowContent, at index: Int, of count: Int, inGroup group: String) throws {
        // Of one row the search has asked about all there is, and it is both ends.
        guard count > 1, let check = arrangement.orderCheck, check.isSearchDue() else { return }
        for (end, wrong) in [(0, ComparisonResult.orderedAscending), (count - 1, .orderedDescending)] {
            if end == 0 ? index == 0 : index == count { continue }
            let result =
                end == 0
                ? try compareToFirst(row, from: 0, inGroup: group)
                : try compareToLast(row, before: count, inGroup: group)
            guard result == wrong,
                let rowid = try pages.rowid(at: end, inGroup: group),
                let other = try transaction.content(ofRowid: rowid, needs: [])
            else { continue }
            check.report(pages.name, group, row, other)
        }
    }

    /// Returns the positions among the present rows of a group at which sorted rows belong: each after the rows that compare as
    /// equal. A search begins on the page where the one before ended.
    func places(for rows: [RowContent], inGroup group: String) throws -> [Int] {
        let count = pages.count(inGroup: group)
        guard count > 0, let list = pages.state.groups[group]?.pages else {
            return Array(repeating: 0, count: rows.count)
        }
        var places: [Int] = []
        places.reserveCapacity(rows.count)
        var low = 0
        var page: FoundPage?
        let last = try pages.rowid(at: count - 1, inGroup: group)!
        for row in rows {
            if low < count, places.isEmpty || rows.count - places.count > 1,
                try compare(row, toRow: last, inGroup: group)
                    ?? compareToLast(row, before: count - 1, inGroup: group) != .orderedAscending
            {
                // The rest comes after all that are there.
                low = count
            }
            if low < count {
                if try page.map({ try !isBeforePage(after: $0, of: list, row, inGroup: group) }) ?? true {
                    page = try self.page(for: row, of: list, inGroup: group)
                }
                if let page {
                    low = try max(
                        low, index(for: row, on: page, of: list, from: low - page.weightBefore, inGroup: group))
                }
            }
            places.append(low)
        }
        return places
    }

    /// Finds the page first, then the position on it.
    private func search(
        for row: RowContent, in list: PageList.Pages, ofGroup group: String
    ) throws -> Int {
        guard let page = try page(for: row, of: list, inGroup: group) else { return 0 }
        return try index(for: row, on: page, of: list, inGroup: group)
    }

    private typealias FoundPage = (key: Int64, value: Page, weightBefore: Int)

    /// Returns the last page whose first row does not come after the row; nil if the row comes before all.
    private func page(for row: RowContent, of list: PageList.Pages, inGroup group: String) throws -> FoundPage? {
        try list.last(
            where: { label, page in
                guard let result = try compareToFirst(row, fromPage: page, label, of: list, inGroup: group) else {
                    return false
                }
                return result != .orderedAscending
            },
            estimate: { low, high in
                guard let low = low.content.first, let high = high.content.first else { return nil }
                return try compared.share(of: row, between: low, and: high, by: arrangement.sorting)
            })
    }

    /// Whether the row comes before the first row of the next page; true if there is none.
    private func isBeforePage(
        after page: FoundPage, of list: PageList.Pages, _ row: RowContent, inGroup group: String
    ) throws -> Bool {
        guard let next = list.element(after: page.key),
            let result = try compareToFirst(row, fromPage: next.value, next.key, of: list, inGroup: group)
        else { return true }
        return result == .orderedAscending
    }

    /// The steps of a search on a page that are estimated. With even gaps three find the place among 50 rows, where halving needs
    /// six.
    private static let estimatedSteps = 5

    /// Returns the index in the group of the place on a page, whose first row does not come after the row.
    /// - Parameter start: the least position on the page.
    private func index(
        for row: RowContent, on page: FoundPage, of list: PageList.Pages, from start: Int = 0, inGroup group: String
    ) throws -> Int {
        let rows = try pages.rows(of: page.value)
        var low = max(1, start)
        var high = rows.count
        var steps = 0
        // Not 0 behind an estimated place whose row is equal: the others that are end soon, mostly.
        var reach = 0
        // A row that does not come before the row at hand, and one that comes after it.
        var last = list.element(after: page.key)?.value.content.first
        while low < high {
            let middle: Int
            var isGuessed = true
            if steps < Self.estimatedSteps, let last,
                let share = try compared.share(of: row, between: rows[low - 1], and: last, by: arrangement.sorting)
            {
                let place = low - 1 + Int((share * Double(high - low + 1)).rounded())
                middle = min(max(place, low), high - 1)
            } else if reach > 0 {
                middle = min(low + reach - 1, high - 1)
                reach *= 2
            } else {
                middle = handyMiddle(of: rows, low, high)
                isGuessed = false
            }
            steps += 1
            var reached = middle
            var result = try compare(row, toRow: rows[middle], inGroup: group)
            while result == nil, reached + 1 < high {
                reached += 1
                result = try compare(row, toRow: rows[reached], inGroup: group)
            }
            if let result, result != .orderedAscending {
                low = reached + 1
                reach = isGuessed && result == .orderedSame ? max(reach, 1) : 0
            } else {
                (high, reach) = (middle, 0)
                if result != nil { last = rows[reached] }
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

    /// Compares with the last row before a position that can be decoded; nil if there is none.
    private func compareToLast(
        _ row: RowContent, before index: Int, inGroup group: String
    ) throws -> ComparisonResult? {
        var index = index
        while index > 0 {
            index -= 1
            if let result = try compare(row, toRow: pages.rowid(at: index, inGroup: group)!, inGroup: group) {
                return result
            }
        }
        return nil
    }

    /// Compares with the first row from a position on that can be decoded; nil if there is none.
    private func compareToFirst(
        _ row: RowContent, from index: Int, inGroup group: String
    ) throws -> ComparisonResult? {
        for index in index..<max(index, pages.count(inGroup: group)) {
            if let result = try compare(row, toRow: pages.rowid(at: index, inGroup: group)!, inGroup: group) {
                return result
            }
        }
        return nil
    }

    /// Compares with the first row from the beginning of a page on that can be decoded; nil if there is none.
    private func compareToFirst(
        _ row: RowContent, fromPage page: Page, _ label: Int64, of list: PageList.Pages, inGroup group: String
    ) throws -> ComparisonResult? {
        let first = try pages.firstRowid(fromPage: page, label, of: list)
        if let result = try compare(row, toRow: first, isFirst: true, inGroup: group) { return result }
        var next: (key: Int64, value: Page)? = (label, page)
        while let page = next {
            for rowid in try pages.rows(of: page.value) {
                if let result = try compare(row, toRow: rowid, inGroup: group) { return result }
            }
            next = list.element(after: page.key).map { ($0.key, $0.value) }
        }
        return nil
    }

    private func compare(
        _ row: RowContent, toRow rowid: Int64, isFirst: Bool = false, inGroup group: String
    ) throws -> ComparisonResult? {
        try compared.compare(row, toRow: rowid, isFirst: isFirst, group, by: arrangement, in: transaction)
    }
}
