import Foundation
import ListChanges

/// What the writers remember of the rows that a view compared most recently.
///
/// Searches look at the same few rows again and again: those in the middle of a group, and those that were just written. An insert
/// makes a dozen look-ups, so these must be cheap: all operations cost O(1), and a row that is not remembered one query.
protocol ComparedRows: ExtensionMemory {
    /// Compares a row with one that is stored.
    /// - Throws: ``YapDatabaseError`` if there is no such row or it cannot be read.
    func compare(
        _ row: RowContent, toRow rowid: Int64, _ group: String, by sorting: YapDatabaseViewSorting,
        in transaction: YapDatabaseReadTransaction
    ) throws -> ComparisonResult
    /// Whether a comparison with the row needs no query.
    func isKnown(_ rowid: Int64) -> Bool
    /// Returns about how far the row is from the first row on the way to the last, from 0 to 1; nil where that is not known without
    /// a query, or the order is not one of numbers.
    func share(
        of row: RowContent, between first: Int64, and last: Int64, by sorting: YapDatabaseViewSorting
    ) throws -> Double?
    /// Remembers rows that were just written, as many as there is room for.
    func remember(_ rows: [RowContent], by sorting: YapDatabaseViewSorting) throws
    /// Forgets a row that was changed or deleted.
    func forget(_ rowid: Int64)
    func forgetAll()
}

/// The numbers of rows where these alone decide the order: of a row that is compared, one field is read.
final class ComparedNumbers: ExtensionMemory {
    /// The slots at first, and at most, which take 24 bytes each.
    private static let (fewest, most) = (1_024, 32_768)

    private let view: String
    private let number: FieldPlacing.NumberByBytes
    // Unchecked: no function that changes them calls another one of this object meanwhile.
    @exclusivity(unchecked) private var slots = RowSlots<UInt64>(count: ComparedNumbers.fewest)
    /// Numbers that were added since the slots were made.
    @exclusivity(unchecked) private var added = 0

    init(view: String, _ number: @escaping FieldPlacing.NumberByBytes) {
        (self.view, self.number) = (view, number)
    }

    func trim() {}

    private func number(ofRow rowid: Int64, in transaction: YapDatabaseReadTransaction) throws -> UInt64 {
        if let known = slots.value(ofRow: rowid) { return known }
        func missing() -> YapDatabaseError { .damagedView(view, "row \(rowid) does not exist") }
        let read = try transaction.store.row(.rowid(rowid), .object) { row in
            try row.withObject { bytes in
                try number(bytes) {
                    guard let key = try transaction.store.key(forRowid: rowid) else { throw missing() }
                    return key
                }
            }
        }
        guard let read else { throw missing() }
        remember(read, ofRow: rowid)
        return read
    }

    private func remember(_ number: UInt64, ofRow rowid: Int64) {
        if added > slots.count / 2, slots.count < Self.most {
            slots.resize(to: slots.count * 2)
            added /= 2
        }
        slots.put(number, ofRow: rowid)
        added += 1
    }
}

extension ComparedNumbers: ComparedRows {
    func compare(
        _ row: RowContent, toRow rowid: Int64, _ group: String, by sorting: YapDatabaseViewSorting,
        in transaction: YapDatabaseReadTransaction
    ) throws -> ComparisonResult {
        let (a, b) = (try sorting.number(of: row), try number(ofRow: rowid, in: transaction))
        return a < b ? .orderedAscending : a == b ? .orderedSame : .orderedDescending
    }

    func isKnown(_ rowid: Int64) -> Bool { slots.value(ofRow: rowid) != nil }

    func share(
        of row: RowContent, between first: Int64, and last: Int64, by sorting: YapDatabaseViewSorting
    ) throws -> Double? {
        guard let least = slots.value(ofRow: first), let most = slots.value(ofRow: last), least < most else {
            return nil
        }
        let number = min(max(try sorting.number(of: row), least), most)
        return Double(number - least) / Double(most - least)
    }

    func remember(_ rows: [RowContent], by sorting: YapDatabaseViewSorting) throws {
        for row in rows.prefix(Self.most) { remember(try sorting.number(of: row), ofRow: row.rowid) }
    }

    func forget(_ rowid: Int64) { slots.remove(rowid) }

    func forgetAll() {
        slots = RowSlots(count: Self.fewest)
        added = 0
    }
}

/// The decoded rows, where blocks compare them.
final class ComparedContents: ExtensionMemory {
    /// What is held inside a transaction: enough for the first steps of every search, and all of a bulk of inserts.
    struct Limit {
        var slots = 16_384
        /// Bytes as stored; decoded values take several times as many.
        var bytes = 4 << 20
    }

    /// The limits between two transactions: the first rows of some thousand pages, which every search looks at.
    private static let resting = Limit(slots: 8_192, bytes: 512 << 10)
    private static let fewest = 1_024

    let needs: RowNeeds
    private let view: String
    private let limit: Limit
    private var slots = RowSlots<RowContent>(count: ComparedContents.fewest)
    /// Rows added since the slots were made, in this transaction and in earlier ones.
    private var (added, addedEarlier) = (0, 0)
    private var bytes = 0

    init(view: String, needs: RowNeeds, limit: Limit = Limit()) {
        self.view = view
        self.needs = needs
        self.limit = limit
    }

    /// Returns the row, which must exist.
    func row(_ rowid: Int64, in transaction: YapDatabaseReadTransaction) throws -> RowContent {
        if let row = slots.value(ofRow: rowid) { return row }
        guard let row = try transaction.content(ofRowid: rowid, needs: needs) else {
            throw YapDatabaseError.damagedView(view, "row \(rowid) does not exist")
        }
        remember(row)
        return row
    }

    func trim() {
        addedEarlier += added
        added = 0
        shrink(to: Self.resting)
        let hasRoom = slots.count < Self.resting.slots && bytes < Self.resting.bytes / 2
        if hasRoom, addedEarlier > slots.count / 2 { resize(to: slots.count * 2) }
    }

    /// Forgets about half of the rows, and so on, until the rest is within the limits.
    private func shrink(to limit: Limit) {
        while slots.count > Self.fewest, slots.count > limit.slots || bytes > limit.bytes {
            resize(to: slots.count / 2)
        }
        if bytes > limit.bytes { forgetAll() }
    }

    private func remember(_ row: RowContent) {
        if bytes > limit.bytes { shrink(to: limit) }
        if added > slots.count / 2, slots.count < limit.slots { resize(to: slots.count * 4) }
        bytes += row.size - (slots.put(row, ofRow: row.rowid)?.size ?? 0)
        added += 1
    }

    private func resize(to count: Int) {
        slots.resize(to: count)
        bytes = 0
        slots.forEach { bytes += $0.size }
        (added, addedEarlier) = (0, 0)
    }
}

extension ComparedContents: ComparedRows {
    func compare(
        _ row: RowContent, toRow rowid: Int64, _ group: String, by sorting: YapDatabaseViewSorting,
        in transaction: YapDatabaseReadTransaction
    ) throws -> ComparisonResult {
        try sorting.compare(transaction, group, row, self.row(rowid, in: transaction))
    }

    func isKnown(_ rowid: Int64) -> Bool { slots.value(ofRow: rowid) != nil }

    func share(
        of row: RowContent, between first: Int64, and last: Int64, by sorting: YapDatabaseViewSorting
    ) -> Double? { nil }

    func remember(_ rows: [RowContent], by sorting: YapDatabaseViewSorting) {
        for row in rows.prefix(limit.slots) { remember(row) }
    }

    func forget(_ rowid: Int64) {
        if let row = slots.remove(rowid) { bytes -= row.size }
    }

    func forgetAll() {
        slots = RowSlots(count: Self.fewest)
        (added, addedEarlier) = (0, 0)
        bytes = 0
    }
}
