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
