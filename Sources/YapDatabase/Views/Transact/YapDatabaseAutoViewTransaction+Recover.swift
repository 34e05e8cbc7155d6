import Foundation
import ListChanges

// Rows that changed while the view was not notified.
extension YapDatabaseAutoViewTransaction {
    /// Gives rows the places that they should have. The log has what a list needs to follow.
    ///
    /// O(k log n) for k rows of n. A row that the blocks cannot place, because it cannot be decoded, is not in the view.
    func placeAgain(_ rows: RowsToPlace) throws {
        placeWaitingRows()
        if rows.isAllGone { try didRemoveAll() }
        for row in rows.removed where try unsettledPages.hasRow(row.rowid) { try didRemove([row]) }
        for row in rows.changed { arranger.compared.forget(row.rowid) }
        if rows.changed.count == 1 { return try placeAgain(rows.changed[0]) }
        var coming: [(row: ChangedRow, group: String)] = []
        var leaving: [ChangedPlace] = []
        var staying = ExactDictionary<[ChangedPlace]>()
        for row in rows.changed where isAllowed(row.key) {
            let place = try unsettledPages.place(ofRowid: row.rowid)
            let group = try group(of: row, at: place)
            if let place, place.group.isName(group) {
                staying[place.group, default: []].append(ChangedPlace(row: row, place: place))
                continue
            }
            if let place { leaving.append(ChangedPlace(row: row, place: place)) }
            if let group { coming.append((row, group)) }
        }
        for (group, candidates) in staying.sorted(by: { $0.key < $1.key }) {
            let unmoved = try rowsInOrder(candidates, besides: leaving)
            for one in unmoved { try noteUpdate(one.row, at: one.place) }
            let rowids = Set(unmoved.map(\.row.rowid))
            for one in candidates where !rowids.contains(one.row.rowid) {
                leaving.append(one)
                coming.append((one.row, group))
            }
        }
        for one in leaving.sorted(by: { ($1.place.group, $1.place.index) < ($0.place.group, $0.place.index) }) {
            guard let place = try unsettledPages.place(ofRowid: one.row.rowid) else { continue }
            try remove(one.row.rowid, one.row.key, at: place)
        }
        for (row, group) in coming.sorted(by: { $0.row.rowid < $1.row.rowid }) { try insert(row, into: group) }
    }

    private func placeAgain(_ row: ChangedRow) throws {
        let place = try unsettledPages.place(ofRowid: row.rowid)
        if place == nil { try didInsert(row) } else { try didUpdate(row) }
    }

    /// The group that a row belongs to; nil if it belongs to none or cannot be decoded.
    private func group(of row: ChangedRow, at place: RowPlace?) throws -> String? {
        // So that a row that cannot be sorted is found here.
        guard try content(of: row, arrangement.sorting.needs) != nil else { return nil }
        if let place, !arrangement.grouping.invoke.includes(row) { return place.group }
        return try content(of: row, arrangement.grouping.needs).flatMap {
            try arrangement.grouping.group(transaction, $0)
        }
    }

    /// - Parameter leaving: rows that leave their groups, with which none is compared.
    private func rowsInOrder(_ candidates: [ChangedPlace], besides leaving: [ChangedPlace]) throws -> [ChangedPlace] {
        let group = candidates[0].place.group
        let gone = leaving.filter { $0.place.group.hasSameBytes(as: group) }
        let goneRows = Set(gone.map(\.row.rowid))
        let sorting = arrangement.sorting
        func isOrdered(_ first: RowContent, _ second: Int64, _ wrong: ComparisonResult) throws -> Bool {
            guard let other = try transaction.content(ofRowid: second, needs: sorting.needs) else { return false }
            return try sorting.compare(transaction, group, first, other) != wrong
        }
        return try unsettledPages.staying(candidates + gone) { one, before, after in
            if goneRows.contains(one.row.rowid) { return false }
            guard sorting.invoke.includes(one.row) else { return true }
            let content = try RowContent(one.row, needs: sorting.needs)
            return try (before.map { try isOrdered(content, $0, .orderedAscending) } ?? true)
                && (after.map { try isOrdered(content, $0, .orderedDescending) } ?? true)
        }
    }

    private func insert(_ row: ChangedRow, into group: String) throws {
        let content = try RowContent(row, needs: arrangement.sorting.needs)
        let index = try arranger.index(for: content, inGroup: group)
        try unsettledPages.insert(row.rowid, key: row.key, inGroup: group, at: index)
        try arranger.remember([content])
        try notifyFollowers(.placed(row, from: nil))
    }
}

// MARK: Which rows are in the wrong place

extension YapDatabaseAutoViewTransaction {
    /// Compares the view with all rows, each of which is read once or twice.
    ///
    /// If rows are not in order, it cannot be said which of them is wrong. Of two neighbours it is the second if it also comes before the row
    /// before both, else the first: after a few rows changed, these are found.
    func misplacedRows(_ check: () throws -> Void) throws -> RowComparison {
        var (found, inView, count, unnoted) = (RowComparison(), Set<Int64>(), 0, UndecodableNotes(of: self))
        let reader = try ContentReader(transaction, arrangement.needs)
        func tally() throws {
            if count % 256 == 0 { try check() }
            count += 1
        }
        for group in allGroups() {
            var last: (before: RowContent?, row: RowContent)?
            for rowid in try unsettledPages.rowids(inGroup: group) {
                try tally()
                inView.insert(rowid)
                guard let key = try transaction.store.key(forRowid: rowid) else {
                    found.gone.append(rowid)
                    continue
                }
                guard let row = try content(of: rowid, reader), isAllowed(key),
                    try group.isName(arrangement.grouping.group(transaction, row))
                else {
                    found.misplaced.append(key)
                    continue
                }
                guard let former = last, try isDescending(former.row, row, group) else {
                    last = (last?.row, row)
                    continue
                }
                if let before = former.before, try isDescending(before, row, group) {
                    found.misplaced.append(key)
                } else {
                    found.misplaced.append(former.row.key)
                    last = (former.before, row)
                }
            }
        }
        if view.settings.skipInitialViewPopulation { return found }
        try transaction.enumerateRows(
            allowedCollections: view.settings.allowedCollections, columns: arrangement.needs.isEmpty ? .keys : .values
        ) { row, _ in
            try tally()
            guard !inView.contains(row.rowid) else { return }
            var isMisplaced = false
            if let content = try unnoted.ifDecodable(
                row.rowid, &isMisplaced, { try arrangement.content { try RowContent(row, needs: arrangement.needs) } })
            {
                isMisplaced = try hasGroup(content)
            }
            if isMisplaced { found.misplaced.append(row.key) }
        }
        return found
    }

    /// A block that cannot decode another row has no answer.
    private func hasGroup(_ row: RowContent) throws -> Bool {
        do {
            return try arrangement.grouping.group(transaction, row) != nil
        } catch let error as YapDatabaseError where error.code == .decodingFailed {
            return false
        }
    }

    private func isDescending(_ first: RowContent, _ second: RowContent, _ group: String) throws -> Bool {
        try arrangement.sorting.compare(transaction, group, first, second) == .orderedDescending
    }

    private func content(of rowid: Int64, _ reader: ContentReader) throws -> RowContent? {
        do {
            return try reader.content(ofRowid: rowid)
        } catch let error as YapDatabaseError where error.code == .decodingFailed {
            return nil
        }
    }
}
