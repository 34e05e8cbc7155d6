/// A set of marked rows: one bit a row if the rowids are close together.
struct RowidMarks: Sendable {
    private var words: [Int64: UInt64] = [:]
    private(set) var count = 0

    func contains(_ rowid: Int64) -> Bool { words[rowid >> 6].map { $0 & Self.mask(rowid) != 0 } ?? false }

    mutating func insert(_ rowid: Int64) {
        let mask = Self.mask(rowid)
        if words[rowid >> 6, default: 0] & mask == 0 {
            words[rowid >> 6, default: 0] |= mask
            count += 1
        }
    }

    mutating func remove(_ rowid: Int64) {
        guard contains(rowid) else { return }
        words[rowid >> 6, default: 0] &= ~Self.mask(rowid)
        count -= 1
    }

    private static func mask(_ rowid: Int64) -> UInt64 { 1 << UInt64(rowid & 63) }
}
