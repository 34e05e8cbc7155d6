/// A random number generator whose whole state is its seed, so equal seeds give equal numbers on every machine.
///
/// SplitMix64 (Steele, Lea and Flood, 2014).
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 up to, but not including, `limit`; 0 if `limit` is not positive.
    package mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(1, limit))) }

    /// Returns true with a probability of `share` percent.
    package mutating func percent(_ share: Int) -> Bool { below(100) < share }

    package mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
