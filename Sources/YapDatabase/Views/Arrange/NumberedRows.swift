import ListChanges

/// Rows of which the number is all that decides their order.
struct NumberedRows: Sendable {
    private var rowids: [Int64] = []
    private var numbers: [UInt64] = []
    private var keys: [RowKey] = []

    /// What they take in memory, about: most keys are too long to be stored in place.
    var size: Int { 112 * rowids.count }

    mutating func append(_ rowid: Int64, _ number: UInt64, _ key: RowKey) {
        rowids.append(rowid)
        numbers.append(number)
        keys.append(key)
    }

    mutating func append(_ others: NumberedRows) {
        rowids += others.rowids
        numbers += others.numbers
        keys += others.keys
    }

    /// Rows with equal numbers keep their order.
    func sorted(keepsKeys: Bool) -> SortedRun {
        var order = numbers.indices.map { IndexedNumber(numbers[$0], Int32($0)) }
        order.radixSort()
        return SortedRun(
            rowids: order.map { rowids[Int($0.index)] }, numbers: order.map(\.number),
            keys: keepsKeys ? order.map { keys[Int($0.index)] } : nil)
    }
}
