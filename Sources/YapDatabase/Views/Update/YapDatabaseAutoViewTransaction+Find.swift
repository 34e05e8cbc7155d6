import Foundation

extension YapDatabaseAutoViewTransaction {
    /// Returns the positions of the rows for which the block returns `.orderedSame`; nil if there is none. The block is called
    /// for O(log n) rows.
    public func findRange(inGroup group: String, using find: YapDatabaseViewFind) throws -> Range<Int>? {
        guard let first = try findFirstMatch(inGroup: group, using: find) else { return nil }
        let end = try firstIndex(in: first + 1..<numberOfItems(inGroup: group), group, find.needs) {
            try find.compare($0) == .orderedDescending
        }
        return first..<end
    }

    /// Returns the position of the first row for which the block returns `.orderedSame`; nil if there is none.
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
        guard let rowid = try pages.rowid(at: index, inGroup: group),
            let content = try transaction.content(ofRowid: rowid, needs: needs)
        else { throw YapDatabaseError.damagedView(name, "row \(index) of the group \"\(group)\" does not exist") }
        return content
    }
}
