/// The same numbers for the same seed, everywhere.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// One of so many numbers from 0.
    mutating func below(_ count: Int) -> Int { Int(next() % UInt64(max(1, count))) }

    mutating func happens(_ percent: Int) -> Bool { below(100) < percent }
}
