import Foundation
import ListChanges

/// The rows of a batch by their groups. Rows that follow each other are often of one group, whose name need not be looked up for each.
struct GroupBatch {
    private(set) var groups: [(name: String, rows: [RowContent])] = []
    private var places = ExactDictionary<Int>()
    /// The place of the group of the last row.
    private var latest = 0

    mutating func append(_ row: RowContent, to group: String) {
        choose(group)
        groups[latest].rows.append(row)
    }

    mutating func append(_ rows: [RowContent], to group: String) {
        choose(group)
        groups[latest].rows += rows
    }

    private mutating func choose(_ group: String) {
        if !groups.isEmpty, groups[latest].name.hasSameBytes(as: group) { return }
        if let place = places[group] { return latest = place }
        latest = groups.count
        places[group] = latest
        groups.append((group, []))
    }
}

/// The order of rows, also of rows that the sorting block calls equal.
struct RowOrder {
    let sorting: YapDatabaseViewSorting
    let transaction: YapDatabaseReadTransaction

    func precedes(_ first: RowContent, _ second: RowContent, _ group: String) throws -> Bool {
        switch try sorting.compare(transaction, group, first, second) {
        case .orderedAscending: true
        case .orderedSame: first.rank < second.rank
        case .orderedDescending: false
        }
    }
}

extension NumberBatch {
    /// Rows with equal numbers keep their order.
    func sorted(keepsKeys: Bool) -> SortedRun {
        var order = numbers.indices.map { IndexedNumber(numbers[$0], Int32($0)) }
        order.radixSort()
        return SortedRun(
            rowids: order.map { rowids[Int($0.index)] }, numbers: order.map(\.number),
            keys: keepsKeys ? order.map { keys[Int($0.index)] } : nil)
    }
}

/// A cache of values by rowid, in which each row has exactly one slot: a value that is put there replaces the one before.
///
/// All operations cost O(1) but ``resize(to:)``.
struct RowSlots<Value> {
    private struct Entry {
        let rowid: Int64
        let value: Value
    }

    /// Their number is a power of two.
    private var entries: [Entry?]

    /// - Precondition: the number is a power of two.
    init(count: Int) { entries = Array(repeating: nil, count: count) }

    var count: Int { entries.count }

    func value(ofRow rowid: Int64) -> Value? {
        guard let entry = entries[slot(of: rowid)], entry.rowid == rowid else { return nil }
        return entry.value
    }

    /// - Returns: the value that was in the slot.
    @discardableResult
    mutating func put(_ value: Value, ofRow rowid: Int64) -> Value? {
        let slot = slot(of: rowid)
        let former = entries[slot]?.value
        entries[slot] = Entry(rowid: rowid, value: value)
        return former
    }

    @discardableResult
    mutating func remove(_ rowid: Int64) -> Value? {
        guard let value = value(ofRow: rowid) else { return nil }
        entries[slot(of: rowid)] = nil
        return value
    }

    /// Changes the number of slots. Of rows that share a slot then, one stays.
    mutating func resize(to count: Int) {
        let former = entries
        entries = Array(repeating: nil, count: count)
        for case let entry? in former { entries[slot(of: entry.rowid)] = entry }
    }

    func forEach(_ body: (Value) -> Void) {
        for case let entry? in entries { body(entry.value) }
    }

    /// Multiplies by the golden ratio, so that rowids with regular gaps do not share slots.
    private func slot(of rowid: Int64) -> Int {
        let bits = UInt64(entries.count.trailingZeroBitCount)
        return Int((UInt64(bitPattern: rowid) &* 0x9E37_79B9_7F4A_7C15) >> (64 - bits))
    }
}

/// The rows of one group in a sorted batch of a population.
struct SortedRun: @unchecked Sendable {
    // @unchecked: a thread makes it and hands it over, with the contents, to the one that asked for it.

    /// The number of rows.
    let count: Int
    /// The prefix of each row, of an order that has them.
    let prefixes: [UInt64]?
    /// Whether rows with equal prefixes are equal.
    let isExact: Bool
    /// The rowids, and the keys where they are needed, if the rows themselves are not kept.
    private let bareRowids: [Int64]
    private let keys: [RowKey]?
    /// The rows that will be the first on their pages, if they are in hand and the run has all rows of the group.
    private let firstsOfPages: [RowContent]
    /// All rows, if they hold their keys alone. Objects are better freed where they were sorted, which several threads may do.
    private let rows: [RowContent]

    init(rowids: [Int64], numbers: [UInt64], keys: [RowKey]?) {
        (count, prefixes, isExact) = (rowids.count, numbers, true)
        (bareRowids, self.keys, firstsOfPages, rows) = (rowids, keys, [], [])
    }

    /// - Parameters:
    ///   - needs: what the rows hold besides their keys.
    ///   - keepsKeys: of a run that has all rows of the group and is not stored.
    init(
        _ rows: [RowContent], needs: RowNeeds, prefix: ((RowContent) throws -> UInt64)?, keepsKeys: Bool
    ) throws {
        (count, isExact) = (rows.count, false)
        if keepsKeys, needs.isEmpty {
            (self.rows, bareRowids, keys, firstsOfPages, prefixes) = (rows, [], nil, [], nil)
            return
        }
        self.rows = []
        bareRowids = rows.map(\.rowid)
        keys = keepsKeys ? rows.map(\.key) : nil
        let pageSize = ViewPages.rowsOfFilledPage
        firstsOfPages = keepsKeys ? stride(from: 0, to: rows.count, by: pageSize).map { rows[$0] } : []
        prefixes = keepsKeys ? nil : try prefix.map { prefix in try rows.map { try $0.prefix(prefix) } }
    }

    /// The rowids in order. O(n) if the rows are kept.
    var rowids: [Int64] { rows.isEmpty ? bareRowids : rows.map(\.rowid) }

    func row(at index: Int) -> SortedRow {
        let (page, place) = index.quotientAndRemainder(dividingBy: ViewPages.rowsOfFilledPage)
        guard rows.isEmpty else {
            let row = rows[index]
            return SortedRow(rowid: row.rowid, key: row.key, content: place == 0 ? row : nil)
        }
        return SortedRow(
            rowid: bareRowids[index], key: keys?[index], number: isExact ? prefixes?[index] : nil,
            content: place == 0 && page < firstsOfPages.count ? firstsOfPages[page] : nil)
    }
}
