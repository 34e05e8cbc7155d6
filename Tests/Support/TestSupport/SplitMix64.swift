/// A small generator whose whole state is its seed, so that a failing run can be run again, everywhere.
public struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to, but not including, `limit`; 0 where there is none.
    public mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(1, limit))) }

    /// True in so many of a hundred cases.
    public mutating func percent(_ share: Int) -> Bool { below(100) < share }

    public mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
