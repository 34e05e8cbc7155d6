/// An ordered list of rowids that takes four bytes for each as long as they are small.
struct PackedRowids: Sendable {
    private var small: [UInt32] = []
    private var large: [Int64] = []

    var count: Int { small.count + large.count }

    mutating func append(_ rowid: Int64) {
        if large.isEmpty, let packed = UInt32(exactly: rowid) { return small.append(packed) }
        if large.isEmpty {
            large = small.map(Int64.init)
            small = []
        }
        large.append(rowid)
    }

    subscript(places: Range<Int>) -> [Int64] {
        let places = places.clamped(to: 0..<count)
        return large.isEmpty ? small[places].map(Int64.init) : Array(large[places])
    }

    /// Returns the first place of a rowid. O(n), a third of a nanosecond for each.
    func place(of rowid: Int64) -> Int? {
        guard large.isEmpty else { return large.firstIndex(of: rowid) }
        return UInt32(exactly: rowid).flatMap { small.firstIndex(of: $0) }
    }
}
