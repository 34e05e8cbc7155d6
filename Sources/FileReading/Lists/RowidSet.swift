/// A set of rowids with access by rank: one bit for each number between the least and the greatest.
struct RowidSet: Sendable {
    /// The widest span of numbers: 32 MB of bits.
    static let spanLimit: Int64 = 1 << 28

    private let lowest: Int64
    private var words: [UInt64]
    /// The number of elements before each block of eight words; computed by `close()`.
    private var ranks: [UInt32] = []
    private(set) var count = 0
    private static let block = 8

    /// Returns nil if the span is too wide.
    init?(_ span: ClosedRange<Int64>) {
        let (width, overflow) = span.upperBound.subtractingReportingOverflow(span.lowerBound)
        guard !overflow, width < Self.spanLimit else { return nil }
        lowest = span.lowerBound
        words = Array(repeating: 0, count: Int(width) / 64 + 1)
    }

    /// Inserts a rowid.
    /// - Returns: false for a number outside the span.
    mutating func insert(_ rowid: Int64) -> Bool {
        let (bit, overflow) = rowid.subtractingReportingOverflow(lowest)
        guard !overflow, bit >= 0, bit < Int64(words.count * 64) else { return false }
        let mask: UInt64 = 1 << UInt64(bit & 63)
        if words[Int(bit >> 6)] & mask == 0 { count += 1 }
        words[Int(bit >> 6)] |= mask
        return true
    }

    /// Computes the ranks. Call it after the last insertion.
    mutating func close() {
        var sum: UInt32 = 0
        ranks = stride(from: 0, to: words.count, by: Self.block).map { start in
            defer {
                for word in words[start..<min(start + Self.block, words.count)] { sum += UInt32(word.nonzeroBitCount) }
            }
            return sum
        }
    }

    /// Returns the rowids whose ranks are in a range.
    func rowids(in places: Range<Int>) -> [Int64] {
        let places = places.clamped(to: 0..<count)
        guard !places.isEmpty else { return [] }
        var block = ranks.partition { $0 <= places.lowerBound } - 1
        var rank = Int(ranks[block])
        block *= Self.block
        var found: [Int64] = []
        found.reserveCapacity(places.count)
        for word in block..<words.count {
            var bits = words[word]
            if rank + bits.nonzeroBitCount <= places.lowerBound {
                rank += bits.nonzeroBitCount
                continue
            }
            while bits != 0 {
                if rank >= places.lowerBound { found.append(lowest + Int64(word * 64 + bits.trailingZeroBitCount)) }
                if found.count == places.count { return found }
                bits &= bits - 1
                rank += 1
            }
        }
        return found
    }

    /// Returns the number of lesser rowids; nil if the rowid is not in the set.
    func place(of rowid: Int64) -> Int? {
        let (bit, overflow) = rowid.subtractingReportingOverflow(lowest)
        guard !overflow, bit >= 0, bit < Int64(words.count * 64) else { return nil }
        let word = Int(bit >> 6)
        let mask: UInt64 = 1 << UInt64(bit & 63)
        guard words[word] & mask != 0 else { return nil }
        let start = word / Self.block * Self.block
        let before = words[start..<word].reduce(0) { $0 + $1.nonzeroBitCount }
        return Int(ranks[word / Self.block]) + before + (words[word] & (mask - 1)).nonzeroBitCount
    }
}

extension Array {
    /// Returns the number of leading elements that satisfy a condition. The array must be partitioned by that
    /// condition.
    func partition(_ holds: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
