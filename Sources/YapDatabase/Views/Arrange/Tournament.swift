/// Finds again and again which of some sorted sequences has the first element, while the sequences advance: a tree of losers, Knuth, The
/// Art of Computer Programming, volume 3, 5.4.1. Each element costs at most as many comparisons as the tree has levels.
struct Tournament {
    /// The sequence that has the first of all elements.
    private(set) var winner: Int
    /// The children of node n are 2n and 2n + 1; the sequences are the leaves.
    private var losers: [Int]

    /// - Parameter wins: whether the next element of one sequence comes before that of another. A sequence that is at its end never
    ///   wins against one that is not.
    init(of count: Int, _ wins: (Int, Int) throws -> Bool) rethrows {
        losers = Array(repeating: 0, count: count)
        var winners = losers + Array(0..<count)
        for node in stride(from: count - 1, to: 0, by: -1) {
            let (a, b) = (winners[2 * node], winners[2 * node + 1])
            let isFirst = try wins(a, b)
            (winners[node], losers[node]) = isFirst ? (a, b) : (b, a)
        }
        winner = count > 1 ? winners[1] : 0
    }

    /// Plays again, after the sequence that has won advanced.
    @inline(__always) mutating func replay(_ wins: (Int, Int) throws -> Bool) rethrows {
        var node = (winner + losers.count) / 2
        while node > 0 {
            if try wins(losers[node], winner) { swap(&losers[node], &winner) }
            node /= 2
        }
    }
}
