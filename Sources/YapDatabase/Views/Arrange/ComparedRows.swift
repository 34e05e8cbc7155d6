import Foundation
import ListChanges

/// What the writers remember of the rows that a view compared most recently.
///
/// A search compares with first rows of pages, and then with rows of one page. The first rows are the same in every search, so they are
/// remembered apart from the others, which would take their room. All operations cost O(1), and a row that is not remembered one query.
///
/// Rows are remembered decoded, or as their numbers where numbers alone decide the order; how many, and how many
/// bytes, is limited. ``WriterMemory`` keeps them until a transaction is undone, another process commits, or rows
/// change in a transaction that does not tell the view.
protocol ComparedRows: ExtensionMemory {
    /// Compares a row with one that is stored; nil if that one cannot be decoded.
    /// - Parameter isFirst: whether the stored row is the first of a page.
    /// - Throws: ``YapDatabaseError`` if there is no such row or it cannot be read.
    func compare(
        _ row: RowContent, toRow rowid: Int64, isFirst: Bool, _ group: String, by arrangement: Arrangement,
        in transaction: YapDatabaseReadTransaction
    ) throws -> ComparisonResult?
    /// Whether a comparison with the row needs no query.
    func isKnown(_ rowid: Int64) -> Bool
    /// Returns about how far the row is from the first row on the way to the last, from 0 to 1; nil where that is not known without
    /// a query, no numbers tell the rows apart, or the row is not between them.
    func share(
        of row: RowContent, between first: Int64, and last: Int64, by sorting: YapDatabaseViewSorting
    ) throws -> Double?
    /// Remembers rows that were just written, as many as there is room for.
    func remember(_ rows: [RowContent], by sorting: YapDatabaseViewSorting) throws
    /// Remembers what is in hand of the first row of a page that was just filled.
    func rememberFirst(_ row: SortedRow) throws
    /// Forgets a row that was changed or deleted.
    func forget(_ rowid: Int64)
    func forgetAll()
}

/// The numbers of rows where these alone decide the order: of a row that is compared, one field is read.
final class ComparedNumbers: ExtensionMemory {
    private let view: String
    private let number: FieldPlacing.NumberByBytes
    // Unchecked: no function that changes them calls another one of this object meanwhile.
    @exclusivity(unchecked) private var firsts = KnownNumbers(capacity: 65_536)
    @exclusivity(unchecked) private var others = KnownNumbers(capacity: 16_384)

    init(view: String, _ number: @escaping FieldPlacing.NumberByBytes) {
        (self.view, self.number) = (view, number)
    }

    func trim() {}

    private func known(_ rowid: Int64) -> UInt64? { firsts.value(ofRow: rowid) ?? others.value(ofRow: rowid) }

    /// Nil if the row cannot be decoded, or is lost: one bad row of a list keeps no other from getting its place.
    private func number(
        ofRow rowid: Int64, isFirst: Bool, in transaction: YapDatabaseReadTransaction
    ) throws -> UInt64? {
        if let known = known(rowid) { return known }
        var read: UInt64?
        try transaction.store.withObject(ofRow: rowid) { bytes in
            read = try transaction.ifDecodable {
                try number(bytes) {
                    try transaction.store.key(ofRow: rowid, comparedIn: view)
                }
            }
        }
        guard let read else { return nil }
        if isFirst { firsts.put(read, ofRow: rowid) } else { others.put(read, ofRow: rowid) }
        return read
    }
}

/// Numbers by row, in slots of 24 bytes each, which become more up to a limit.
private struct KnownNumbers {
    let capacity: Int
    private var slots = RowSlots<UInt64>(count: leastCapacity)
    /// Numbers that were added since the slots were made.
    private var added = 0
    private static let leastCapacity = 1_024

    init(capacity: Int) { self.capacity = capacity }

    func value(ofRow rowid: Int64) -> UInt64? { slots.value(ofRow: rowid) }

    mutating func put(_ number: UInt64, ofRow rowid: Int64) {
        if added > slots.count / 2, slots.count < capacity {
            slots.resize(to: slots.count * 2)
            added /= 2
        }
        slots.put(number, ofRow: rowid)
        added += 1
    }

    mutating func remove(_ rowid: Int64) { slots.remove(rowid) }
    mutating func removeAll() { self = KnownNumbers(capacity: capacity) }
}

extension ComparedNumbers: ComparedRows {
    func compare(
        _ row: RowContent, toRow rowid: Int64, isFirst: Bool, _ group: String, by arrangement: Arrangement,
        in transaction: YapDatabaseReadTransaction
    ) throws -> ComparisonResult? {
        let a = try arrangement.sorting.number(of: row)
        guard let b = try number(ofRow: rowid, isFirst: isFirst, in: transaction) else { return nil }
        return a < b ? .orderedAscending : a == b ? .orderedSame : .orderedDescending
    }

    func isKnown(_ rowid: Int64) -> Bool { known(rowid) != nil }

    func share(
        of row: RowContent, between first: Int64, and last: Int64, by sorting: YapDatabaseViewSorting
    ) throws -> Double? {
        guard let least = known(first), let most = known(last) else { return nil }
        return YapDatabaseViewSorting.share(of: try sorting.number(of: row), between: least, and: most)
    }

    /// A row may be the first of a page, or become it, so its former number must go from there.
    func remember(_ rows: [RowContent], by sorting: YapDatabaseViewSorting) throws {
        for row in rows.prefix(others.capacity) {
            firsts.remove(row.rowid)
            others.put(try sorting.number(of: row), ofRow: row.rowid)
        }
    }

    func rememberFirst(_ row: SortedRow) {
        if let number = row.number { firsts.put(number, ofRow: row.rowid) }
    }

    func forget(_ rowid: Int64) {
        firsts.remove(rowid)
        others.remove(rowid)
    }

    func forgetAll() {
        firsts.removeAll()
        others.removeAll()
    }
}

/// The rows that blocks compare, decoded, or as much of them as decides the order.
final class ComparedContents: ExtensionMemory {
    private let view: String
    private let needs: RowNeeds
    /// Reads what decides the order out of a row at hand, and out of stored bytes; nil if that takes the whole row.
    private let keys: SortKeys?
    private let sortKey: FieldPlacing.SortKeyByBytes?
    // Unchecked: as those of ``ComparedNumbers``.
    @exclusivity(unchecked) private var firsts = KnownContents(
        inside: .init(slots: 32_768, bytes: 2 << 20), resting: .init(slots: 32_768, bytes: 1 << 20))
    /// All of a bulk of inserts, and of the rest the middle rows of the pages that were used last.
    @exclusivity(unchecked) private var others = KnownContents(
        inside: .init(slots: 16_384, bytes: 4 << 20), resting: .init(slots: 8_192, bytes: 512 << 10))

    init(view: String, _ sorting: YapDatabaseViewSorting, _ sortKey: FieldPlacing.SortKeyByBytes?) {
        (self.view, needs, self.sortKey) = (view, sorting.needs, sortKey)
        keys = sortKey == nil ? nil : sorting.keys
    }

    private func known(_ rowid: Int64) -> RowContent? { firsts.value(ofRow: rowid) ?? others.value(ofRow: rowid) }

    /// Returns the row; nil if it cannot be decoded, or is lost: one bad row of a list keeps no other from getting its place.
    private func row(
        _ rowid: Int64, isFirst: Bool, _ arrangement: Arrangement, in transaction: YapDatabaseReadTransaction
    ) throws -> RowContent? {
        if let row = known(rowid) { return row }
        let row = try transaction.ifDecodable { () throws -> RowContent? in
            if let sortKey { return try self.row(rowid, sortKey, in: transaction) }
            guard let row = try transaction.content(ofRowid: rowid, needs: needs) else { return nil }
            return try arrangement.content { row }
        }
        guard let row = row ?? nil else { return nil }
        if isFirst { firsts.put(row) } else { others.put(row) }
        return row
    }

    /// Returns what decides the order of the row; nil if it is lost.
    private func row(
        _ rowid: Int64, _ sortKey: FieldPlacing.SortKeyByBytes, in transaction: YapDatabaseReadTransaction
    ) throws -> RowContent? {
        var row: RowContent?
        try transaction.store.withObject(ofRow: rowid) { bytes in
            row = RowContent(
                rowid: rowid,
                sortKey: try sortKey(bytes) {
                    try transaction.store.key(ofRow: rowid, comparedIn: view)
                })
        }
        return row
    }

    /// What is remembered of a row at hand: as little as of one that is read.
    private func kept(_ row: RowContent) throws -> RowContent {
        guard let keys, !row.isKeyAlone else { return row }
        return RowContent(rowid: row.rowid, sortKey: try row.sortKey(keys))
    }

    func trim() {
        firsts.trim()
        others.trim()
    }
}

/// Decoded rows in slots, which become more up to a limit.
private struct KnownContents {
    struct Limit {
        var slots: Int
        /// Bytes as stored; decoded values take several times as many.
        var bytes: Int
    }

    /// The limits inside a transaction, and between two of them.
    let inside: Limit
    private let resting: Limit
    private var slots = RowSlots<RowContent>(count: leastCapacity)
    /// Rows added since the slots were made, in this transaction and in earlier ones.
    private var (added, addedEarlier) = (0, 0)
    private var bytes = 0
    private static let leastCapacity = 1_024

    init(inside: Limit, resting: Limit) { (self.inside, self.resting) = (inside, resting) }

    func value(ofRow rowid: Int64) -> RowContent? { slots.value(ofRow: rowid) }

    mutating func put(_ row: RowContent) {
        if bytes > inside.bytes { shrink(to: inside) }
        if added > slots.count / 2, slots.count < inside.slots { resize(to: min(slots.count * 4, inside.slots)) }
        bytes += row.size - (slots.put(row, ofRow: row.rowid)?.size ?? 0)
        added += 1
    }

    mutating func remove(_ rowid: Int64) {
        if let row = slots.remove(rowid) { bytes -= row.size }
    }

    mutating func removeAll() { self = KnownContents(inside: inside, resting: resting) }

    /// Ends a transaction.
    mutating func trim() {
        addedEarlier += added
        added = 0
        shrink(to: resting)
        let hasRoom = slots.count < resting.slots && bytes < resting.bytes / 2
        if hasRoom, addedEarlier > slots.count / 2 { resize(to: slots.count * 2) }
    }

    /// Forgets about half of the rows, and so on, until the rest is within the limits.
    private mutating func shrink(to limit: Limit) {
        while slots.count > Self.leastCapacity, slots.count > limit.slots || bytes > limit.bytes {
            resize(to: slots.count / 2)
        }
        if bytes > limit.bytes { removeAll() }
    }

    private mutating func resize(to count: Int) {
        slots.resize(to: count)
        bytes = 0
        slots.forEach { bytes += $0.size }
        (added, addedEarlier) = (0, 0)
    }
}

extension ComparedContents: ComparedRows {
    func compare(
        _ row: RowContent, toRow rowid: Int64, isFirst: Bool, _ group: String, by arrangement: Arrangement,
        in transaction: YapDatabaseReadTransaction
    ) throws -> ComparisonResult? {
        guard let other = try self.row(rowid, isFirst: isFirst, arrangement, in: transaction) else { return nil }
        return try arrangement.sorting.compare(transaction, group, row, other)
    }

    func isKnown(_ rowid: Int64) -> Bool { known(rowid) != nil }

    func share(
        of row: RowContent, between first: Int64, and last: Int64, by sorting: YapDatabaseViewSorting
    ) throws -> Double? {
        guard !sorting.steps.isEmpty, let least = known(first), let most = known(last) else { return nil }
        return try sorting.share(of: row, between: least, and: most)
    }

    func remember(_ rows: [RowContent], by sorting: YapDatabaseViewSorting) throws {
        for row in rows.prefix(others.inside.slots) {
            firsts.remove(row.rowid)
            others.put(try kept(row))
        }
    }

    func rememberFirst(_ row: SortedRow) throws {
        if let content = row.content { firsts.put(try kept(content)) }
    }

    func forget(_ rowid: Int64) {
        firsts.remove(rowid)
        others.remove(rowid)
    }

    func forgetAll() {
        firsts.removeAll()
        others.removeAll()
    }
}

extension Store {
    /// The key of a row that was just read.
    fileprivate func key(ofRow rowid: Int64, comparedIn view: String) throws -> RowKey {
        guard let key = try key(forRowid: rowid) else {
            throw YapDatabaseError.damagedView(view, "row \(rowid) does not exist")
        }
        return key
    }
}
