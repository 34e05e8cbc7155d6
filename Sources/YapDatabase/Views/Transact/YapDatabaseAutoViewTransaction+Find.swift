import Foundation
import ListChanges

extension YapDatabaseAutoViewTransaction {
    /// Returns the positions of the rows for which the block returns `.orderedSame`; nil if there is none. The block is called
    /// for O(log n) rows.
    ///
    /// ```swift
    /// let nineties = YapDatabaseViewFind.withObjectBlock { _, _, object in
    ///     let year = (object as! Movie).year
    ///     return year < 1990 ? .orderedAscending : year > 1999 ? .orderedDescending : .orderedSame
    /// }
    /// let range = try autoView.findRange(inGroup: "movies", using: nineties)   // such as 120..<180
    /// ```
    ///
    /// - Parameters:
    ///   - group: the name of the group.
    ///   - find: compares a row with what is searched; runs on the thread of the transaction.
    /// - Throws: what the block throws, and ``YapDatabaseError`` with code `decodingFailed` if the block needs a row that cannot be
    ///   decoded; `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func findRange(inGroup group: String, using find: YapDatabaseViewFind) throws -> Range<Int>? {
        guard let first = try findFirstMatch(inGroup: group, using: find) else { return nil }
        let end = try firstIndex(in: first + 1..<numberOfItems(inGroup: group), group, find.needs) {
            try find.compare($0) == .orderedDescending
        }
        return first..<end
    }

    /// Returns the position of the first row for which the block returns `.orderedSame`; nil if there is none.
    ///
    /// The block is called for O(log n) rows.
    ///
    /// ```swift
    /// let year1990 = YapDatabaseViewFind.withObjectBlock { _, _, object in
    ///     let year = (object as! Movie).year
    ///     return year < 1990 ? .orderedAscending : year > 1990 ? .orderedDescending : .orderedSame
    /// }
    /// let index = try autoView.findFirstMatch(inGroup: "movies", using: year1990)
    /// ```
    ///
    /// - Parameters:
    ///   - group: the name of the group.
    ///   - find: compares a row with what is searched; runs on the thread of the transaction.
    /// - Throws: what the block throws, and ``YapDatabaseError`` with code `decodingFailed` if the block needs a row that cannot be
    ///   decoded; `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func findFirstMatch(inGroup group: String, using find: YapDatabaseViewFind) throws -> Int? {
        let all = 0..<numberOfItems(inGroup: group)
        let index = try firstIndex(in: all, group, find.needs) { try find.compare($0) != .orderedAscending }
        guard index < all.upperBound, try find.compare(content(at: index, group, find.needs)) == .orderedSame else {
            return nil
        }
        return index
    }

    /// The first position of the range for which the test holds, or its end. The test must hold for all after the first.
    private func firstIndex(
        in range: Range<Int>, _ group: String, _ needs: RowNeeds, where test: (RowContent) throws -> Bool
    ) throws -> Int {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = (low + high) / 2
            if try test(content(at: middle, group, needs)) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private func content(at index: Int, _ group: String, _ needs: RowNeeds) throws -> RowContent {
        guard let rowid = try settledPages().rowid(at: index, inGroup: group),
            let content = try transaction.content(ofRowid: rowid, needs: needs)
        else { throw YapDatabaseError.damagedView(name, "row \(index) of the group \"\(group)\" does not exist") }
        return content
    }
}

// Asking the blocks again, to find out whether they were changed.
extension YapDatabaseAutoViewTransaction {
    func sampleOfRows(limit: Int) throws -> [Int64] {
        guard arrangement.grouping.invoke.follows(arrangement.grouping.needs) else { return [] }
        return try transaction.store.sampleOfRows(limit: limit) {
            view.settings.allowedCollections?.isAllowed($0) ?? true
        }
    }

    /// Compares the row's group, and its order with the next row of the group.
    func disagreement(about row: RowContent) throws -> Disagreement? {
        let place = try settledPages().place(ofRowid: row.rowid)
        if place == nil, view.settings.skipInitialViewPopulation { return nil }
        let group = try arrangement.grouping.group(transaction, row)
        guard place.map({ $0.group.isName(group) }) ?? (group == nil) else {
            return Disagreement(stored: Self.text(place?.group), answer: Self.text(group))
        }
        let sorting = arrangement.sorting
        guard sorting.invoke.follows(sorting.needs), let place,
            let next = try settledPages().rowid(at: place.index + 1, inGroup: place.group),
            let other = try transaction.content(ofRowid: next, needs: sorting.needs),
            try sorting.compare(transaction, place.group, row, other) == .orderedDescending
        else { return nil }
        return Disagreement(stored: "a place before \(other.key)", answer: "a later place")
    }

    private static func text(_ group: String?) -> String { group.map { "the group \"\($0)\"" } ?? "no group" }
}
