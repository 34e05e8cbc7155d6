import Foundation

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
        let place = try pages.place(ofRowid: row.rowid)
        if place == nil, view.settings.skipInitialViewPopulation { return nil }
        let group = try arrangement.grouping.group(transaction, row)
        guard place.map({ $0.group.isName(group) }) ?? (group == nil) else {
            return Disagreement(stored: Self.text(place?.group), answer: Self.text(group))
        }
        let sorting = arrangement.sorting
        guard sorting.invoke.follows(sorting.needs), let place,
            let next = try pages.rowid(at: place.index + 1, inGroup: place.group),
            let other = try transaction.content(ofRowid: next, needs: sorting.needs),
            try sorting.compare(transaction, place.group, row, other) == .orderedDescending
        else { return nil }
        return Disagreement(stored: "a place before \(other.key)", answer: "a later place")
    }

    private static func text(_ group: String?) -> String { group.map { "the group \"\($0)\"" } ?? "no group" }
}
