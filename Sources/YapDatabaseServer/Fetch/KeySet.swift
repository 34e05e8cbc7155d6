/// Which keys the server has, as hashes of 128 bits: 16 bytes a row, whatever the keys are.
struct KeySet {
    private var hashes: Set<Pair> = []
    private struct Pair: Hashable { let (first, second): (Int, Int) }
    /// Unknown to the server, so that it cannot choose keys that are confused.
    private let seed = UInt64.random(in: 0 ... .max)

    init(_ rows: RowSpool) throws {
        hashes.reserveCapacity(rows.count)
        try rows.forEach { hashes.insert(pair($0.key)) }
    }

    func contains(_ key: RowKey) -> Bool { hashes.contains(pair(key)) }

    private func pair(_ key: RowKey) -> Pair {
        var (first, second) = (Hasher(), Hasher())
        first.combine(seed)
        first.combine(key)
        second.combine(key)
        second.combine(seed &+ 1)
        return Pair(first: first.finalize(), second: second.finalize())
    }
}
